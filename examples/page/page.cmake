# build-examples/examples/redial.html: one file with the library and the simulation in it, compiled
# to WebAssembly. Not a part of "all": cmake --build build-examples --target page
# SPDX-License-Identifier: MIT
if(CMAKE_SCRIPT_MODE_FILE)   # the build calls this file to put the parts together
  file(READ ${PAGE}/page.css css)
  file(READ ${PAGE}/page.js script)
  execute_process(COMMAND base64 -w 0 ${WASM} OUTPUT_VARIABLE wasm COMMAND_ERROR_IS_FATAL ANY)
  configure_file(${PAGE}/page.html ${OUT} @ONLY)
  return()
endif()

set(page ${CMAKE_CURRENT_SOURCE_DIR}/page)
set(page_sources ${redial_sources} examples/fleet/simulation.c examples/page/page.c)
list(FILTER page_sources EXCLUDE REGEX system)
list(TRANSFORM page_sources PREPEND ${PROJECT_SOURCE_DIR}/)
file(GLOB page_depends CONFIGURE_DEPENDS ${page}/* fleet/*.h recipes/retry_after.c ../src/*.h
     ${PROJECT_SOURCE_DIR}/include/redial.h)
set(page_wasm ${CMAKE_CURRENT_BINARY_DIR}/redial.wasm)
set(page_html ${CMAKE_CURRENT_BINARY_DIR}/redial.html)
add_custom_command(OUTPUT ${page_html} DEPENDS ${page_sources} ${page_depends}
  COMMENT "The page needs clang, lld, wasi-libc and libclang-rt-14-dev-wasm32, of Debian"
  COMMAND clang --target=wasm32-wasi --sysroot=/usr -O2 -std=c11 -nostartfiles -Wl,--no-entry
          -Wl,--strip-all $<TARGET_PROPERTY:redial_warnings,INTERFACE_COMPILE_OPTIONS>
          -I${PROJECT_SOURCE_DIR}/include ${page_sources} -o ${page_wasm}
  COMMAND ${CMAKE_COMMAND} -DPAGE=${page} -DWASM=${page_wasm} -DOUT=${page_html}
          -P ${page}/page.cmake
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(page DEPENDS ${page_html})

# build-examples/examples/redial.html: one file with the library and the simulation in it, compiled
# to WebAssembly. Not a part of "all": cmake --build build-examples --target page
# SPDX-License-Identifier: MIT
set(page ${CMAKE_CURRENT_SOURCE_DIR}/page)
set(page_needs "clang, lld, wasi-libc and libclang-rt-14-dev-wasm32, of Debian")
set(page_sources page/page.c page/one_client.c fleet/simulation.c)
list(TRANSFORM page_sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
foreach(source ${redial_sources})
  if(NOT source MATCHES "system")
    list(APPEND page_sources ${PROJECT_SOURCE_DIR}/${source})
  endif()
endforeach()
file(GLOB page_depends CONFIGURE_DEPENDS ${page}/* fleet/*.h ../src/*.h
     ${PROJECT_SOURCE_DIR}/include/redial.h)

find_program(REDIAL_WASM_CC NAMES clang-14 clang)
find_program(REDIAL_BASE64 base64)
set(page_options --target=wasm32-wasi --sysroot=/usr -O2 -std=c11 -nostartfiles -Wl,--no-entry
  -Wl,--strip-all)
set(page_works "1")
if(REDIAL_WASM_CC AND REDIAL_BASE64)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/page_probe)
  file(WRITE ${probe}.c "#include <stdlib.h>\nvoid *probe(size_t n) { return calloc(n, 4); }\n")
  execute_process(COMMAND ${REDIAL_WASM_CC} ${page_options} -Wl,--export=probe ${probe}.c
                          -o ${probe}.wasm
                  RESULT_VARIABLE page_works OUTPUT_QUIET ERROR_QUIET)
endif()

if(page_works STREQUAL "0")
  set(page_wasm ${CMAKE_CURRENT_BINARY_DIR}/redial.wasm)
  set(page_html ${CMAKE_CURRENT_BINARY_DIR}/redial.html)
  add_custom_command(OUTPUT ${page_wasm} DEPENDS ${page_sources} ${page_depends}
    COMMAND ${REDIAL_WASM_CC} ${page_options}
            $<TARGET_PROPERTY:redial_warnings,INTERFACE_COMPILE_OPTIONS>
            -I${PROJECT_SOURCE_DIR}/include ${page_sources} -o ${page_wasm}
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_command(OUTPUT ${page_html} DEPENDS ${page_wasm} ${page_depends}
    COMMAND ${CMAKE_COMMAND} -DPAGE=${page} -DWASM=${page_wasm} -DBASE64=${REDIAL_BASE64}
            -DOUT=${page_html} -P ${page}/embed.cmake VERBATIM)
  add_custom_target(page DEPENDS ${page_html})
else()
  message(STATUS "Left out: the target page (it needs ${page_needs})")
  add_custom_target(page COMMAND ${CMAKE_COMMAND} -E echo
                            "The page needs ${page_needs}; then run cmake again."
                    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()

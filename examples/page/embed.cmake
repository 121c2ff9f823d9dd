# Puts the parts of the page into one file:
#     cmake -DPAGE=folder -DWASM=file -DBASE64=program -DOUT=file -P embed.cmake
# SPDX-License-Identifier: MIT
file(READ ${PAGE}/page.css css)
file(READ ${PAGE}/engine.js engine)
file(READ ${PAGE}/worker.js worker)
set(script "")
foreach(part state controls drawing charts page)
  file(READ ${PAGE}/${part}.js text)
  string(APPEND script "${text}")
endforeach()
execute_process(COMMAND ${BASE64} -w 0 ${WASM} OUTPUT_VARIABLE wasm RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${BASE64} ${WASM}: ${failed}")
endif()
configure_file(${PAGE}/page.html ${OUT} @ONLY)

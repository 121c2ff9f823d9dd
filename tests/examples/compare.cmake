# Runs a program and compares its exit status and its outputs:
# cmake -DPROGRAM=... -DARGS="a b" -DSTATUS=0 -P compare.cmake
# STDOUT: a file with the expected standard output. STDERR: the expected line on standard error; by default none.
# FILE and WANTED: a file that the program must write, and a file with its expected content. FILE is removed first.
separate_arguments(args UNIX_COMMAND "${ARGS}")
if(FILE)
  file(REMOVE "${FILE}")
endif()
execute_process(COMMAND "${PROGRAM}" ${args} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)

if(NOT status STREQUAL STATUS)
  message(SEND_ERROR "${ARGS}: the exit status is ${status}, not ${STATUS}")
endif()
string(REGEX REPLACE "\n$" "" err "${err}")
if(NOT err STREQUAL "${STDERR}")
  message(SEND_ERROR "${ARGS}: stderr is\n${err}\nand should be\n${STDERR}")
endif()
if(STDOUT)
  file(READ "${STDOUT}" wanted)
  if(NOT out STREQUAL wanted)
    message(SEND_ERROR "${ARGS}: stdout is not ${STDOUT} but\n${out}")
  endif()
endif()
if(FILE)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${FILE}" "${WANTED}" RESULT_VARIABLE differ)
  if(differ)
    message(SEND_ERROR "${ARGS}: ${FILE} is not ${WANTED}")
  endif()
endif()

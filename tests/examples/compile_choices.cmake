# The output of choose compiles, in two files of a program and in C++20, and the library accepts the policies:
# cmake -DPROGRAM=choose -DARGS="..." -DCOMPILER=cc -DFLAGS="..." -DCXX=c++ or nothing -DINCLUDE=folder -DLIBRARY=file
#       -DDIR=folder -P ...
separate_arguments(args UNIX_COMMAND "${ARGS}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(COMMAND "${PROGRAM}" ${args} OUTPUT_VARIABLE choices COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "redial_policy [a-z_]+ =" names "${choices}")
list(LENGTH names count)
if(count LESS 2 OR count GREATER 4)
  message(FATAL_ERROR "${ARGS}: ${count} policies, where two to four were expected:\n${choices}")
endif()
set(checks "")
set(shared "")   # by the workers of a process
string(REGEX MATCHALL "extern struct [a-z_ ]+" declared "${choices}")
foreach(one ${declared})
  string(REPLACE "extern " "" one "${one}")
  string(APPEND shared "${one};\n")
endforeach()
foreach(name ${names})
  string(REGEX REPLACE "redial_policy ([a-z_]+) =" "\\1" name "${name}")
  string(APPEND checks "    bad += redial_policy_check(&${name}) != REDIAL_POLICY_OK;\n"
         "    bad += !${name}.max_elapsed_ms != !!${name}.min_uptime_ms;\n")
endforeach()
file(WRITE "${DIR}/choices.h" "${choices}")
file(WRITE "${DIR}/choices.c" "#include \"choices.h\"\n\n${shared}\nint main(void)\n{\n    int bad = 0;\n${checks}    return bad;\n}\n")
file(WRITE "${DIR}/choices_too.c" "#include \"choices.h\"\n")
set(strict -Wall -Wpedantic -Werror "-I${INCLUDE}")   # and -Wextra in C: g++ would have a C++ program name all members
execute_process(COMMAND "${COMPILER}" ${flags} -std=c99 ${strict} -Wextra "${DIR}/choices.c"
                "${DIR}/choices_too.c" "${LIBRARY}" -o "${DIR}/choices" COMMAND_ERROR_IS_FATAL ANY)
if(CXX)
  execute_process(COMMAND "${CXX}" -std=c++20 ${strict} -fsyntax-only -x c++ "${DIR}/choices.c"
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND "${DIR}/choices" RESULT_VARIABLE bad)
if(NOT bad STREQUAL 0)
  message(FATAL_ERROR "${ARGS}: the library refuses ${bad} of these:\n${choices}")
endif()

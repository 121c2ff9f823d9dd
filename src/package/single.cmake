# Writes the library as two files, redial.h and redial.c, and redial_fake.h and redial_curl.h beside
# them: cmake -DOUT=folder -P single.cmake
# SPDX-License-Identifier: MIT

set(root ${CMAKE_CURRENT_LIST_DIR}/../..)
set(header ${root}/include/redial.h)
file(STRINGS ${header} version REGEX "^#define REDIAL_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
string(REGEX REPLACE "#define [A-Z_]+ ([0-9]+)" "\\1" version "${version}")
string(REPLACE ";" "." version "${version}")
file(READ ${root}/LICENSE license)
string(CONCAT head "/* redial ${version} in two files, redial.h and redial.c, made from its"
       " sources.\n\n${license}*/\n")

# Appends a source to `body`, without the #include lines of our headers, because redial.c contains
# them already. Feature-test macros go to `features`: they must be defined before the first system
# header.
set(features "")
set(body "#define REDIAL_INTERNAL_ static\n")
function(append name)
  file(READ ${root}/src/${name} text)
  string(REGEX REPLACE "#include \"[a-z]+\\.h\"\n" "" text "${text}")
  set(feature "#if [^\n]*!defined\\([A-Z_]+\\)\n#define _[^\n]*\n#endif\n")
  string(REGEX MATCHALL "${feature}" found "${text}")
  string(REPLACE ";" "" found "${found}")
  string(REGEX REPLACE "${feature}" "" text "${text}")
  set(features "${features}${found}" PARENT_SCOPE)
  set(body "${body}\n/* ======== ${name} ======== */\n\n${text}" PARENT_SCOPE)
endfunction()

append(internal.h)
append(atomic.h)
file(GLOB sources RELATIVE ${root}/src ${root}/src/*.c)
foreach(source ${sources})
  if(NOT source MATCHES "^system_")
    append(${source})
  endif()
endforeach()
string(APPEND body "\n#ifndef REDIAL_NO_SYSTEM\n")
append(system.h)
foreach(source ${sources})
  if(source MATCHES "^system_")
    append(${source})
  endif()
endforeach()
string(APPEND body "#endif\n")
# If a header of the system came first, without these macros, glibc and musl hide the clock.
string(CONCAT features "#ifndef REDIAL_NO_SYSTEM\n${features}"
       "#if defined(__unix__) || defined(__APPLE__)\n#include <time.h>\n"
       "#if !defined(CLOCK_MONOTONIC) || defined(__GLIBC__) && !defined(__USE_MISC)\n"
       "#error redial.c must come before system headers, or be left out of a unity build\n"
       "#endif\n#endif\n#endif\n")

# Only redial's own shared library exports its functions.
string(CONCAT hidden "#if defined(__GNUC__) && !defined(_WIN32) && !defined(REDIAL_SHARED)"
       " && !defined(REDIAL_API)\n"
       "#define REDIAL_API __attribute__((visibility(\"hidden\")))\n#endif\n")

# With REDIAL_API=static, functions that nobody calls must cause no warning. gcc before 8 looks at
# them when the whole source has been read. There, only a file that counts as a header of the system
# causes none.
string(CONCAT hush "#ifdef __GNUC__\n#if __INCLUDE_LEVEL__ > 0\n#pragma GCC system_header\n#endif\n"
       "#pragma GCC diagnostic push\n"
       "#pragma GCC diagnostic ignored \"-Wunused-function\"\n#endif\n")
set(unhush "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n")

string(CONCAT use "/* Compile this file with your sources, as C99 or C++. Or define REDIAL_API as"
       " static and\n   include it into one of them: after your config.h and macros such as"
       " _GNU_SOURCE, and before\n   any other header. With -DREDIAL_NO_SYSTEM it leaves out"
       " redial_system and what that needs. */\n\n"
       "#if !defined(_WIN32) && !defined(__unix__) && !defined(__APPLE__)"
       " && !defined(REDIAL_NO_SYSTEM)\n"
       "#define REDIAL_NO_SYSTEM /* there is no port for this system in here */\n#endif\n")
file(READ ${header} manual)
file(WRITE ${OUT}/redial.h "${head}\n${manual}")
# For who includes them.
file(COPY ${root}/include/redial_fake.h ${root}/include/redial_curl.h DESTINATION ${OUT})
file(WRITE ${OUT}/redial.c
     "${head}\n${use}\n${features}${hidden}#include \"redial.h\"\n\n${hush}${body}${unhush}")

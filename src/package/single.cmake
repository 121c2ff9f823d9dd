# Writes the library as two files, redial.h and redial.c, and redial_fake.h and redial_curl.h beside them:
# cmake -DOUT=folder -P single.cmake
# SPDX-License-Identifier: MIT

set(root ${CMAKE_CURRENT_LIST_DIR}/../..)
set(header ${root}/include/redial.h)
file(STRINGS ${header} version REGEX "^#define REDIAL_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
string(REGEX REPLACE "#define [A-Z_]+ ([0-9]+)" "\\1" version "${version}")
string(REPLACE ";" "." version "${version}")
file(READ ${root}/LICENSE license)
set(head "/* redial ${version} in two files, redial.h and redial.c, made from its sources.\n\n${license}*/\n")

# A source that includes redial.c must be free to use all names without our prefix. So this function renames each name
# that the pattern `definition` finds. It renames the name where it stands between `before` and `after` in this text.
function(rename text definition before after prefix suffix)
  set(whole "${${text}}")
  string(REGEX MATCHALL "${definition}" names "${whole}")
  list(TRANSFORM names REPLACE "${definition}" "\\1")
  list(FILTER names EXCLUDE REGEX "^(redial|REDIAL)?_")
  list(REMOVE_DUPLICATES names)
  foreach(name ${names})
    string(REGEX REPLACE "(${before})${name}(${after})" "\\1${prefix}${name}${suffix}\\2" whole "${whole}")
  endforeach()
  set(${text} "${whole}" PARENT_SCOPE)
endfunction()

# It drops the #include lines of our headers, because redial.c contains them already.
function(read_source name text)
  file(READ ${root}/src/${name} whole)
  string(REGEX REPLACE "#include \"[a-z]+\\.h\"\n" "" whole "${whole}")
  set(function "\nstatic [a-z0-9_ *]*[ *]([a-z0-9_]+)\\(")
  rename(whole "${function}" "[=,{] " "[,;]" redial_ _)        # where its address is taken
  rename(whole "${function}" "[ )*(!]" "\\(" redial_ _)
  rename(whole "\nstatic const [a-z_ ]* ([a-z_]+) = " " " "[ ;]" redial_ _)
  rename(whole "\nstruct ([a-z_]+) {" "struct " " " redial_ _)
  rename(whole "\n#define ([A-Z_]+)" "[^A-Z_]" "[^A-Z_]" REDIAL_ "")
  set(${text} "\n/* ======== ${name} ======== */\n\n${whole}" PARENT_SCOPE)
endfunction()

# Functions that several sources share become static.
read_source(internal.h internal)
string(REGEX REPLACE "\n([a-z][a-z0-9_ *]*redial_[a-z_]+\\([^;{]*;)" "\nstatic \\1" body "${internal}")
read_source(atomic.h atomic)
string(APPEND body "${atomic}")

# Feature-test macros must be defined before the first system header.
set(feature "#if [^\n]*!defined\\([A-Z_]+\\)\n#define _[^\n]*\n#endif\n")
set(features "")
read_source(system.h system)
file(GLOB sources RELATIVE ${root}/src ${root}/src/*.c)
foreach(source ${sources})
  read_source(${source} text)
  string(REGEX MATCH "${feature}" found "${text}")
  string(REGEX REPLACE "${feature}" "" text "${text}")
  string(APPEND features "${found}")
  if(source MATCHES "^system_")
    string(APPEND system "${text}")
  else()
    string(APPEND body "${text}")
  endif()
endforeach()
string(APPEND body "\n#ifndef REDIAL_NO_SYSTEM\n${system}#endif\n")
set(features "#ifndef REDIAL_NO_SYSTEM\n${features}#endif\n")

# Only redial's own shared library exports its functions.
string(CONCAT hidden "#if defined(__GNUC__) && !defined(_WIN32) && !defined(REDIAL_SHARED) && !defined(REDIAL_API)\n"
       "#define REDIAL_API __attribute__((visibility(\"hidden\")))\n#endif\n")

# With REDIAL_API=static, functions that nobody calls must cause no warning. gcc before 8 looks at them when the whole
# source has been read. There, only a file that counts as a header of the system causes none.
string(CONCAT hush "#ifdef __GNUC__\n#if __INCLUDE_LEVEL__ > 0\n#pragma GCC system_header\n#endif\n"
       "#pragma GCC diagnostic push\n"
       "#pragma GCC diagnostic ignored \"-Wunused-function\"\n#endif\n")
set(unhush "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n")

string(CONCAT use "/* Compile this file with your sources, as C99 or C++. Or define REDIAL_API as static and include\n"
       "   it into one of them, before any other header but your config.h. With -DREDIAL_NO_SYSTEM it\n"
       "   leaves out redial_system and what that needs. */\n\n"
       "#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\n"
       "#if !defined(_WIN32) && !defined(__unix__) && !defined(__APPLE__) && !defined(REDIAL_NO_SYSTEM)\n"
       "#define REDIAL_NO_SYSTEM /* there is no port for this system in here */\n#endif\n")
file(READ ${header} manual)
file(WRITE ${OUT}/redial.h "${head}\n${manual}")
file(COPY ${root}/include/redial_fake.h ${root}/include/redial_curl.h DESTINATION ${OUT})   # for who includes them
file(WRITE ${OUT}/redial.c "${head}\n${use}\n${features}${hidden}#include \"redial.h\"\n\n${hush}${body}${unhush}")

# The library as two files, POSIX and Windows in one: cmake -DOUT=folder -P single.cmake
# SPDX-License-Identifier: MIT

set(header ${CMAKE_CURRENT_LIST_DIR}/../include/redial.h)
file(STRINGS ${header} version REGEX "^#define REDIAL_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
string(REGEX REPLACE "#define [A-Z_]+ ([0-9]+)" "\\1" version "${version}")
string(REPLACE ";" "." version "${version}")
file(READ ${CMAKE_CURRENT_LIST_DIR}/../LICENSE license)
set(head "/* redial ${version} in two files, redial.h and redial.c, made from its sources.\n\n${license}*/\n")

# A header of ours is there already when a source asks for it.
function(read_without_includes path text)
  file(READ ${path} whole)
  string(REGEX REPLACE "#include \"[a-z]+\\.h\"\n" "" whole "${whole}")
  set(${text} "${whole}" PARENT_SCOPE)
endfunction()

# The functions that the sources share are the one file's own now.
read_without_includes(${CMAKE_CURRENT_LIST_DIR}/internal.h internal)
string(REGEX REPLACE "\n([a-z][a-z_ *]*redial_[a-z_]+\\([^;{]*;)" "\nstatic \\1" body "${internal}")

# What makes system headers show more has to stand before the first of them.
set(feature "#if [^\n]*!defined\\([A-Z_]+\\)\n#define _[^\n]*\n#endif\n")
set(features "")
file(GLOB sources ${CMAKE_CURRENT_LIST_DIR}/*.c)
foreach(source ${sources})
  get_filename_component(name ${source} NAME)
  read_without_includes(${source} text)
  string(REGEX MATCH "${feature}" found "${text}")
  string(REGEX REPLACE "${feature}" "" text "${text}")
  string(APPEND features "${found}")
  string(APPEND body "\n/* ======== ${name} ======== */\n\n${text}")
endforeach()

# Included into a source of somebody's own, it must leave all names to that source but those with our prefix.
function(rename definition before after prefix suffix)
  string(REGEX MATCHALL "${definition}" names "${body}")
  list(TRANSFORM names REPLACE "${definition}" "\\1")
  list(FILTER names EXCLUDE REGEX "^(redial|REDIAL)?_")
  list(REMOVE_DUPLICATES names)
  foreach(name ${names})
    string(REGEX REPLACE "(${before})${name}(${after})" "\\1${prefix}${name}${suffix}\\2" body "${body}")
  endforeach()
  set(body "${body}" PARENT_SCOPE)
endfunction()
set(function "\nstatic [a-z0-9_ *]*[ *]([a-z0-9_]+)\\(")
rename("${function}" "[=,{] " "[,;]" redial_ _)        # where its address is taken
rename("${function}" "[ )*(!]" "\\(" redial_ _)
rename("\nstruct ([a-z_]+) {" "struct " " " redial_ _)
rename("\n#define ([A-Z_]+)" "[^A-Z_]" "[^A-Z_]" REDIAL_ "")

# With REDIAL_API=static nobody calls every function.
string(CONCAT hush "#ifdef __GNUC__\n#pragma GCC diagnostic push\n"
       "#pragma GCC diagnostic ignored \"-Wunused-function\"\n#endif\n")
set(unhush "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n")

string(CONCAT use "/* To be compiled with your sources, as C99 or C++; or, with -DREDIAL_API=static, included into\n"
       "   one of them, before any other header. */\n")
file(READ ${header} manual)
file(WRITE ${OUT}/redial.h "${head}\n${manual}")
file(WRITE ${OUT}/redial.c "${head}\n${use}\n${features}#include \"redial.h\"\n\n${hush}${body}${unhush}")

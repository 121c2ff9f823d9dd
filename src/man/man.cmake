# The manual of the library is made of its headers by awk, when the library is built.
# `man redial_begin` shows redial_next(3), because the other names of a page are aliases of it.
# SPDX-License-Identifier: MIT
find_program(REDIAL_AWK awk)
if(NOT REDIAL_AWK)
  message(STATUS "Left out: the man pages of the library (they need awk)")
  return()
endif()

set(redial_man ${PROJECT_BINARY_DIR}/man3)
file(GLOB redial_headers ${PROJECT_SOURCE_DIR}/include/*.h)
string(TIMESTAMP redial_day "%B %d, %Y" UTC)   # SOURCE_DATE_EPOCH if that is set
string(REPLACE " 0" " " redial_day "${redial_day}")
add_custom_command(OUTPUT ${redial_man}/redial.3
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${redial_man}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${redial_man}
  COMMAND ${REDIAL_AWK} -f ${CMAKE_CURRENT_LIST_DIR}/man.awk -v out=${redial_man}
    -v "date=${redial_day}" -v version=${redial_version} ${redial_headers}
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/man.awk ${redial_headers}
  COMMENT "Making the man pages" VERBATIM)
add_custom_target(redial_man ALL DEPENDS ${redial_man}/redial.3)
install(DIRECTORY ${redial_man} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT libredial-dev)

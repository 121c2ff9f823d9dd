# For find_package(redial CONFIG). It defines redial::redial. If both kinds of library are
# installed, it chooses the shared one, unless BUILD_SHARED_LIBS is set to a false value.
# SPDX-License-Identifier: MIT
set(redial_kinds shared static)
if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS)
  set(redial_kinds static shared)
endif()
foreach(redial_kind ${redial_kinds})
  if(NOT TARGET redial::redial)
    include("${CMAKE_CURRENT_LIST_DIR}/redial-${redial_kind}.cmake" OPTIONAL)
  endif()
endforeach()
unset(redial_kinds)
unset(redial_kind)

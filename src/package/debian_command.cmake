# The Debian package redial: the program and its manual page. SPDX-License-Identifier: MIT
if(NOT TARGET redial_command)
  return()
endif()
list(APPEND CPACK_COMPONENTS_ALL redial)
set(CPACK_DEBIAN_REDIAL_PACKAGE_NAME redial)
set(CPACK_DEBIAN_REDIAL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_REDIAL_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_REDIAL_DESCRIPTION "run a program until it succeeds
For cron jobs and shell scripts: it runs a program again, with exponential
backoff and jitter.")
set(doc ${CMAKE_INSTALL_DATADIR}/doc/redial)
install(FILES LICENSE RENAME copyright DESTINATION ${doc} COMPONENT redial EXCLUDE_FROM_ALL)
install(FILES ${redial_made}/changelog.Debian DESTINATION ${doc} COMPONENT redial EXCLUDE_FROM_ALL)

# `cpack -G DEB` makes three packages: libredial0.3 (the shared library; 0.3 is from its SONAME), libredial-dev, and
# redial (the program).
# SPDX-License-Identifier: MIT
# -DCMAKE_INSTALL_PREFIX=/usr puts the libraries into Debian's lib/<triplet>.

# The packages contain the static and the shared library. Installing or packing a component builds what is missing.
if(BUILD_SHARED_LIBS)
  set(redial_other static)
else()
  set(redial_other shared)
endif()
string(TOUPPER ${redial_other} redial_OTHER)
redial_library(redial_${redial_other} ${redial_OTHER} EXCLUDE_FROM_ALL)
set_target_properties(redial_${redial_other} PROPERTIES OUTPUT_NAME redial EXPORT_NAME redial)
set(CPACK_COMPONENTS_ALL libredial libredial-dev)
set(redial_targets "redial redial_${redial_other}")
foreach(target redial_man redial_command)
  if(TARGET ${target})
    string(APPEND redial_targets " ${target}")
  endif()
endforeach()
if(TARGET redial_command)
  list(APPEND CPACK_COMPONENTS_ALL redial)
endif()
foreach(component ${CPACK_COMPONENTS_ALL})
  install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\"
      --config \"\${CMAKE_INSTALL_CONFIG_NAME}\" --target ${redial_targets} COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
redial_install(redial_${redial_other} ${redial_other} EXCLUDE_FROM_ALL)

set(redial_revision 1)
set(redial_debian_version ${redial_version}-${redial_revision})
string(TIMESTAMP redial_date "%a, %d %b %Y %H:%M:%S +0000" UTC)   # SOURCE_DATE_EPOCH if that is set
configure_file(src/package/changelog.in ${redial_made}/changelog.Debian @ONLY)
set(redial_runtime libredial${redial_abi})
file(WRITE ${redial_made}/shlibs "libredial ${redial_abi} ${redial_runtime} (>= ${redial_debian_version})\n")
file(WRITE ${redial_made}/triggers "activate-noawait ldconfig\n")
foreach(component ${CPACK_COMPONENTS_ALL})
  string(REGEX REPLACE "^libredial$" ${redial_runtime} package ${component})
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES LICENSE RENAME copyright DESTINATION ${doc} COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES ${redial_made}/changelog.Debian DESTINATION ${doc} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME redial)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${redial_version})
set(CPACK_PACKAGE_CONTACT ${REDIAL_MAINTAINER})
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/src/package/debian_tidy.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${redial_revision})

set(redial_long_description "${redial_description}
Decides whether and when to try again after HTTP 429, 5xx or a lost
connection. This package contains")
set(CPACK_DEBIAN_LIBREDIAL_PACKAGE_NAME ${redial_runtime})
set(CPACK_DEBIAN_LIBREDIAL_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBREDIAL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBREDIAL_PACKAGE_CONTROL_EXTRA ${redial_made}/shlibs ${redial_made}/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_LIBREDIAL_DESCRIPTION "${redial_long_description} the shared library.")

set(CPACK_DEBIAN_LIBREDIAL-DEV_PACKAGE_NAME libredial-dev)
set(CPACK_DEBIAN_LIBREDIAL-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBREDIAL-DEV_PACKAGE_DEPENDS "${redial_runtime} (= ${redial_debian_version}), libc6-dev")
set(CPACK_COMPONENT_LIBREDIAL-DEV_DESCRIPTION
  "${redial_long_description} the headers, the manual and the static library.")

set(CPACK_DEBIAN_REDIAL_PACKAGE_NAME redial)
set(CPACK_DEBIAN_REDIAL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_REDIAL_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_REDIAL_DESCRIPTION "run a program until it succeeds
For cron jobs and shell scripts: it runs a program again, with exponential
backoff and jitter.")
include(CPack)

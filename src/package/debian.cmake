# `cpack -G DEB` makes libredial, the shared library, and libredial-dev, the rest. SPDX-License-Identifier: MIT
# -DCMAKE_INSTALL_PREFIX=/usr puts the libraries into Debian's lib/<triplet>.

# They have both kinds of library; cpack builds what is not there yet.
if(BUILD_SHARED_LIBS)
  set(redial_other static)
else()
  set(redial_other shared)
endif()
string(TOUPPER ${redial_other} redial_OTHER)
redial_library(redial_${redial_other} ${redial_OTHER} EXCLUDE_FROM_ALL)
set_target_properties(redial_${redial_other} PROPERTIES OUTPUT_NAME redial EXPORT_NAME redial)
redial_install(redial_${redial_other} ${redial_other} EXCLUDE_FROM_ALL)
set(CPACK_INSTALL_COMMANDS
  "\"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target redial redial_${redial_other}")

set(redial_revision 1)
set(redial_debian_version ${redial_version}-${redial_revision})
set(REDIAL_MAINTAINER "redial authors <redial@packages.invalid>" CACHE STRING "Who makes the packages: Name <mail>")
string(TIMESTAMP redial_date "%a, %d %b %Y %H:%M:%S +0000" UTC)   # SOURCE_DATE_EPOCH, where that is set
configure_file(src/package/changelog.in ${redial_made}/changelog.Debian @ONLY)
file(WRITE ${redial_made}/shlibs "libredial ${redial_abi} libredial (>= ${redial_debian_version})\n")
file(WRITE ${redial_made}/triggers "activate-noawait ldconfig\n")
foreach(package libredial libredial-dev)
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES LICENSE RENAME copyright DESTINATION ${doc} COMPONENT ${package} EXCLUDE_FROM_ALL)
  install(FILES ${redial_made}/changelog.Debian DESTINATION ${doc} COMPONENT ${package} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME redial)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL libredial libredial-dev)
set(CPACK_PACKAGE_VERSION ${redial_version})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${redial_description})
set(CPACK_PACKAGE_CONTACT ${REDIAL_MAINTAINER})
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/src/package/debian_tidy.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${redial_revision})

set(redial_long_description
  "Decides whether and when to try again after HTTP 429, 5xx or a lost\nconnection. This package has")
set(CPACK_DEBIAN_LIBREDIAL_PACKAGE_NAME libredial)
set(CPACK_DEBIAN_LIBREDIAL_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBREDIAL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBREDIAL_PACKAGE_CONTROL_EXTRA ${redial_made}/shlibs ${redial_made}/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_LIBREDIAL_DESCRIPTION "${redial_long_description} the shared library.")

set(CPACK_DEBIAN_LIBREDIAL-DEV_PACKAGE_NAME libredial-dev)
set(CPACK_DEBIAN_LIBREDIAL-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBREDIAL-DEV_PACKAGE_DEPENDS "libredial (= ${redial_debian_version})")
set(CPACK_COMPONENT_LIBREDIAL-DEV_DESCRIPTION
  "${redial_long_description} the headers, the manual and the static library.")
include(CPack)

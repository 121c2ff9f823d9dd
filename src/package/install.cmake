# Install rules: library, headers, CMake package, redial.pc, manual. SPDX-License-Identifier: MIT
# The components are named after Debian's packages.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(redial_cmakedir ${CMAKE_INSTALL_LIBDIR}/cmake/redial)

# Both kinds of library have the name redial::redial for find_package.
function(redial_install target kind)
  install(TARGETS ${target} EXPORT redial-${kind}
    RUNTIME COMPONENT libredial
    LIBRARY COMPONENT libredial NAMELINK_COMPONENT libredial-dev
    ARCHIVE COMPONENT libredial-dev
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT redial-${kind} NAMESPACE redial:: DESTINATION ${redial_cmakedir}
    COMPONENT libredial-dev)
  # for a project that exports its own targets from its build
  export(EXPORT redial-${kind} NAMESPACE redial::)
endfunction()

set(redial_kind static)
set(redial_other shared)
if(BUILD_SHARED_LIBS)
  set(redial_kind shared)
  set(redial_other static)
endif()
redial_install(redial ${redial_kind})

option(REDIAL_BOTH "Build and install the static and the shared library" OFF)
if(REDIAL_BOTH AND MSVC)
  message(FATAL_ERROR "REDIAL_BOTH: here both libraries would be redial.lib; choose one")
elseif(REDIAL_BOTH)
  string(TOUPPER ${redial_other} redial_OTHER)
  redial_library(redial_${redial_other} ${redial_OTHER})
  set_target_properties(redial_${redial_other} PROPERTIES OUTPUT_NAME redial EXPORT_NAME redial)
  redial_install(redial_${redial_other} ${redial_other})
endif()

install(FILES include/redial.h include/redial_fake.h include/redial_curl.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libredial-dev)
# MIT asks that the licence goes with each copy. Debian and others have their own place for it.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/licenses/redial
  COMPONENT libredial-dev)
include(src/man/man.cmake)

set(redial_made ${PROJECT_BINARY_DIR}/package)
write_basic_package_version_file(${redial_made}/redial-config-version.cmake
  VERSION ${redial_version} COMPATIBILITY ${redial_compatible})
install(FILES src/package/redial-config.cmake ${redial_made}/redial-config-version.cmake
  DESTINATION ${redial_cmakedir} COMPONENT libredial-dev)

# All paths are relative to redial.pc, so that the installed tree may be moved. If the user gave a
# folder as an absolute path, it stays absolute. If the library's folder is absolute, the prefix is
# CMAKE_INSTALL_PREFIX.
set(redial_prefix @CMAKE_INSTALL_PREFIX@)
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  file(RELATIVE_PATH redial_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" redial_prefix "\${pcfiledir}/${redial_up}")
endif()
foreach(dir libdir includedir)
  string(TOUPPER ${dir} DIR)
  set(redial_${dir} ${CMAKE_INSTALL_${DIR}})
  if(NOT IS_ABSOLUTE ${redial_${dir}})
    set(redial_${dir} "\${prefix}/${redial_${dir}}")
  endif()
endforeach()
set(redial_name @redial_name@)   # each configuration may have another, by CMAKE_DEBUG_POSTFIX
configure_file(src/package/redial.pc.in ${redial_made}/redial.pc.in @ONLY)
install(CODE "set(redial_name $<TARGET_LINKER_FILE_BASE_NAME:redial>)
  configure_file(\"${redial_made}/redial.pc.in\" \"${redial_made}/redial.pc\" @ONLY)"
  COMPONENT libredial-dev)
install(FILES ${redial_made}/redial.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT libredial-dev)

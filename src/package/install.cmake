# Install rules: library, headers, CMake package, redial.pc. SPDX-License-Identifier: MIT
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(redial_cmakedir ${CMAKE_INSTALL_LIBDIR}/cmake/redial)
install(TARGETS redial EXPORT redial-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT redial-targets NAMESPACE redial:: DESTINATION ${redial_cmakedir})
export(EXPORT redial-targets NAMESPACE redial::)   # for a project that exports its own targets
install(FILES include/redial.h include/redial_fake.h include/redial_curl.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# MIT asks that the licence goes with each copy. Debian and others have their own place for it.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/licenses/redial)

set(redial_made ${PROJECT_BINARY_DIR}/package)
write_basic_package_version_file(${redial_made}/redial-config-version.cmake
  VERSION ${redial_version} COMPATIBILITY SameMajorVersion)
install(FILES src/package/redial-config.cmake ${redial_made}/redial-config-version.cmake
  DESTINATION ${redial_cmakedir})

# In /usr, redial.pc says so: pkg-config then knows these folders as the system's, and leaves out -I
# and -L, which would hide a libcurl of one's own. Elsewhere all paths are relative to redial.pc, so
# that the installed tree may be moved. A folder that the user gave as an absolute path stays
# absolute; if that is the library's, so is the prefix.
set(redial_relative "\${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  file(RELATIVE_PATH redial_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" redial_relative "\\\${pcfiledir}/${redial_up}")
endif()
foreach(dir libdir includedir)
  string(TOUPPER ${dir} DIR)
  set(redial_${dir} ${CMAKE_INSTALL_${DIR}})
  if(NOT IS_ABSOLUTE ${redial_${dir}})
    set(redial_${dir} "\${prefix}/${redial_${dir}}")
  endif()
endforeach()
# These two are known when it is installed. CMAKE_DEBUG_POSTFIX changes the name.
set(redial_name @redial_name@)
set(redial_prefix @redial_prefix@)
configure_file(src/package/redial.pc.in ${redial_made}/redial.pc.in @ONLY)
install(CODE "set(redial_name $<TARGET_LINKER_FILE_BASE_NAME:redial>)
  set(redial_prefix \"${redial_relative}\")
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(redial_prefix /usr)
  endif()
  configure_file(\"${redial_made}/redial.pc.in\" \"${redial_made}/redial.pc\" @ONLY)")
install(FILES ${redial_made}/redial.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

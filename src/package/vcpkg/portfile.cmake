# The port of this repository for vcpkg. SPDX-License-Identifier: MIT
#     vcpkg install redial --overlay-ports=FOLDER/src/package/vcpkg     FOLDER is a clone of redial
# For a registry, vcpkg_from_git or the like sets SOURCE_PATH. No check of this repository runs this
# file with vcpkg, which Debian does not have: vcpkg.sh imitates its steps. It was run by hand,
# once, with vcpkg of August 2026 on Linux.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DREDIAL_TESTS=OFF -DREDIAL_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_copy_pdbs()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/redial)
vcpkg_fixup_pkgconfig()
if(NOT VCPKG_TARGET_IS_WINDOWS)
  vcpkg_copy_tools(TOOL_NAMES redial AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")

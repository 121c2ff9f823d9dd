# In short what vcpkg does with a port, by its documentation. SPDX-License-Identifier: MIT
#     cmake -DPORT=NAME -DPORTFILE=FILE -DSHARED=ON|OFF -DTO=FOLDER -P steps.cmake
set(CURRENT_PACKAGES_DIR ${TO})
set(VCPKG_TARGET_IS_WINDOWS OFF)

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 _ "" "SOURCE_PATH" "OPTIONS")
  foreach(prefix ${TO} ${TO}/debug)
    string(REPLACE "${TO}/debug" Debug type ${prefix})
    string(REPLACE ${TO} Release type ${type})
    run(${CMAKE_COMMAND} -S ${__SOURCE_PATH} -B ${TO}-${type} -DCMAKE_BUILD_TYPE=${type}
      -DBUILD_SHARED_LIBS=${SHARED} -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_INSTALL_LIBDIR=lib
      ${__OPTIONS})
  endforeach()
endfunction()

function(vcpkg_cmake_install)
  foreach(type Release Debug)
    run(${CMAKE_COMMAND} --build ${TO}-${type} --target install)
  endforeach()
endfunction()

# The package's files go to share, two folders below the prefix, and those of debug beside them.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 _ "" "CONFIG_PATH" "")
  file(MAKE_DIRECTORY ${TO}/share)
  file(RENAME ${TO}/${__CONFIG_PATH} ${TO}/share/${PORT})
  file(GLOB debug ${TO}/debug/${__CONFIG_PATH}/*-debug.cmake)
  foreach(file ${debug})
    file(READ ${file} text)
    string(REPLACE "{_IMPORT_PREFIX}/lib" "{_IMPORT_PREFIX}/debug/lib" text "${text}")
    get_filename_component(name ${file} NAME)
    file(WRITE ${TO}/share/${PORT}/${name} "${text}")
  endforeach()
  file(GLOB files ${TO}/share/${PORT}/*.cmake)
  set(up "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
  foreach(file ${files})
    file(READ ${file} text)
    string(REPLACE "${up}${up}${up}" "${up}${up}" text "${text}")
    file(WRITE ${file} "${text}")
  endforeach()
  file(REMOVE_RECURSE ${TO}/lib/cmake ${TO}/debug/lib/cmake)
endfunction()

function(vcpkg_fixup_pkgconfig)   # redial.pc may be moved as it is
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 _ "AUTO_CLEAN" "" "TOOL_NAMES")
  foreach(name ${__TOOL_NAMES})
    file(COPY ${TO}/bin/${name} DESTINATION ${TO}/tools/${PORT})
    if(__AUTO_CLEAN)
      file(REMOVE ${TO}/bin/${name} ${TO}/debug/bin/${name})
    endif()
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 _ "" "" "FILE_LIST")
  file(INSTALL ${__FILE_LIST} DESTINATION ${TO}/share/${PORT} RENAME copyright)
endfunction()

function(vcpkg_copy_pdbs)   # only where Microsoft's compiler made some
endfunction()

include(${PORTFILE})

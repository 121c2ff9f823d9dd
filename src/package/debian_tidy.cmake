# Prepares the files for packing, by the rules of Debian. CPACK_STRIP_FILES does not strip the static library, and cpack
# made the folders with the umask of its user. SPDX-License-Identifier: MIT
foreach(tool dpkg-shlibdeps file)   # without them cpack makes packages that depend on no libc, and goes on
  find_program(${tool} ${tool})
  if(NOT ${tool})
    message(FATAL_ERROR "The Debian packages need the program ${tool}: apt-get install dpkg-dev file")
  endif()
endforeach()
execute_process(WORKING_DIRECTORY ${CPACK_TEMPORARY_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY COMMAND sh -e -c
  "find . -type f '(' -path '*/man/*' -o -name changelog.Debian ')' -exec gzip -9n {} +
   find . -name libredial.a -exec strip --strip-debug --remove-section=.comment {} +
   find . -type d -exec chmod 755 {} +")

# Prepares the files for packing, by the rules of Debian. SPDX-License-Identifier: MIT
set(root ${CPACK_TEMPORARY_DIRECTORY})

file(GLOB_RECURSE texts ${root}/changelog.Debian ${root}/*.3 ${root}/*.1)
foreach(text ${texts})
  execute_process(COMMAND gzip -9n ${text} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# CPACK_STRIP_FILES strips all other files.
file(GLOB_RECURSE archives ${root}/libredial.a)
foreach(archive ${archives})
  execute_process(COMMAND strip --strip-debug --remove-section=.comment ${archive} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# cpack made the folders with the umask of its user.
execute_process(COMMAND find ${root} -type d -exec chmod 755 {} + COMMAND_ERROR_IS_FATAL ANY)

# What Debian wants of the files, before they are packed. SPDX-License-Identifier: MIT
set(root ${CPACK_TEMPORARY_DIRECTORY})

file(GLOB_RECURSE texts ${root}/changelog.Debian ${root}/*.3 ${root}/*.1)
foreach(text ${texts})
  execute_process(COMMAND gzip -9n ${text} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# CPACK_STRIP_FILES does it to the others.
file(GLOB_RECURSE archives ${root}/libredial.a)
foreach(archive ${archives})
  execute_process(COMMAND strip --strip-debug --remove-section=.comment ${archive} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# Folders were made with the umask of who runs cpack.
execute_process(COMMAND find ${root} -type d -exec chmod 755 {} + COMMAND_ERROR_IS_FATAL ANY)

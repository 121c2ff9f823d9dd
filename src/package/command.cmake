# The program redial, and what is installed with it. SPDX-License-Identifier: MIT
# It is built from the library's sources, so it runs in any folder and needs no libredial.so.
set(redial_command_sources command.c input.c job.c options.c output.c refuse.c
  schedule.c signals.c spool.c times.c)
list(TRANSFORM redial_command_sources PREPEND src/command/)
add_executable(redial_command ${redial_command_sources} ${redial_sources})
target_include_directories(redial_command PRIVATE include)
target_link_libraries(redial_command PRIVATE redial_warnings)
set_target_properties(redial_command PROPERTIES C_STANDARD 11 OUTPUT_NAME redial UNITY_BUILD OFF)

if(REDIAL_INSTALL)
  include(GNUInstallDirs)
  install(TARGETS redial_command RUNTIME COMPONENT redial)
  install(FILES src/command/redial.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT redial)
endif()

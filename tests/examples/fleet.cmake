# fleet: the simulation, the program, and the figures that the documents state.
# SPDX-License-Identifier: MIT
redial_test(fleet)
if(UNIX)
  add_test(NAME check_fleet COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_fleet.sh
           $<TARGET_FILE:fleet> ${PROJECT_SOURCE_DIR})
  set_tests_properties(fleet check_fleet PROPERTIES TIMEOUT 300 LABELS "${redial_labels}")
endif()

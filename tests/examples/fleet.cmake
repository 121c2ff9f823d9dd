# herd: the simulation, the program, and the figures that the documents state.
# SPDX-License-Identifier: MIT
redial_test(herd)
target_sources(test_herd PRIVATE ${examples}/fleet/herd_model.c ${examples}/fleet/herd_server.c
               ${examples}/fleet/herd_figures.c)
set_tests_properties(herd PROPERTIES TIMEOUT 300)
if(UNIX)
  add_test(NAME check_herd COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_herd.sh
           $<TARGET_FILE:herd>)
  add_test(NAME readme_fleet COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_fleet.sh
           $<TARGET_FILE:herd> ${PROJECT_SOURCE_DIR})
  set_tests_properties(check_herd readme_fleet PROPERTIES TIMEOUT 300 LABELS "${redial_labels}")
endif()

# The program redial, which runs other programs.
redial_test(command)
target_compile_definitions(test_command PRIVATE COMMAND="$<TARGET_FILE:redial_command>"
                           MANUAL="${examples}/command/redial.1")
add_dependencies(test_command redial_command)

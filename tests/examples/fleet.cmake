# herd, schedule and choose: tables, pictures and refusals, byte for byte.
redial_test(herd)
target_sources(test_herd PRIVATE ${examples}/fleet/herd_model.c)

# NAME PROGRAM ARGS and what compare.cmake compares with, as NAME=VALUE.
function(redial_compare name program args)
  list(TRANSFORM ARGN PREPEND -D)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${program}> "-DARGS=${args}" ${ARGN}
           -P ${CMAKE_CURRENT_SOURCE_DIR}/compare.cmake)
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS "${redial_labels}")
endfunction()

function(redial_prints name program args)
  redial_compare(${name} ${program} "${args}" STATUS=0 STDOUT=${PROJECT_SOURCE_DIR}/tests/expected/${name}.txt)
endfunction()

function(redial_refuses name program args line)
  redial_compare(${program}_refuses_${name} ${program} "${args}" STATUS=2 "STDERR=${program}: ${line}")
endfunction()

redial_prints(herd_burst herd "")
redial_prints(herd_slot herd "--clients 10000 --retry-after slot")
redial_prints(herd_constant herd "--retry-after 20 --mode equal")
redial_prints(herd_quota herd "--clients 10000 --window 60000")
redial_prints(herd_outage_budget herd "--outage 30 --capacity 100 --budget 6000 --retries 8")
redial_prints(schedule_added schedule "--retries 7")
foreach(mode spread equal none)   # the programs share the names of the modes
  redial_prints(schedule_${mode} schedule "--mode ${mode} --cap 4000 --retries 4")
endforeach()
redial_prints(schedule_full schedule "--mode full --base 100 --cap 5000 --retries unlimited --elapsed 20000")
redial_prints(schedule_tiny schedule "--mode full --base 1 --cap 1 --elapsed 1")
redial_prints(choose_outage choose "--within 60000 --clients 1000 --capacity 100 --outage 20")
redial_prints(choose_to_scale choose "--within 20000 --clients 1000000 --capacity 100000 --outage 2")

redial_refuses(words herd "--cap 12x" "--cap 12x: must be a whole number from 1 to 4294967295")
redial_refuses(zero herd "--clients 0" "--clients 0: must be a whole number from 1 to 10000000")
redial_refuses(signs herd "--seed=-1" "--seed -1: must be a whole number from 0 to 4294967295")
redial_refuses(overflow herd "--base 4294967296" "--base 4294967296: must be a whole number from 1 to 4294967295")
redial_refuses(unknown_mode herd "--mode some" "--mode some: must be added, spread, equal, full, none or all")
redial_refuses(unknown_word herd "--retry-after soon"
               "--retry-after soon: must be a whole number from 0 to 4000000, or none or slot")
redial_refuses(missing_value herd "--base 3 --cap" "--cap: a value must follow")
redial_refuses(cap_below_base herd "--base 5000 --cap 2000"
               "--base 5000 --cap 2000 --jitter 1000: cap_ms must not be less than base_ms")
redial_refuses(short_horizon herd "--outage 60 --horizon 60"
               "--outage 60 --horizon 60: the horizon must lie beyond the outage")
redial_refuses(cap_below_base schedule "--base 5000 --cap 2000"
               "--base 5000 --cap 2000 --jitter 1000: cap_ms must not be less than base_ms")
redial_refuses(long_outage choose "--within 20000 --outage 20"
               "--within 20000 --outage 20: a request must be allowed to take longer than the outage, or none can be served")
redial_refuses(weak_server choose "--within 60000 --outage 20 --clients 1000000 --capacity 2"
               "--clients 1000000 --capacity 2: no policy helps where the server can take less than a tenth of the clients in time")

# The pictures in the repository are what these commands draw.
function(redial_draws name program args)
  set(drawn ${CMAKE_CURRENT_BINARY_DIR}/${name}.svg)
  redial_compare(picture_${name} ${program} "${args} --svg '${drawn}'" STATUS=0
                 FILE=${drawn} WANTED=${examples}/fleet/pictures/${name}.svg)
endfunction()
redial_draws(fleet herd "--clients 10000 --capacity 1000 --outage 60 --horizon 300")
redial_draws(schedule schedule "--retries 7")

if(UNIX)
  add_test(NAME choose_agrees_with_herd COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_choose.sh $<TARGET_FILE:choose>
           $<TARGET_FILE:herd>)
  add_test(NAME herd_interrupt COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_interrupt.sh $<TARGET_FILE:herd>)
  add_test(NAME readme_fleet COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_fleet.sh $<TARGET_FILE:herd>
           ${PROJECT_SOURCE_DIR}/README.md)
  add_test(NAME choose_compiles COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:choose>
           "-DARGS=--within 30000 --capacity 200 --outage 5" -DCOMPILER=${CMAKE_C_COMPILER} "-DFLAGS=${CMAKE_C_FLAGS}"
           -DINCLUDE=${PROJECT_SOURCE_DIR}/include -DLIBRARY=$<TARGET_FILE:redial> -DDIR=${CMAKE_CURRENT_BINARY_DIR}
           -DCXX=${REDIAL_CXX} -P ${CMAKE_CURRENT_SOURCE_DIR}/compile_choices.cmake)
  set_tests_properties(herd_interrupt readme_fleet choose_compiles PROPERTIES TIMEOUT 300 LABELS "${redial_labels}")
endif()

# herd and schedule: tables, pictures and refusals, byte for byte.
redial_test(herd)
target_sources(test_herd PRIVATE ${examples}/fleet/herd_model.c ${examples}/fleet/herd_server.c
               ${examples}/fleet/herd_figures.c)

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
redial_prints(herd_answers herd "--table answers --window 100")
redial_prints(herd_one_mode_of_answers herd "--table answers --mode full --clients 64 --workers 8 --budget 20")
redial_prints(herd_gates herd "--table gates --clients 640 --workers 64 --jobs 100 --pause 1000 --capacity 160 \
--retry-after 1 --horizon 600")
redial_prints(herd_process herd "--clients 640 --workers 64 --gate 429 --retry-after 1 --bad 2 --budget 50 --elapsed 90000 \
--jobs 2 --per 2000")
redial_prints(herd_rest herd "--capacity 240 --per 60000 --window 60000 --retry-after window --pause 500 --mode full")
redial_prints(herd_outage_budget herd "--outage 30 --capacity 100 --budget 6000 --retries 8")
redial_prints(schedule_added schedule "--retries 7")
foreach(mode spread equal none)   # the programs share the names of the modes
  redial_prints(schedule_${mode} schedule "--mode ${mode} --cap 4000 --retries 4")
endforeach()
redial_prints(schedule_full schedule "--mode full --base 100 --cap 5000 --retries unlimited --elapsed 20000")
redial_prints(schedule_tiny schedule "--mode full --base 1 --cap 1 --elapsed 1")

redial_refuses(words herd "--cap 12x" "--cap 12x: must be a whole number from 1 to 4294967295")
redial_refuses(zero herd "--clients 0" "--clients 0: must be a whole number from 1 to 10000000")
redial_refuses(signs herd "--seed=-1" "--seed -1: must be a whole number from 0 to 4294967295")
redial_refuses(overflow herd "--base 4294967296" "--base 4294967296: must be a whole number from 1 to 4294967295")
redial_refuses(unknown_mode herd "--mode some" "--mode some: must be added, spread, equal, full, none or all")
redial_refuses(unknown_word herd "--retry-after soon"
               "--retry-after soon: must be a whole number from 0 to 4000000, or none, slot or window")
redial_refuses(missing_value herd "--base 3 --cap" "--cap: a value must follow")
redial_refuses(cap_below_base herd "--base 5000 --cap 2000"
               "--base 5000 --cap 2000 --jitter 1000: cap_ms must not be less than base_ms")
redial_refuses(short_horizon herd "--outage 60 --horizon 60"
               "--outage 60 --horizon 60: the horizon must lie beyond the outage")
redial_refuses(gate_of_nobody herd "--gate 429" "--gate: --workers must say how many clients share one")
redial_refuses(gates_without_workers herd "--table gates --retry-after 1"
               "--table gates: --workers and --retry-after must be given too")
redial_refuses(rest_of_no_window herd "--retry-after window"
               "--retry-after window: --window must say how long one is")
redial_refuses(too_many_requests herd "--clients 10000000 --jobs 101"
               "--clients 10000000 --jobs 101: at most 1000000000 requests")
redial_refuses(picture_of_a_grid herd "--table answers --svg a.svg"
               "--svg: there is a picture only of the table of the jitter modes")
redial_refuses(cap_below_base schedule "--base 5000 --cap 2000"
               "--base 5000 --cap 2000 --jitter 1000: cap_ms must not be less than base_ms")

# The pictures in the repository are what these commands draw.
function(redial_draws name program args)
  set(drawn ${CMAKE_CURRENT_BINARY_DIR}/${name}.svg)
  redial_compare(picture_${name} ${program} "${args} --svg '${drawn}'" STATUS=0
                 FILE=${drawn} WANTED=${examples}/fleet/pictures/${name}.svg)
endfunction()
redial_draws(fleet herd "--clients 10000 --capacity 200 --outage 60 --horizon 260")
redial_draws(schedule schedule "")

if(UNIX)
  add_test(NAME herd_interrupt COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_interrupt.sh $<TARGET_FILE:herd>)
  add_test(NAME readme_fleet COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_fleet.sh $<TARGET_FILE:herd>
           ${PROJECT_SOURCE_DIR})
  set_tests_properties(herd_interrupt readme_fleet PROPERTIES TIMEOUT 300 LABELS "${redial_labels}")
endif()

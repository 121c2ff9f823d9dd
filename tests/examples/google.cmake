# The client of Google's APIs, against a server that the tests start.
# SPDX-License-Identifier: MIT
if(TARGET google)
  redial_test(google google_client redial_test_server Threads::Threads)
  redial_variant(google_quick google_client ${examples}/google/google.c
                 redial_system=quick_system ${examples}/common/interrupt.c
                 ../common/quick_system.c)
  redial_test_runs(google 60 PROGRAM=google QUICK_PROGRAM=google_quick)
endif()

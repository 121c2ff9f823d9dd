# The client of Google's APIs, against a server that the tests start.
# SPDX-License-Identifier: MIT
if(TARGET google)
  redial_test(google google_client redial_test_server Threads::Threads)
  target_sources(test_google PRIVATE ${examples}/common/interrupt.c)
  redial_test_runs(google 60 PROGRAM=google)
endif()

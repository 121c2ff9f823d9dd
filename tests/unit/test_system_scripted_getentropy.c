/* The same script for a system that is not Linux, and has the clock_nanosleep and the getentropy of
   POSIX. SPDX-License-Identifier: MIT */
#define SCRIPTED_GETENTROPY 1
#include "test_system_scripted.c"

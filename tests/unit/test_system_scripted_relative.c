/* The same script for a system without clock_nanosleep and with arc4random, as macOS and OpenBSD
   have it. SPDX-License-Identifier: MIT */
#define SCRIPTED_RELATIVE 1
#include "test_system_scripted.c"

/* The same script for a system with clock_nanosleep and getentropy, as illumos and Haiku have them.
   SPDX-License-Identifier: MIT */
#define SCRIPTED_GETENTROPY 1
#include "test_system_scripted.c"

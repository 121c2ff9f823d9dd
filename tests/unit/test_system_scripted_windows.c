/* The same script for src/system_windows.c, on any system. SPDX-License-Identifier: MIT */
#define SCRIPTED_WINDOWS 1
#define _CRT_RAND_S
#include "test_system_scripted.c"

/* SPDX-License-Identifier: MIT */
/* nanosleep(2) of OpenBSD is its only sleep: there is no clock_nanosleep. */
#pragma GCC system_header
#include_next <time.h>
#define clock_nanosleep clock_nanosleep_is_not_in_openbsd

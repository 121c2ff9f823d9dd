/* SPDX-License-Identifier: MIT */
/* getrandom(2): the call is in Linux since 3.17, and so its number is not in older headers. */
#pragma GCC system_header
#include_next <sys/syscall.h>
#undef SYS_getrandom

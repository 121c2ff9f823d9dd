/* SPDX-License-Identifier: MIT */
/* arc4random(3) of FreeBSD, NetBSD and OpenBSD. */
#pragma GCC system_header
#include_next <stdlib.h>
#include <stdint.h>
uint32_t arc4random(void);

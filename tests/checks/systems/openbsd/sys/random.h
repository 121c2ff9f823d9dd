/* SPDX-License-Identifier: MIT */
/* getentropy(2) of OpenBSD: unistd.h declares it. There is no getrandom, and no such header. */
#error "this header is not in OpenBSD"

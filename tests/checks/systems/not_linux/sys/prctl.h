/* SPDX-License-Identifier: MIT */
/* prctl(2) of Linux: no other system has it. */
#error "prctl is Linux's"

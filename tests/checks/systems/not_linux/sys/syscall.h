/* SPDX-License-Identifier: MIT */
/* getrandom(2) and gettid(2) of Linux: their numbers, for syscall(2), are Linux's alone. */
#error "SYS_getrandom and SYS_gettid are Linux's"

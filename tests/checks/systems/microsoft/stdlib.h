/* SPDX-License-Identifier: MIT */
/* The pages "rand_s", "EXIT_SUCCESS, EXIT_FAILURE", "exit, _Exit, _exit" and "abort" of Microsoft's
   C runtime library reference. */
#include <stddef.h>
#ifdef _CRT_RAND_S
int __cdecl rand_s(unsigned *bits);
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
__declspec(noreturn) void __cdecl exit(int status);
__declspec(noreturn) void __cdecl abort(void);

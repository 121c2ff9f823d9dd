/* Rand_s, exit and abort, as Microsoft's C library declares them. */
#include <stddef.h>
#ifdef _CRT_RAND_S
int __cdecl rand_s(unsigned *bits);
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
__declspec(noreturn) void __cdecl exit(int status);
__declspec(noreturn) void __cdecl abort(void);

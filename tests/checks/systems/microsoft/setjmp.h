/* SPDX-License-Identifier: MIT */
/* The pages "setjmp" and "longjmp" of Microsoft's C runtime library reference. The first one does
   not name the function that the macro calls. */
typedef long long jmp_buf[32];
int __cdecl _setjmp(jmp_buf point);
#define setjmp(point) _setjmp(point)
__declspec(noreturn) void __cdecl longjmp(jmp_buf point, int value);

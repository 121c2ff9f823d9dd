/* Setjmp and longjmp, as Microsoft's C library declares them. */
typedef long long jmp_buf[32];
int __cdecl _setjmp(jmp_buf point);
#define setjmp(point) _setjmp(point)
__declspec(noreturn) void __cdecl longjmp(jmp_buf point, int value);

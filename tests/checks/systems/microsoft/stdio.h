/* SPDX-License-Identifier: MIT */
/* The pages "stdin, stdout, stderr", "Internal CRT Globals and Functions" (__acrt_iob_func) and
   "setvbuf" of Microsoft's C runtime library reference. The title of each other function's page
   begins with its name, such as "fputs, fputws". */
#include <stdarg.h>
#include <stddef.h>
typedef struct _iobuf FILE;
FILE *__cdecl __acrt_iob_func(unsigned number);
#define stdout __acrt_iob_func(1)
#define stderr __acrt_iob_func(2)
#define _IONBF 4
int __cdecl setvbuf(FILE *file, char *memory, int mode, size_t size);
int __cdecl printf(const char *format, ...);
int __cdecl vprintf(const char *format, va_list values);
int __cdecl fprintf(FILE *file, const char *format, ...);
int __cdecl snprintf(char *text, size_t size, const char *format, ...);
int __cdecl fputs(const char *text, FILE *file);

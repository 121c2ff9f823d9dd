/* What system_windows.c needs of Windows' headers, where they are not: its tests bring functions of their own.
   SPDX-License-Identifier: MIT */
#ifndef WINDOWS_H
#define WINDOWS_H

#include <stdint.h>

#define TRUE 1

typedef int BOOL;
typedef int errno_t;
typedef uint32_t DWORD;
typedef struct { DWORD dwLowDateTime, dwHighDateTime; } FILETIME;
typedef union { int64_t QuadPart; } LARGE_INTEGER;

BOOL QueryPerformanceCounter(LARGE_INTEGER *count);
BOOL QueryPerformanceFrequency(LARGE_INTEGER *frequency);
void Sleep(DWORD ms);
void GetSystemTimeAsFileTime(FILETIME *date);
DWORD GetCurrentThreadId(void);
errno_t rand_s(unsigned *bits);

#endif

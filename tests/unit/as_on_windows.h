/* What system_windows.c expects of a compiler for Windows and its stdlib.h, where they are not; and on either system,
   functions that are not imported, since the tests bring their own. SPDX-License-Identifier: MIT */
#ifndef AS_ON_WINDOWS_H
#define AS_ON_WINDOWS_H

#ifndef _WIN32
#define _WIN32
#define __stdcall
int rand_s(unsigned *bits);
#endif
#undef __declspec
#define __declspec(attribute)

#endif

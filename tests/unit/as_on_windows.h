/* Off Windows, it has what system_windows.c expects of a compiler for Windows and of its stdlib.h.
   On every system, it declares functions as not imported and with C's calling convention, because
   the tests define their own. SPDX-License-Identifier: MIT */
#ifndef AS_ON_WINDOWS_H
#define AS_ON_WINDOWS_H

#ifndef _WIN32
#define _WIN32
int rand_s(unsigned *bits);
#endif
#undef __declspec
#define __declspec(attribute)
#undef __stdcall
#define __stdcall

#endif

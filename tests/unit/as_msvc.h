/* Include it before a source of the library, which then takes the compiler for Microsoft's.
   MinGW has what atomic.h needs of that compiler. MinGW's own headers must not see the macro.
   SPDX-License-Identifier: MIT */
#include <intrin.h>
#include <stdbool.h>
#include <stdint.h>

#define _MSC_VER 1900

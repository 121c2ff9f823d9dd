/* Before a source: the compiler is Microsoft's. MinGW is, in what atomic.h needs; but its own headers must not be told.
   SPDX-License-Identifier: MIT */
#include <intrin.h>
#include <stdbool.h>
#include <stdint.h>

#define _MSC_VER 1900

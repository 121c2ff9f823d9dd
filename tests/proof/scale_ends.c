/* redial_scale_ reaches both ends of its range: all 2^32 of them. Compiled and run.
   SPDX-License-Identifier: MIT */
#include "../../src/internal.h"

int main(void)
{
    uint32_t most = 0;
    do
        if (redial_scale_(0, most) != 0 || redial_scale_(UINT32_MAX, most) != most)
            return 1;
    while (most++ != UINT32_MAX);
    return 0;
}

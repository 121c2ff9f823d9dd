/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <redial.h>

int main(void)
{
    return !redial_system()->now_ms || puts(redial_verdict_name(REDIAL_DONE)) < 0;
}

/* When the retries of a policy come: for --explain. SPDX-License-Identifier: MIT */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdio.h>

#include "redial.h"

/* Prints a table with a bar for each wait, and when the call gives up. */
void schedule_print(FILE *file, const struct redial_policy *policy);

#endif

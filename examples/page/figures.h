/* The figures of a run as text, the same digits that herd prints. SPDX-License-Identifier: MIT */
#ifndef FIGURES_H
#define FIGURES_H

#include "../fleet/herd_model.h"

#define FIGURES_SIZE 400u

/* Into one text, each with '|' after it: calls a client, all served after, within 8 retries, peak in 1 s, wasted calls,
   gave up; and what herd does not print: the peak as a multiple of the capacity, the share that was served, how many
   that is. */
void figures_of_run(const struct herd_setup *setup, const struct herd_result *result, char text[FIGURES_SIZE]);

/* The best that is possible: calls a client, all served after. */
void figures_of_floor(const struct herd_setup *setup, char text[FIGURES_SIZE]);

#endif

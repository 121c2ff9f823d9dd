/* The picture of schedule. SPDX-License-Identifier: MIT */
#ifndef SCHEDULE_PICTURE_H
#define SCHEDULE_PICTURE_H

#include "schedule.h"

/* Draws one panel for each. False: the file could not be written; errno says why. */
bool schedule_picture(const char *path, const struct schedule *schedules, unsigned count);

#endif

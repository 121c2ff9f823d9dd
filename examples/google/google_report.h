/* Messages about a call, for people who must find out why it failed. SPDX-License-Identifier: MIT */
#ifndef GOOGLE_REPORT_H
#define GOOGLE_REPORT_H

#include <stdio.h>

#include "google_call.h"

/* Prints one line before each wait. */
void google_report_wait(FILE *to, const struct google_call *call, const struct redial_event *event);

/* Prints verdict, last status and reason, request, attempts and time. now_s is the wall clock. */
void google_report_print(FILE *to, const struct google_call *call, const struct redial_report *report, int64_t now_s);

#endif

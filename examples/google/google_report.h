/* Messages about a call, for people who must find out why it failed. SPDX-License-Identifier: MIT */
#ifndef GOOGLE_REPORT_H
#define GOOGLE_REPORT_H

#include <stdio.h>
#include <time.h>

#include "google_call.h"

/* An env's on_wait, whose user is the call: prints one line to stderr. */
void google_report_wait(const struct redial_env *env, const struct redial_event *event);

/* Prints verdict, last status and reason, request, attempts and time. now is the wall clock. */
void google_report_print(FILE *to, const struct google_call *call, const struct redial_report *report, time_t now);

#endif

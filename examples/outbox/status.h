/* What is in the outbox, as tables for a person. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_STATUS_H
#define OUTBOX_STATUS_H

#include "db.h"

/* All jobs but those delivered, which are counted only; given-up ones first. Hosts alone are shown: a URL may hold a
   secret. False: db->error says why. */
bool status_print(struct db *db);

/* One job, and each of its attempts. */
bool status_print_job(struct db *db, int64_t id);

#endif

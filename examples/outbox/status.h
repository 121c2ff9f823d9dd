/* The jobs of the outbox as tables. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_STATUS_H
#define OUTBOX_STATUS_H

#include "db.h"

/* Prints all jobs except delivered ones, which it only counts. Jobs that were given up come first. It shows hosts only,
   because a URL may contain a secret. False: see db->error. */
bool status_print(struct db *db);

/* Prints one job and each of its attempts. */
bool status_print_job(struct db *db, int64_t id);

#endif

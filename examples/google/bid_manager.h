/* Bid Manager API v2: run a query and wait for its report. SPDX-License-Identifier: MIT */
#ifndef BID_MANAGER_H
#define BID_MANAGER_H

#include "google_call.h"

#define BID_MANAGER_ENDPOINT "https://doubleclickbidmanager.googleapis.com"

struct bid_manager {
    const char *query;       /* yours; bid_manager_id_refused checks it */
    bool looked;
    uint64_t before;         /* the newest report before we ran the query; 0: none */
    uint64_t report;         /* ours */
};

/* NULL: the id may be part of a path. Else the rule that it breaks. */
const char *bid_manager_id_refused(const char *id);

/* The call's first step. */
void bid_manager_run(struct bid_manager *task, struct google_call *call);

/* After a call that is done: the address of the report in Google Cloud Storage. The call owns it. */
const char *bid_manager_path(const struct google_call *call);

#endif

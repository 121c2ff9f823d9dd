/* Bid Manager API v2: runs a query and waits for its report. SPDX-License-Identifier: MIT

   https://developers.google.com/bid-manager/reference/rest/v2/queries/run
   https://developers.google.com/bid-manager/reference/rest/v2/queries.reports

   queries.run is a POST without a request id, and each run costs quota. So the newest report is
   noted before the POST. After a POST without a clear answer, the next attempt first looks for a
   newer report, and repeats the POST only if there is none. A report of somebody else who ran the
   same query at that moment counts as ours. A list that is one read behind hides our report: then
   the query runs twice, which shows in two reports with nearly the same time. */
#ifndef BID_MANAGER_H
#define BID_MANAGER_H

#include "google_api.h"

#define BID_MANAGER "https://doubleclickbidmanager.googleapis.com"

/* google_is_name says which query is allowed. The report's address in Google Cloud Storage; api
   owns it. NULL: api->report says why. */
const char *bid_manager_run(struct google_api *api, const char *query);

#endif

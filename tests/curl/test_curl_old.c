/* redial_curl.h as libcurl 7.61 gets it, without what came later: the method, the headers, three
   codes and CURLINFO_RETRY_AFTER. SPDX-License-Identifier: MIT */
#include <curl/curl.h>

#undef LIBCURL_VERSION_NUM
#define LIBCURL_VERSION_NUM 0x073d00
#include "transfer.h"

static const struct row rows[] = {
    { "POST, 429", POST, { { ANSWER("429", AFTER_7) } }, HTTP(429, 0) },
    { "308 to nowhere", PUT, { { ANSWER("308", "") } }, HTTP(308, 0), DONE_BY(308) },
    /* no method is known to be safe to repeat */
    { "503", GET, { { ANSWER("503", AFTER_7) } }, HTTP(503, 0), UNSURE(503) },
    { "tunnel, 503", TUNNEL, { { ANSWER("503", AFTER_7) } }, HTTP(503, 0) },
    { "nothing", GET, { { "" } }, RETRY(52), UNSURE(52) },
    /* a redirect and a round of authentication look alike */
    { "302, 429", FOLLOW, { { ANSWER("302", TO_B) }, { ANSWER("429", "") } }, HTTP(429, 0),
      UNSURE(429) },
    { "POST, 303, nothing", POST | FOLLOW, { { ANSWER("303", TO_B) }, { "" } }, RETRY(52),
      UNSURE(52) },
    { "digest, 429", POST | DIGEST, { { ANSWER("401", CHALLENGE), KEEP }, { ANSWER("429", "") } },
      HTTP(429, 0), UNSURE(429) },
};

TEST(each_end_of_a_transfer_has_its_outcome)
{
    try_rows(rows, LENGTH(rows), transfer_by_easy);
}

TEST(codes_that_an_old_libcurl_does_not_know_fail)
{
    CURL *curl = new_handle(GET, NULL);
    for (int code = 95; code < 100; code++) {
        const struct redial_outcome wanted = FAIL(code);
        expect("a later code", "redial_curl", (CURLcode)code,
               redial_curl(curl, (CURLcode)code, "GET"), wanted);
    }
    curl_easy_cleanup(curl);
}

int main(void)
{
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}

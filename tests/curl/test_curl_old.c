/* redial_curl.h as libcurl 7.66 gets it, without what came later: the method, the headers and three codes.
   SPDX-License-Identifier: MIT */
#include <curl/curl.h>

#undef LIBCURL_VERSION_NUM
#define LIBCURL_VERSION_NUM 0x074200
#include "transfer.h"

static const struct row rows[] = {
    { "200", NULL, { { ANSWER("200", ""), CLOSE } }, HTTP(200, 0), HTTP(200, 0) },
    { "404", NULL, { { ANSWER("404", ""), CLOSE } }, HTTP(404, 0), HTTP(404, 0) },
    { "POST, 429", post, { { ANSWER("429", AFTER_7), CLOSE } }, HTTP(429, 7000), HTTP(429, 7000) },
    { "a date that has passed", NULL, { { ANSWER("429", DATE AT_49_39), CLOSE } }, HTTP(429, 0), HTTP(429, 0) },
    /* no method is known to be safe to repeat */
    { "503", NULL, { { ANSWER("503", AFTER_7), CLOSE } }, HTTP(503, 7000), FAIL_AFTER(503, 7000) },
    { "PUT, 503", put, { { ANSWER("503", ""), CLOSE } }, HTTP(503, 0), FAIL(503) },
    { "nothing", NULL, { { "", CLOSE } }, RETRY(52), FAIL(52) },
    { "nobody", nobody, { { NULL, CLOSE } }, RETRY(7), UNSENT(7) },
    /* a redirect and a round of authentication look alike */
    { "308", NULL, { { ANSWER("308", TO_B), CLOSE } }, FAIL(308), FAIL(308) },
    { "302, 200", follow, { { ANSWER("302", TO_B), CLOSE }, { ANSWER("200", ""), CLOSE } }, HTTP(200, 0),
      HTTP(200, 0) },
    { "302, 429", follow, { { ANSWER("302", TO_B), CLOSE }, { ANSWER("429", ""), CLOSE } }, HTTP(429, 0), FAIL(429) },
    { "POST, 303, nothing", post_and_follow, { { ANSWER("303", TO_B), CLOSE }, { "", CLOSE } }, RETRY(52), FAIL(52) },
    { "digest, 200", post_with_digest, { { ANSWER("401", CHALLENGE), KEEP }, { ANSWER("200", ""), CLOSE } },
      HTTP(200, 0), HTTP(200, 0) },
    { "digest, 429", post_with_digest, { { ANSWER("401", CHALLENGE), KEEP }, { ANSWER("429", ""), CLOSE } },
      HTTP(429, 0), FAIL(429) },
};

TEST(each_end_of_a_transfer_has_its_outcome)
{
    try_rows(rows, LENGTH(rows), curl_easy_perform);
}

TEST(codes_that_an_old_libcurl_does_not_know_fail)
{
    CURL *curl = new_handle(NULL);
    for (int code = 95; code < 100; code++) {
        const struct row row = { "a later code", NULL, { { NULL, CLOSE } }, FAIL(code), FAIL(code) };
        expect_both(&row, curl, (CURLcode)code);
    }
    curl_easy_cleanup(curl);
}

int main(void)
{
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}

/* redial_curl.h with what other versions of libcurl say, and what no server here makes it say.
   SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include <curl/curl.h>

/* A handle tells the truth, except about some numbers and texts. */
static struct lie {
    CURLINFO about;
    long number;
    const char *text;
} lies[6];

static inline CURLcode tell(CURL *curl, CURLINFO info, void *to)
{
    CURLcode result = (curl_easy_getinfo)(curl, info, to);
    for (unsigned i = 0; i < 6; i++)
        if (info == lies[i].about && lies[i].text)
            *(const char **)to = lies[i].text;
        else if (info == lies[i].about && (info & CURLINFO_TYPEMASK) == CURLINFO_LONG)
            *(long *)to = lies[i].number;
        else if (info == lies[i].about)
            *(curl_off_t *)to = lies[i].number;
    return result;
}

static unsigned run_time_version;   /* 0: the truth */

static inline curl_version_info_data *version_of(CURLversion age)
{
    static curl_version_info_data data;
    data = *(curl_version_info)(age);
    data.version_num = run_time_version ? run_time_version : data.version_num;
    return &data;
}

static bool no_headers;   /* libcurl was built without curl_easy_header */

static inline CURLHcode header_of(CURL *curl, const char *name, size_t index, unsigned origin,
                                  int request, struct curl_header **header)
{
    return no_headers ? CURLHE_NOT_BUILT_IN
                      : (curl_easy_header)(curl, name, index, origin, request, header);
}

#undef curl_easy_header
#define curl_easy_header(curl, name, index, origin, request, header) \
    header_of(curl, name, index, origin, request, header)
#undef curl_easy_getinfo
#define curl_easy_getinfo(curl, info, to) tell(curl, info, to)
#define curl_version_info(age) version_of(age)

static long elsewhere[3];   /* where the next attempt goes */

static inline void note(CURLoption option, long value)
{
    if (option == CURLOPT_DNS_CACHE_TIMEOUT)
        elsewhere[0] = value;
    if (option == CURLOPT_FRESH_CONNECT)
        elsewhere[1] = value;
    if (option == CURLOPT_MAXLIFETIME_CONN)
        elsewhere[2] = value;
}

#undef curl_easy_setopt
#define curl_easy_setopt(curl, option, value) \
    (note(option, (long)(value)), (curl_easy_setopt)(curl, option, value))
#include "transfer.h"

/* libcurl has WebSocket only in some builds. */
enum { REFUSED = 1 << 30 };

static CURLcode transfer_refused(CURLM *multi, CURL *curl)
{
    curl_easy_perform(curl);
    return CURLE_HTTP_RETURNED_ERROR;
}

static const struct lying {
    struct lie lies[2];
    struct row row;
} wrong[] = {
    /* a refused tunnel counts only if nothing else is known */
    { { { CURLINFO_HTTP_CONNECTCODE, 503 } },
      { "a success", GET, { { NULL } }, DONE, DONE, "file:///dev/null" } },
    { { { CURLINFO_HTTP_CONNECTCODE, 503 } },
      { "no scheme", GET, { { NULL } }, HTTP(503, 0), HTTP(503, 0),
      "nosuch://a/" } },
    { { { CURLINFO_HTTP_CONNECTCODE, 503 } },
      { "a status", GET, { { CUT("404", "") } }, HTTP(404, 0), HTTP(404, 0) } },
    /* a mail may have been sent if there was a connection */
    { { { CURLINFO_LOCAL_PORT, 1 }, { CURLINFO_SCHEME, 0, "smtp" } },
      { "a mail", UPLOAD | NOBODY, { { NULL } }, RETRY(7), UNSURE(7), "smtp://127.0.0.1:%u/" } },
    { { { CURLINFO_LOCAL_PORT, -1 }, { CURLINFO_SCHEME, 0, "smtp" } },
      { "a mail", UPLOAD | NOBODY, { { NULL } }, RETRY(7), RETRY(7), "smtp://127.0.0.1:%u/" } },
    /* a status is HTTP's, or is none */
    { { { CURLINFO_HTTP_VERSION, 0 } },
      { "no version", GET, { { ANSWER("503", "") } }, DONE, DONE } },
    { { { CURLINFO_SCHEME, 0, "WS" } },
      { "ws", GET, { { ANSWER("503", "") } }, HTTP(503, 0), UNSURE(503) } },
    { { { CURLINFO_SCHEME, 0, "WS" } },
      { "ws that fails with 200", GET | REFUSED, { { ANSWER("200", "") } }, FAIL(22),
        UNSURE(22) } },
    { { { CURLINFO_SCHEME, 0, "wss" } },
      { "wss that fails with 304", GET | REFUSED, { { ANSWER("304", "") } }, FAIL(22),
        UNSURE(22) } },
    { { { CURLINFO_SCHEME, 0, "wss" } },
      { "wss that fails with 401", GET | REFUSED, { { ANSWER("401", "") } }, HTTP(401, 0) } },
    { { { CURLINFO_SCHEME, 0, "https" } },
      { "https that fails with 304", GET | REFUSED, { { ANSWER("304", "") } }, HTTP(304, 0) } },
    { { { CURLINFO_SCHEME, 0, "wss" } },
      { "wss", GET, { { ANSWER("503", "") } }, HTTP(503, 0), UNSURE(503) } },
    { { { CURLINFO_SCHEME, 0, "ftps" } },
      { "ftps", GET, { { ANSWER("503", "") } }, DONE, DONE } },
};

TEST(what_no_server_here_makes_libcurl_say_counts_as_in_the_manual)
{
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        memcpy(lies, wrong[i].lies, sizeof wrong[i].lies);
        try_rows(&wrong[i].row, 1,
                 wrong[i].row.set_up & REFUSED ? transfer_refused : transfer_by_easy);
    }
}

/* Each version lies about some of these numbers. */
static const struct numbers {
    unsigned version;
    int code;
    long request, upload, pretransfer, starttransfer, header, download;
    bool unsent;
} numbers[] = {
    { 0x081400, 7, 0, 0, 0, 0, 0, 0, true },
    { 0x081400, 7, 0, 0, 1, 0, 0, 0, false },
    { 0x081400, 55, 0, 0, 0, 0, 0, 0, false },
    { 0x081400, 56, 0, 0, 0, 0, 0, 0, true },
    { 0x0814ff, 7, 0, 0, 1, 0, 0, 0, false },
    { 0x081500, 7, 0, 0, 1, 0, 0, 0, true },
    { 0x081500, 7, 0, 0, 1, 1, 1, 1, true },
    { 0x081500, 7, 1, 0, 1, 0, 0, 0, false },
    { 0x081500, 7, 0, 1, 1, 0, 0, 0, false },
    { 0x081500, 28, 0, 0, 1, 0, 0, 0, false },
    { 0x081500, 28, 0, 0, 1, 1, 0, 0, true },
    { 0x081500, 28, 0, 0, 1, 1, 1, 0, false },
    { 0x081500, 28, 0, 0, 1, 1, 0, 1, false },
    { 0x081500, 28, 1, 0, 1, 1, 0, 0, false },
    { 0x081500, 56, 0, 0, 0, 0, 0, 0, false },
    /* the program stopped it */
    { 0x081500, 42, 0, 0, 0, 0, 0, 0, true },
    { 0x081500, 42, 0, 0, 1, 0, 0, 0, false },
    { 0x081500, 42, 0, 0, 1, 1, 0, 0, true },
    { 0x081500, 42, 0, 0, 1, 1, 1, 0, false },
    { 0x081500, 42, 1, 0, 0, 0, 0, 0, false },
};

static void lie_about(const struct numbers *row)
{
    const struct lie all[] = {
        { CURLINFO_REQUEST_SIZE, row->request }, { CURLINFO_SIZE_UPLOAD_T, row->upload },
        { CURLINFO_PRETRANSFER_TIME_T, row->pretransfer },
        { CURLINFO_STARTTRANSFER_TIME_T, row->starttransfer },
        { CURLINFO_HEADER_SIZE, row->header }, { CURLINFO_SIZE_DOWNLOAD_T, row->download },
    };
    memcpy(lies, all, sizeof lies);
    run_time_version = row->version;
}

TEST(the_numbers_of_a_transfer_say_whether_something_was_sent)
{
    CURL *curl = new_handle(POST, NULL);
    for (unsigned i = 0; i < LENGTH(numbers); i++) {
        const struct numbers *row = &numbers[i];
        struct redial_outcome wanted = RETRY(row->code);
        char what[32];
        if (row->unsent && row->code == CURLE_ABORTED_BY_CALLBACK)
            wanted.kind = REDIAL_KIND_CANCELLED;
        else
            wanted.kind = row->unsent ? REDIAL_KIND_RETRY : REDIAL_KIND_UNSURE;
        snprintf(what, sizeof what, "row %u", i);
        lie_about(row);
        expect(what, "redial_curl, POST", (CURLcode)row->code,
               redial_curl(curl, (CURLcode)row->code, "POST"), wanted);
    }
    curl_easy_cleanup(curl);
}

TEST(a_refused_tunnel_counts_by_what_this_version_says)
{
    static const struct {
        unsigned version;
        CURLcode result;
        long status, request, pretransfer;
        struct redial_outcome post, get;
    } tunnels[] = {
        /* did an earlier tunnel carry the request? */
        { 0x080700, 56, 503, 1, 0, HTTP(503, 0), HTTP(503, 0) },
        { 0x080700, 56, 503, 0, 1, UNSURE(503), HTTP(503, 0) },
        { 0x080800, 56, 302, 1, 0, UNSURE(302), FAIL(302) },
        { 0x080800, 56, 503, 0, 1, HTTP(503, 0), HTTP(503, 0) },
        /* was a second CONNECT, with credentials, cut? */
        { 0x080800, 28, 407, 1, 0, UNSURE(28), RETRY(28) },
        { 0x0815ff, 56, 407, 0, 0, HTTP(407, 0), HTTP(407, 0) },
        { 0x081600, 56, 407, 0, 0, UNSURE(56), RETRY(56) },
        { 0x081600, 56, 408, 0, 0, HTTP(408, 0), HTTP(408, 0) },
        { 0x081600, 7, 407, 0, 0, HTTP(407, 0), HTTP(407, 0) },
    };
    CURL *curl = new_handle(POST, NULL);
    for (size_t i = 0; i < LENGTH(tunnels); i++) {
        CURLcode result = tunnels[i].result;
        run_time_version = tunnels[i].version;
        lies[0] = (struct lie){ CURLINFO_REQUEST_SIZE, tunnels[i].request };
        lies[1] = (struct lie){ CURLINFO_PRETRANSFER_TIME_T, tunnels[i].pretransfer };
        lies[2] = (struct lie){ CURLINFO_HTTP_CONNECTCODE, tunnels[i].status };
        expect("a tunnel", "redial_curl, POST", result, redial_curl(curl, result, "POST"),
               tunnels[i].post);
        expect("a tunnel", "redial_curl", result, redial_curl(curl, result, "GET"),
               tunnels[i].get);
    }
    curl_easy_cleanup(curl);
}

TEST(a_libcurl_without_headers_counts_redirects_and_reads_retry_after_itself)
{
    static const struct row without[] = {
        { "429", GET, { { ANSWER("429", AFTER_7) } }, HTTP(429, 7000) },
        { "POST, 303, 503", POST | FOLLOW, { { ANSWER("303", TO_B) }, { ANSWER("503", "") } },
          HTTP(503, 0), UNSURE(503) },
    };
    no_headers = true;
    try_rows(without, LENGTH(without), transfer_by_easy);
}

TEST(the_next_attempt_goes_elsewhere_if_this_one_found_nobody)
{
    static const struct {
        unsigned version;
        int code;
        long request, connects, header;
        long elsewhere[3];   /* CURLOPT_DNS_CACHE_TIMEOUT, FRESH_CONNECT, MAXLIFETIME_CONN */
    } ends[] = {
        { 0x081500, 0, 0, 0, 0, { 60, 0, 0 } }, { 0x081500, 5, 0, 0, 0, { 0, 0, 0 } },
        { 0x081500, 6, 0, 0, 0, { 0, 0, 0 } }, { 0x081500, 7, 0, 0, 0, { 0, 0, 0 } },
        { 0x081500, 7, 1, 0, 0, { 0, 0, 0 } }, { 0x081500, 35, 0, 1, 0, { 0, 0, 0 } },
        { 0x081500, 96, 0, 0, 0, { 0, 0, 0 } }, { 0x081500, 97, 0, 0, 0, { 0, 0, 0 } },
        { 0x081500, 56, 0, 0, 0, { 60, 0, 0 } }, { 0x081500, 56, 1, 0, 0, { 60, 0, 0 } },
        { 0x081500, 28, 0, 0, 0, { 0, 0, 0 } }, { 0x081500, 28, 0, 1, 0, { 0, 0, 0 } },
        { 0x081500, 28, 1, 1, 0, { 60, 0, 0 } }, { 0x081500, 28, 1, 0, 0, { 60, 1, 1 } },
        { 0x081500, 42, 1, 0, 0, { 60, 0, 0 } }, { 0x0815ff, 0, 1, 0, 0, { 60, 0, 0 } },
        /* before the attempt, too, a request on a kept connection had no answer */
        { 0x081600, 0, 1, 0, 0, { 60, 0, 1 } }, { 0x081600, 0, 0, 0, 0, { 60, 0, 0 } },
        { 0x081600, 0, 1, 1, 0, { 60, 0, 0 } }, { 0x081600, 0, 1, 0, 1, { 60, 0, 0 } },
    };
    CURL *curl = new_handle(GET, NULL);
    for (size_t i = 0; i < LENGTH(ends); i++) {
        struct redial_curl_attempt attempt;
        poison(elsewhere, sizeof elsewhere);
        lies[0] = (struct lie){ CURLINFO_REQUEST_SIZE, ends[i].request };
        lies[1] = (struct lie){ CURLINFO_NUM_CONNECTS, ends[i].connects };
        lies[2] = (struct lie){ CURLINFO_HEADER_SIZE, ends[i].header };
        run_time_version = ends[i].version;
        assert_true(redial_curl_begin(&attempt, curl, 1, i & 1 ? "POST" : "GET"));
        redial_curl_end(&attempt, (CURLcode)ends[i].code);
        if (memcmp(elsewhere, ends[i].elsewhere, sizeof elsewhere) != 0)
            fail_msg("row %u: %ld %ld %ld", (unsigned)i, elsewhere[0], elsewhere[1], elsewhere[2]);
    }
    curl_easy_cleanup(curl);
}

static int tell_the_truth(void **state)
{
    memset(lies, 0, sizeof lies);
    run_time_version = 0;
    no_headers = false;
    return 0;
}

int main(void)
{
    return run_all_with(tell_the_truth, NULL, start_libcurl, stop_libcurl);
}

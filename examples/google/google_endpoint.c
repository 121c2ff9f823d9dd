/* Which servers a token may be sent to. SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <string.h>
#include <curl/curl.h>

#include "google_endpoint.h"

static bool part_is(CURLU *url, CURLUPart part, const char *wanted)
{
    char *text = NULL;
    bool is = curl_url_get(url, part, &text, 0) == CURLUE_OK && strcmp(text, wanted) == 0;
    curl_free(text);
    return is;
}

static bool has_part(CURLU *url, CURLUPart part)
{
    char *text = NULL;
    bool has = curl_url_get(url, part, &text, 0) == CURLUE_OK;
    curl_free(text);
    return has;
}

static bool on_this_machine(CURLU *url)
{
    return part_is(url, CURLUPART_HOST, "127.0.0.1") || part_is(url, CURLUPART_HOST, "[::1]")
           || part_is(url, CURLUPART_HOST, "localhost");
}

static const char parts[] = "must be scheme, host and port only, such as https://redis.googleapis.com";

static const char *refused(CURLU *url)
{
    if (has_part(url, CURLUPART_USER) || has_part(url, CURLUPART_PASSWORD) || !part_is(url, CURLUPART_PATH, "/"))
        return parts;
    if (!part_is(url, CURLUPART_SCHEME, "https") && !(part_is(url, CURLUPART_SCHEME, "http") && on_this_machine(url)))
        return "must be https, because a token is sent to it; http is for this machine only";
    return NULL;
}

const char *google_endpoint_refused(const char *text)
{
    const char *rule = parts;
    CURLU *url = curl_url();
    if (url && text[strcspn(text, " \\?#")] == '\0' && text[0] && text[strlen(text) - 1] != '/'
        && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK)
        rule = refused(url);
    curl_url_cleanup(url);
    return rule;
}

const char *google_token_refused(const char *token)
{
    size_t i;
    if (!token || !token[0])
        return "must be set";
    for (i = 0; token[i]; i++)   /* a line end would end the header field and begin another one */
        if (token[i] <= ' ' || token[i] >= 0x7f)
            return "must be one word of ASCII";
    return NULL;
}

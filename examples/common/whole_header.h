/* Was the header of an HTTP answer whole? libcurl says CURLE_OK if a connection ends within it, and
   some versions if only an interim answer came. SPDX-License-Identifier: MIT

       bool whole = false;
       curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, whole_header_line);
       curl_easy_setopt(curl, CURLOPT_HEADERDATA, &whole);

       result = whole_header_check(&whole, curl, curl_easy_perform(curl));
       outcome = redial_curl(curl, result, method); */
#ifndef WHOLE_HEADER_H
#define WHOLE_HEADER_H

#include <stdbool.h>

#include <curl/curl.h>

/* The header callback, which libcurl calls for each line. whole is a bool. */
size_t whole_header_line(char *line, size_t size, size_t count, void *whole);

/* The question after each transfer. It returns result, but CURLE_PARTIAL_FILE in place of CURLE_OK
   if the header of the last answer was cut short. *whole is false again for the next transfer. */
CURLcode whole_header_check(bool *whole, CURL *curl, CURLcode result);

#endif

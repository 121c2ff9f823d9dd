/* Included before an example: an attempt that it begins and does not end is a failure at its end.
   SPDX-License-Identifier: MIT */
#include "../../examples/common/stdout.h"
#include "redial_curl.h"

static int under_way;

#define redial_curl_begin(...) (under_way++, redial_curl_begin(__VA_ARGS__))
#define redial_curl_end(...) (under_way--, redial_curl_end(__VA_ARGS__))
#define stdout_end(name, status) (under_way == 0 ? stdout_end(name, status) : (abort(), 0))

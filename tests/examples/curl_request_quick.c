/* curl_request for its test: waits are over at once. SPDX-License-Identifier: MIT */
#include "../common/quick_system.h"

#define redial_system quick_system
#include "../../examples/curl/curl_request.c"

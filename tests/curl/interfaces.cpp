// redial_curl.h in C++, for the tests in C. SPDX-License-Identifier: MIT
extern "C" {   // as a program may do: the functions must not become those of C
#include "interfaces.h"
}

struct redial_outcome attempt_by_easy_in_cpp(CURLM *multi, CURL *curl, uint32_t timeout_ms,
                                             const char *method)
{
    return attempt_by_easy(multi, curl, timeout_ms, method);
}

/* The http_get of a program whose attempts end a hundred times as early. Compile the program with
   -Dhttp_get=quick_get. SPDX-License-Identifier: MIT */
#include "../../examples/common/http_client.h"

struct http_result quick_get(const struct http_url *url, uint32_t timeout_ms,
                             const volatile sig_atomic_t *stop, char *text, size_t size);

struct http_result quick_get(const struct http_url *url, uint32_t timeout_ms,
                             const volatile sig_atomic_t *stop, char *text, size_t size)
{
    return http_get(url, timeout_ms / 100, stop, text, size);
}

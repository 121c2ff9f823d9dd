/* Implements hung_resolver.h. SPDX-License-Identifier: MIT */
#include <netdb.h>
#include <stdio.h>
#include <unistd.h>

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    (void)name, (void)service, (void)hints, (void)found;
    fputs("the name server hangs\n", stderr);
    sleep(20);
    return EAI_AGAIN;
}

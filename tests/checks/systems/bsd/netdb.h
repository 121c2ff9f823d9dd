/* SPDX-License-Identifier: MIT */
/* getaddrinfo(3) of FreeBSD: without netinet/in.h, which has struct sockaddr_in. */
#pragma GCC system_header
#include <stdint.h>
#include <sys/socket.h>
#ifdef _NETINET_IN_H   /* of musl, whose netdb.h includes it */
#include_next <netdb.h>
#else
#define _NETINET_IN_H
#include_next <netdb.h>
#undef _NETINET_IN_H
#endif

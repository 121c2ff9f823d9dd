/* SPDX-License-Identifier: MIT */
/* byteorder(3) and inet(3) of FreeBSD: without netinet/in.h, which has struct sockaddr_in. */
#include <stdint.h>
#include <sys/socket.h>
uint32_t htonl(uint32_t number);
uint16_t htons(uint16_t number);
uint32_t ntohl(uint32_t number);
uint16_t ntohs(uint16_t number);
int inet_pton(int family, const char *text, void *address);
const char *inet_ntop(int family, const void *address, char *text, socklen_t size);

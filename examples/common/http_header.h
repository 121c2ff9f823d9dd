/* The header of an HTTP/1 answer, for a program that reads from a socket of its own.
   SPDX-License-Identifier: MIT */
#ifndef HTTP_HEADER_H
#define HTTP_HEADER_H

#include "redial.h"

/* text: what has come. Returns the beginning of the final header, after interim ones (1xx), which
   say nothing about the end. NULL: it is not whole yet. */
const char *http_header_whole(const char *text);

/* The outcome of a GET by its whole header: redial_http, or redial_fail(-EPROTO) if this is not
   HTTP/1. */
struct redial_outcome http_header_outcome(const char *header);

/* Copies the value of a field of a whole header. Returns value; "": there is none. */
const char *http_header_field(const char *header, const char *name, char value[64]);

#endif

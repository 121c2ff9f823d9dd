/* Which servers a token may be sent to. SPDX-License-Identifier: MIT */
#ifndef GOOGLE_ENDPOINT_H
#define GOOGLE_ENDPOINT_H

/* NULL: it may be sent there. Else the rule that the URL breaks. */
const char *google_endpoint_refused(const char *url);

/* NULL: this token can be sent. Else the rule that it breaks; the token itself is not part of that text. */
const char *google_token_refused(const char *token);

#endif

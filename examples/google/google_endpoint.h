/* Which servers a token may be sent to. SPDX-License-Identifier: MIT */
#ifndef GOOGLE_ENDPOINT_H
#define GOOGLE_ENDPOINT_H

/* NULL: a token may be sent to this URL. Else the rule that the URL breaks. */
const char *google_endpoint_refused(const char *url);

/* NULL: this token can be sent. Else the rule that it breaks; the text does not contain the token. */
const char *google_token_refused(const char *token);

#endif

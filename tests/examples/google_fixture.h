/* For the tests of examples/google: what the APIs answer. SPDX-License-Identifier: MIT */
#ifndef GOOGLE_FIXTURE_H
#define GOOGLE_FIXTURE_H

#include "../common/server.h"
#include "../unit/support.h"

#define TOKEN "ya29.a-token-that-nobody-may-see"
#define ESCAPED "\\u0079a29.a-token-that-nobody-may\\u002dsee"

/* A Retry-After may follow the reason phrase, after CRLF. */
#define ANSWER(status, body) "HTTP/1.1 " status "\r\nConnection: close\r\n\r\n" body
#define OK(body) ANSWER("200 OK", body)
#define NO_ANSWER ""

#define ERROR(line, code, status)                                                                  \
    ANSWER(line, "{\"error\": {\"code\": " code ", \"message\": \"It says why.\", "                \
                 "\"status\": \"" status "\"}}")
#define UNAVAILABLE ERROR("503 Service Unavailable", "503", "UNAVAILABLE")
#define TOO_MANY ERROR("429 Too Many Requests", "429", "RESOURCE_EXHAUSTED")
#define NOT_FOUND ERROR("404 Not Found", "404", "NOT_FOUND")
#define ALREADY_EXISTS ERROR("409 Conflict", "409", "ALREADY_EXISTS")

#define OPERATION_NAME "projects/shop/locations/x/operations/operation-17"
#define OPERATION                                                                                  \
    "{\"name\": \"" OPERATION_NAME "\", \"metadata\": {\"verb\": \"create\"}, \"done\": false}"
#define OPERATION_DONE                                                                             \
    "{\"name\": \"" OPERATION_NAME "\", \"done\": true, \"error\": null, \"response\": "           \
    "{\"name\": \"cart\", \"state\": \"READY\"}}"

#endif

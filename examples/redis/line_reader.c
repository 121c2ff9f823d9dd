/* Lines of a file descriptor. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "line_reader.h"

const char *line_reader_first(const struct line_reader *reader, size_t *length)
{
    const char *end = memchr(reader->buffer, '\n', reader->used);
    *length = end ? (size_t)(end - reader->buffer) : reader->used;
    return end || (reader->ended && reader->used > 0) ? reader->buffer : NULL;
}

void line_reader_drop(struct line_reader *reader)
{
    size_t length;
    if (!line_reader_first(reader, &length))
        return;
    length += length < reader->used;    /* the newline */
    reader->used -= length;
    memmove(reader->buffer, reader->buffer + length, reader->used);
}

bool line_reader_fill(struct line_reader *reader)
{
    ssize_t got;
    if (reader->used == sizeof reader->buffer) {
        errno = EMSGSIZE;
        return false;
    }
    got = read(reader->fd, reader->buffer + reader->used, sizeof reader->buffer - reader->used);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    reader->used += (size_t)got;
    reader->ended = got == 0;
    return true;
}

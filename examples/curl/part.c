/* SPDX-License-Identifier: MIT */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#define _FILE_OFFSET_BITS 64   /* files of more than 2 GB on a system of 32 bits */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "part.h"

/* ---- FILE.part.version: a line with the version, and one with the URL ---- */

/* It counts only if it was written to its end, and for the same URL. */
static void read_version(struct part *part)
{
    char text[10000];
    FILE *in = fopen(part->version_name, "r");
    size_t length = in ? fread(text, 1, sizeof text - 1, in) : 0, url = strlen(part->url);
    char *end = memchr(text, '\n', length);
    if (in)
        fclose(in);
    text[length] = '\0';
    if (!end || (size_t)(end - text) >= sizeof part->version
        || strncmp(end + 1, part->url, url) != 0 || strcmp(end + 1 + url, "\n") != 0)
        return;
    *end = '\0';
    strcpy(part->version, text);
}

/* A URL may hold a password: nobody else can read the file. */
static bool write_version(const struct part *part)
{
    int fd = open(part->version_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    bool written = out && fprintf(out, "%s\n%s\n", part->version, part->url) > 0;
    return out && fclose(out) == 0 && written;
}

/* ---- FILE.part ---- */

/* Between open and here, another process may have finished it: then it has another name. */
static bool lock_part(const struct part *part)
{
    struct stat ours, named;
    if (flock(part->fd, LOCK_EX | LOCK_NB) == 0 && fstat(part->fd, &ours) == 0
        && stat(part->name, &named) == 0 && ours.st_ino == named.st_ino)
        return true;
    errno = EBUSY;
    return false;
}

bool part_open(struct part *part, const char *file, const char *url)
{
    int length = snprintf(part->name, PART_NAME_MAX, "%s.part", file);
    int longer = snprintf(part->version_name, PART_NAME_MAX, "%s.part.version", file);
    part->file = file;
    part->url = url;
    part->version[0] = '\0';
    errno = ENAMETOOLONG;
    part->fd = length < longer && longer < PART_NAME_MAX
                   ? open(part->name, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (part->fd < 0)
        return false;
    if (!lock_part(part)) {
        close(part->fd);
        part->fd = -1;
        return false;
    }
    part->size = lseek(part->fd, 0, SEEK_END);
    read_version(part);
    return true;
}

/* The old version is forgotten first, and the new one is known before the first byte comes. */
bool part_begin(struct part *part, const char *version)
{
    if (strlen(version) >= sizeof part->version)
        version = "";
    part->version[0] = '\0';
    if ((unlink(part->version_name) != 0 && errno != ENOENT) || ftruncate(part->fd, 0) != 0
        || lseek(part->fd, 0, SEEK_SET) != 0)
        return false;
    part->size = 0;
    strcpy(part->version, version);
    return !version[0] || write_version(part);
}

bool part_append(struct part *part, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t written = write(part->fd, data, length);
        if (written < 0)
            return false;
        part->size += written;
        data += written;
        length -= (size_t)written;
    }
    return true;
}

/* Some errors of a disk or a network come only at fsync. */
bool part_finish(struct part *part)
{
    if (fsync(part->fd) != 0 || rename(part->name, part->file) != 0)
        return false;
    unlink(part->version_name);
    close(part->fd);
    part->fd = -1;
    return true;
}

void part_close(struct part *part)
{
    if (part->fd < 0)
        return;
    if (part->size == 0) {
        unlink(part->name);
        unlink(part->version_name);
    }
    close(part->fd);
}

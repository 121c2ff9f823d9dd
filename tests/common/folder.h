/* A folder for the files of a test, and what is in them. SPDX-License-Identifier: MIT */
#ifndef FOLDER_H
#define FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static char folder[] = "/tmp/redial-XXXXXX";   /* TMPDIR may be gone */

/* A setup and a teardown. */
static inline int folder_enter(void **state)
{
    strcpy(strrchr(folder, '-'), "-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int folder_leave(void **state)
{
    DIR *files = opendir(".");
    struct dirent *file;
    while (files && (file = readdir(files)) != NULL)
        remove(file->d_name);
    return files && closedir(files) == 0 && chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static inline void file_write(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");
    assert_true(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

/* In memory that the next call uses again. NULL: there is no such file. */
static inline const char *file_read(const char *name)
{
    static char bytes[1 << 20];
    FILE *file = fopen(name, "rb");
    size_t count = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    bytes[count] = '\0';
    if (file)
        fclose(file);
    return file ? bytes : NULL;
}

/* NULL: there is no such file. A macro, so that a failure shows the line of the test. */
#define assert_file(name, text) do { \
    const char *found_ = file_read(name), *text_ = (text); \
    if (text_ ? !found_ || strcmp(found_, text_) != 0 : found_ != NULL) \
        fail_msg("%s has \"%s\", not \"%s\"", name, found_ ? found_ : "(no file)", \
                 text_ ? text_ : "(no file)"); \
} while (0)

#endif

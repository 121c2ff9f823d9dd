/* Runs a fuzz target on the inputs that are named, without libFuzzer.
   SPDX-License-Identifier: MIT */
#include "fuzz.h"

#define LONGEST 65536

static bool replay(const char *path)
{
    static uint8_t data[LONGEST];
    FILE *file = fopen(path, "rb");
    size_t size;
    if (!file) {
        perror(path);
        return false;
    }
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    fprintf(stderr, "%s\n", path);   /* the last one printed is the one that fails */
    return LLVMFuzzerTestOneInput(data, size) == 0;
}

int main(int count, char **paths)
{
    int i;
    for (i = 1; i < count; i++)
        if (!replay(paths[i]))
            return 1;
    printf("%d passed, 0 failed\n", count - 1);
    return count > 1 ? 0 : 1;
}

/* Loads the given plugins with RTLD_GLOBAL, and prints what each returns. SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++) {
        const char *(*says)(void);
        void *plugin = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
        void *symbol = plugin ? dlsym(plugin, "plugin_says") : NULL;
        if (!symbol) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        memcpy(&says, &symbol, sizeof says);
        printf("%s ", says());
    }
    return 0;
}

/* Implements options.h. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "redial.h"
#include "refuse.h"
#include "times.h"

_Noreturn void options_printed(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        fail("write to standard output");
    exit(EXIT_SUCCESS);
}

/* ---- the help ---- */

static bool is_time(const struct option *option)
{
    return strcmp(option->value, "TIME") == 0;
}

static void print_default(const struct option *option)
{
    if (!option->number || !option->value)
        return;
    if (is_time(option))
        printf(" [%s]", times_text(*option->number).text);
    else if (option->unlimited && *option->number == REDIAL_NO_LIMIT)
        printf(" [unlimited]");
    else
        printf(" [%lu]", (unsigned long)*option->number);
}

static _Noreturn void help(const char *about, const struct option *option)
{
    printf("%s\nOptions, with their [defaults]:\n", about);
    for (; option->name; option++) {
        int wide = printf("  --%s %s", option->name, option->value ? option->value : "");
        printf("%*s%s", wide < 24 ? 24 - wide : 1, "", option->text);
        print_default(option);
        printf("\n");
    }
    printf("Times are in seconds, or have the unit " TIMES_UNITS ": 90, 250ms, 1.5m.\n");
    options_printed();
}

/* ---- reading ---- */

static _Noreturn void refuse_value(const struct option *option, const char *value)
{
    char what[128], rule[128];
    snprintf(what, sizeof what, "--%s %s", option->name, value);
    if (is_time(option))
        snprintf(rule, sizeof rule,
                 "must be a time from %s to %s, in seconds or with the unit " TIMES_UNITS,
                 times_text(option->least).text, times_text(option->most).text);
    else
        snprintf(rule, sizeof rule, "must be a whole number from %lu to %lu%s",
                 (unsigned long)option->least, (unsigned long)option->most,
                 option->unlimited ? ", or unlimited" : "");
    refuse(what, rule);
}

static bool read_whole(const char *text, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789");
    *number = strtoull(text, NULL, 10);
    return digits > 0 && digits <= 10 && !text[digits];
}

static void read_number(const struct option *option, const char *value)
{
    uint64_t number;
    bool valid = is_time(option) ? times_read(value, &number) : read_whole(value, &number);
    if (option->unlimited && strcmp(value, "unlimited") == 0)
        *option->number = REDIAL_NO_LIMIT;
    else if (valid && number >= option->least && number <= option->most)
        *option->number = (uint32_t)number;
    else
        refuse_value(option, value);
}

static void set(const struct option *option, const char *value)
{
    if (option->given)
        *option->given = value;
    if (option->number)
        read_number(option, value);
}

/* The option --NAME or --NAME=value. What is refused is not shown beyond its name, because it may
   be a token. */
static const struct option *find(const struct option *option, char *given)
{
    size_t length = strncmp(given, "--", 2) == 0 ? strcspn(given, "=") : 2;
    for (; option->name; option++)
        if (strlen(option->name) == length - 2 && memcmp(option->name, given + 2, length - 2) == 0)
            return option;
    given[length] = '\0';
    refuse(given, "no such option; --help lists them");
}

int options_read(int argc, char **argv, const char *about, const struct option *options)
{
    int i;
    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] && strcmp(argv[i], "--") != 0; i++) {
        const struct option *option;
        char *value;
        if (strcmp(argv[i], "--help") == 0)
            help(about, options);
        option = find(options, argv[i]);
        value = strchr(argv[i], '=');
        if (value)
            *value++ = '\0';
        if (!option->value && value)
            refuse(argv[i], "takes no value");
        if (!option->value)
            *option->number = 1;
        else if (!value && i + 1 == argc)
            refuse(argv[i], "a value must follow");
        else
            set(option, value ? value : argv[++i]);
    }
    return i;
}

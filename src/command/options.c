/* Long options from a table. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#define DIGITS "0123456789"
#define HOUR_MS 3600000u
#define DAY_MS (24 * HOUR_MS)

static const char *program = "";

_Noreturn void options_refuse(const char *what, const char *rule)
{
    fprintf(stderr, "%s: %s: %s\n", program, what, rule);
    exit(2);
}

_Noreturn void options_printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        exit(EXIT_SUCCESS);
    fprintf(stderr, "%s: can't write to standard output: %s\n", program, strerror(errno));
    exit(EXIT_FAILURE);
}

/* ---- times ---- */

static const struct unit { const char *name; uint32_t ms; } units[] = {
    { "d", DAY_MS }, { "h", HOUR_MS }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 }, { "", 1000 }
};

/* How many milliseconds the number of an option counts. 0: it is not a time. */
static uint32_t counts_ms(const struct option *option)
{
    if (strcmp(option->value, "TIME") == 0)
        return 1;
    return strcmp(option->value, "SECONDS") == 0 ? 1000 : 0;
}

/* The greatest times are shown in whole hours. */
struct option_time options_time(uint64_t ms)
{
    struct option_time out = { "0" };
    const struct unit *unit = units;
    while (ms % unit->ms && (unit->ms > HOUR_MS || ms < 20 * (uint64_t)DAY_MS))
        unit++;
    if (ms)
        snprintf(out.text, sizeof out.text, "%lu%s", (unsigned long)(ms / unit->ms), unit->name);
    return out;
}

/* Rounds up, so that a short time does not become 0, which may mean "never". */
static int parse_time(const char *text, uint64_t *ms)
{
    size_t digits = strspn(text, DIGITS), i;
    const char *rest = text + digits, *decimals = rest + (*rest == '.');
    size_t more = rest == decimals ? 0 : strspn(decimals, DIGITS);
    uint64_t part = 0, parts = 1;
    for (i = 0; i < more && i < 9; i++, parts *= 10)
        part = part * 10 + (uint64_t)(decimals[i] - '0');
    for (i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(decimals + more, units[i].name) == 0 && digits + more > 0 && digits <= 10) {
            *ms = (digits ? strtoull(text, NULL, 10) : 0) * units[i].ms
                + (part * units[i].ms + parts - 1) / parts;
            return 1;
        }
    return 0;
}

/* ---- the allowed values as text, for the help and for error messages ---- */

static void add(char *out, size_t size, const char *text)
{
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s", text);
}

static void range_of(const struct option *option, char *out, size_t size)
{
    uint32_t ms = counts_ms(option);
    if (ms)
        snprintf(out, size, "a time from %s to %s, in %sseconds or with the unit ms, s, m, h or d",
                 options_time((uint64_t)option->least * ms).text,
                 options_time((uint64_t)option->most * ms).text, ms == 1 ? "" : "whole ");
    else
        snprintf(out, size, "a whole number from %lu to %lu", (unsigned long)option->least,
                 (unsigned long)option->most);
}

static void rule_of(const struct option *option, char *out, size_t size)
{
    const struct option_word *word = option->words;
    const char *between = "";
    out[0] = '\0';
    if (option->least <= option->most) {
        range_of(option, out, size);
        between = word ? ", or " : "";
    }
    for (; word && word->word; word++) {
        add(out, size, between);
        add(out, size, word->word);
        between = word[1].word && word[2].word ? ", " : " or ";
    }
}

static void print_default(const struct option *option)
{
    const struct option_word *word;
    if (!option->number || !option->value)
        return;
    for (word = option->words; word && word->word; word++)
        if (word->value == *option->number) {
            printf(" [%s]", word->word);
            return;
        }
    if (counts_ms(option))
        printf(" [%s]", options_time((uint64_t)*option->number * counts_ms(option)).text);
    else
        printf(" [%lu]", (unsigned long)*option->number);
}

static _Noreturn void help(const char *about, const struct option *option)
{
    int times = 0;
    printf("%s\n", about);
    if (option->name)
        printf("Options, with their [defaults]:\n");
    for (; option->name; option++) {
        int wide = printf("  --%s %s", option->name, option->value ? option->value : "");
        printf("%*s%s", wide < 24 ? 24 - wide : 1, "", option->text);
        print_default(option);
        printf("\n");
        times += option->value && counts_ms(option) != 0;
    }
    if (times)
        printf("Times are in seconds, or have the unit ms, s, m, h or d: 90, 250ms, 1.5m.\n");
    options_printed();
}

/* ---- reading ---- */

static int read_number(const struct option *option, const char *value)
{
    uint64_t number = 0;
    uint32_t ms = counts_ms(option);
    size_t digits = strspn(value, DIGITS);
    if (ms && (!parse_time(value, &number) || number % ms))
        return 0;
    if (!ms && (digits == 0 || digits > 10 || value[digits]))
        return 0;
    number = ms ? number / ms : strtoull(value, NULL, 10);
    if (number < option->least || number > option->most)
        return 0;
    *option->number = (uint32_t)number;
    return 1;
}

static int read_word(const struct option *option, const char *value)
{
    const struct option_word *word;
    for (word = option->words; word && word->word; word++)
        if (strcmp(word->word, value) == 0) {
            *option->number = word->value;
            return 1;
        }
    return 0;
}

static void set(const struct option *option, const char *value)
{
    char what[128], allowed[160], rule[192];
    if (option->string)
        *option->string = value;
    if (!option->number || read_word(option, value) || read_number(option, value))
        return;
    snprintf(what, sizeof what, "--%s %s", option->name, value);
    rule_of(option, allowed, sizeof allowed);
    snprintf(rule, sizeof rule, "must be %s", allowed);
    options_refuse(what, rule);
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
    options_refuse(given, "no such option; --help lists them");
}

int options_read(int argc, char **argv, const char *about, const struct option *options)
{
    int i;
    program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
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
            options_refuse(argv[i], "takes no value");
        if (!option->value)
            *option->number = 1;
        else if (!value && i + 1 == argc)
            options_refuse(argv[i], "a value must follow");
        else
            set(option, value ? value : argv[++i]);
    }
    return i;
}

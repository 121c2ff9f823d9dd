/* Long options from a table. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static const char *program = "";

_Noreturn void options_refuse(const char *what, const char *rule)
{
    fprintf(stderr, "%s: %s: %s\n", program, what, rule);
    exit(2);
}

/* ---- the allowed values as text, for the help and for error messages ---- */

static void add(char *out, size_t size, const char *text)
{
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s", text);
}

static void rule_of(const struct option *option, char *out, size_t size)
{
    const struct option_word *word = option->words;
    const char *between = "";
    out[0] = '\0';
    if (option->least <= option->most) {
        snprintf(out, size, "a whole number from %lu to %lu", (unsigned long)option->least,
                 (unsigned long)option->most);
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
    printf(" [%lu]", (unsigned long)*option->number);
}

static void help(const char *about, const struct option *option)
{
    printf("%s\n", about);
    if (option->name)
        printf("Options, with their [defaults]:\n");
    for (; option->name; option++) {
        int wide = printf("  --%s %s", option->name, option->value ? option->value : "");
        printf("%*s%s", wide < 24 ? 24 - wide : 1, "", option->text);
        print_default(option);
        printf("\n");
    }
    exit(0);
}

/* ---- reading ---- */

static int read_number(const struct option *option, const char *value)
{
    uint64_t number = 0;
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 10 || value[digits])
        return 0;
    while (*value)
        number = number * 10 + (uint64_t)(*value++ - '0');
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
    if (!option->number) {
        *option->string = value;
        return;
    }
    if (read_word(option, value) || read_number(option, value))
        return;
    snprintf(what, sizeof what, "--%s %s", option->name, value);
    rule_of(option, allowed, sizeof allowed);
    snprintf(rule, sizeof rule, "must be %s", allowed);
    options_refuse(what, rule);
}

static const struct option *find(const struct option *option, const char *name, size_t length)
{
    for (; option->name; option++)
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

static void read_flag(const struct option *option, const char *given)
{
    if (strchr(given, '='))
        options_refuse(given, "takes no value");
    *option->number = 1;
}

void options_read(int argc, char **argv, const char *about, const struct option *options)
{
    int i;
    program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    for (i = 1; i < argc; i++) {
        const char *name = argv[i] + 2;
        size_t length = strncmp(argv[i], "--", 2) == 0 ? strcspn(name, "=") : 0;
        const struct option *option = length ? find(options, name, length) : NULL;
        if (strcmp(argv[i], "--help") == 0)
            help(about, options);
        if (!option) {
            argv[i][strcspn(argv[i], "=")] = '\0';   /* its value may be secret */
            options_refuse(argv[i], "no such option; --help lists them");
        }
        if (!option->value)
            read_flag(option, argv[i]);
        else if (name[length] != '=' && i + 1 == argc)
            options_refuse(argv[i], "a value must follow");
        else
            set(option, name[length] == '=' ? name + length + 1 : argv[++i]);
    }
}

/* ---- options that several programs share ---- */

const struct option_word options_modes[] = { OPTION_MODES, { NULL, 0 } };
const struct option_word options_unlimited[] = { { "unlimited", REDIAL_NO_LIMIT }, { NULL, 0 } };

void options_set_mode(struct redial_policy *policy, uint32_t mode)
{
    enum redial_policy_error error;
    char what[96];
    policy->jitter = (enum redial_jitter)mode;
    error = redial_policy_check(policy);
    snprintf(what, sizeof what, "--base %lu --cap %lu --jitter %lu", (unsigned long)policy->base_ms,
             (unsigned long)policy->cap_ms, (unsigned long)policy->jitter_ms);
    if (error != REDIAL_POLICY_OK)
        options_refuse(what, redial_policy_error_text(error));
}

/* Simulates a fleet of clients and a server in each jitter mode, with redial_begin and redial_next.
   SPDX-License-Identifier: MIT

       fleet                                         1,000 clients; the server needs 100 s
       fleet --clients 100000 --retry-after 60       everybody gets the same Retry-After
       fleet --clients 10000 --capacity 200 --outage 60 --horizon 260 --svg >fleet.svg
       fleet --help                                  all options

   fleet.h describes the model exactly. The same seed gives the same table on every machine. */
#include <stdlib.h>
#include <string.h>

#include "../common/stdout.h"
#include "fleet.h"

static struct fleet_setup setup = { .policy = REDIAL_POLICY_DEFAULT, .clients = 1000,
                                    .burst_ms = 1000, .horizon_ms = 3600000, .seed = 1 };

/* ---- options ---- */

static const struct option {
    const char *name, *about;
    uint32_t *value;
    uint32_t scale, least, most;        /* of the value, which is the option's text times scale */
} options[] = {
    { "clients", "clients, which all call at 0 s", &setup.clients, 1, 1, 10000000 },
    { "capacity", "requests a second that the server takes; 0: clients/100", &setup.capacity, 1, 0,
      1000000000 },
    { "burst", "it saves up unused capacity for so long", &setup.burst_ms, 1000, 0, FLEET_MOST_MS },
    { "outage", "nothing answers for so long", &setup.outage_ms, 1000, 0, FLEET_MOST_MS },
    { "retry-after", "of a refusal, which is then a 429; 0: a 503", &setup.after_s, 1, 0, 4000000 },
    { "base", "the first wait, before jitter", &setup.policy.base_ms, 1000, 1, UINT32_MAX },
    { "cap", "the longest wait without a Retry-After", &setup.policy.cap_ms, 1000, 1, UINT32_MAX },
    { "jitter", "the random part of a wait", &setup.policy.jitter_ms, 1000, 1,
      REDIAL_JITTER_MAX_MS },
    { "retries", "attempts after the first; 4294967295: no limit", &setup.policy.max_retries, 1, 0,
      REDIAL_NO_LIMIT },
    { "elapsed", "a client gives up after this; 0: never", &setup.policy.max_elapsed_ms, 1000, 0,
      UINT32_MAX },
    { "seed", "the seed of all random numbers", &setup.seed, 1, 0, UINT32_MAX },
    { "horizon", "the time after which the simulation ends", &setup.horizon_ms, 1000, 1,
      FLEET_MOST_MS }
};
#define OPTIONS (sizeof options / sizeof *options)

static void print_help(void)
{
    unsigned i;
    puts("fleet: simulates clients that fail together and call again.\n\n"
         "  slots              wide, and the server names each refused client a time of its own\n"
         "  attempts a client  the first one, the retries, and the one that is served\n"
         "  within 8 retries   the share of the clients that needed no more retries\n"
         "  peak in 1 s        the most attempts in any second after the recovery, as a share of\n"
         "                     the fleet\n"
         "  wasted attempts    those that were not served\n"
         "  (floor)            the best that is possible\n\n"
         "Times are in seconds, to the millisecond. Options, with [defaults]:\n");
    for (i = 0; i < OPTIONS; i++)
        printf("  --%-12s %s [%.10g]\n", options[i].name, options[i].about,
               (double)*options[i].value / options[i].scale);
    puts("  --svg          print a picture in the place of the table");
}

static _Noreturn void refuse(const char *what, const char *rule)
{
    fprintf(stderr, "fleet: %s: %s\n", what, rule);
    exit(2);
}

static void read_option(const char *name, const char *text)
{
    const struct option *option = options;
    char *end;
    double number;
    while (option < options + OPTIONS
           && (strncmp(name, "--", 2) != 0 || strcmp(name + 2, option->name) != 0))
        option++;
    if (option == options + OPTIONS)
        refuse(name, "no such option; fleet --help lists them");
    number = strtod(text, &end) * option->scale + 0.5;
    if (end == text || *end || !(number >= option->least && number < option->most + 1.0)) {
        fprintf(stderr, "fleet: %s %s: must be from %.10g to %.10g\n", name, text,
                (double)option->least / option->scale, (double)option->most / option->scale);
        exit(2);
    }
    *option->value = (uint32_t)number;
}

/* True: a picture is wanted. */
static bool read_options(int argc, char **argv)
{
    const char *error;
    bool picture = false;
    int i;
    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help();
            exit(stdout_end("fleet", EXIT_SUCCESS));
        }
        if (strcmp(argv[i], "--svg") == 0) {
            picture = true;
        } else {
            read_option(argv[i], i + 1 < argc ? argv[i + 1] : "");
            i++;
        }
    }
    error = redial_policy_error(&setup.policy);
    if (error)
        refuse("--base, --cap or --jitter", error);
    if (setup.outage_ms >= setup.horizon_ms)
        refuse("--outage, --horizon", "the horizon must lie beyond the outage");
    if (setup.capacity == 0)
        setup.capacity = setup.clients < 100 ? 1 : setup.clients / 100;
    return picture;
}

/* ---- numbers ---- */

struct shown { char text[32]; };

/* Digits from the right: 1234567 as 1,234,567, or with decimals 1 as 123,456.7 */
static struct shown show_digits(uint64_t number, int decimals)
{
    struct shown out;
    char *at = out.text + sizeof out.text - 1;
    int digits = 0;
    *at = '\0';
    do {
        if (digits && digits == decimals)
            *--at = '.';
        else if (digits > decimals && (digits - decimals) % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + number % 10);
        number /= 10;
        digits++;
    } while (number || digits <= decimals);
    memmove(out.text, at, strlen(at) + 1);
    return out;
}

#define NUMBER(number) show_digits(number, 0).text
/* parts / whole * scale to the nearest tenth; scale 100 makes it a percentage */
#define RATIO(parts, whole, scale) \
    show_digits(((uint64_t)(parts) * (scale) * 10 + (whole) / 2) / (whole), 1).text

/* ---- the table ---- */

static void print_head(void)
{
    const struct redial_policy *policy = &setup.policy;
    printf("%s %s at once.", NUMBER(setup.clients),
           setup.clients == 1 ? "client calls" : "clients call");
    if (setup.outage_ms)
        printf(" Nothing answers for %s s.", NUMBER(setup.outage_ms / 1000));
    printf("\nThe server takes %s request%s a second, with bursts of up to %s ms.\n",
           NUMBER(setup.capacity), setup.capacity == 1 ? "" : "s", NUMBER(setup.burst_ms));
    printf("It refuses the rest with %s%s.\n", setup.after_s ? "429 and Retry-After: " : "503",
           setup.after_s ? NUMBER(setup.after_s) : "");
    printf("Policy: base %s ms, cap %s ms, jitter %s ms, %s retries.\n", NUMBER(policy->base_ms),
           NUMBER(policy->cap_ms), NUMBER(policy->jitter_ms),
           policy->max_retries == REDIAL_NO_LIMIT ? "unlimited" : NUMBER(policy->max_retries));
    printf("\n%-7s %8s %14s %10s %9s %13s %13s\n", "jitter", "attempts", "all served", "within 8",
           "peak in", "wasted", "gave up");
    printf("%-6s %9s %14s %10s %9s %13s\n", "mode", "a client", "after", "retries", "1 s",
           "attempts");
}

static void print_row(const char *name, const struct fleet_result *result)
{
    char when[64];
    if (result->served == setup.clients)
        snprintf(when, sizeof when, "%s s", RATIO(result->last_served_ms, 1000, 1));
    else if (result->gave_up)
        snprintf(when, sizeof when, "never");
    else
        snprintf(when, sizeof when, "> %s s", RATIO(result->now_ms, 1000, 1));
    printf("%-7s %8s %14s %8s %% %7s %% %13s %13s\n", name,
           RATIO(result->attempts, setup.clients, 1), when,
           RATIO(result->early, setup.clients, 100),
           RATIO(fleet_peak(&setup, result), setup.clients, 100),
           NUMBER(result->attempts - result->served), NUMBER(result->gave_up));
}

/* ---- the picture, in tenths of a pixel ---- */

enum { SHARE = 500, SHARE_WIDTH = 2800, LOAD = 3700, LOAD_WIDTH = 3300, TOP = 900, HEIGHT = 3200 };
enum { PANEL = 800, BARS = 500 };       /* of the load: a panel for each mode, with bars below */

static const char head[] =
    "<svg xmlns='http://www.w3.org/2000/svg' width='720' height='470' viewBox='0 0 7200 4700'>\n"
    "<title>Share served and load over time, by jitter mode</title><style>\n"
    "svg { background: #fff; font: 150px sans-serif } text { fill: #111 }\n"
    "path { fill: none; stroke: currentColor; stroke-width: 30 }\n"
    ".grid { color: #d8dce1; stroke-width: 10 } .load { fill: currentColor; stroke: none }\n"
    ".floor { color: #111; stroke-width: 20; stroke-dasharray: 60 }\n"
    ".none { color: #555 } .added { color: #d55e00 } .wide { color: #009e73 }\n"
    ".full { color: #0072b2 } tspan { fill: currentColor; font-weight: bold }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "svg { background: #0d1117 } text { fill: #f0f6fc } .floor { color: #f0f6fc }\n"
    ".grid { color: #2f353d } .none { color: #ccc } .added { color: #e69f00 }\n"
    ".full { color: #56b4e9 } }</style>\n";

/* part / whole * length */
static int scaled(uint64_t part, uint64_t whole, int length)
{
    return (int)(part * (uint64_t)length / whole);
}

static int along(uint64_t at_ms, int width)
{
    return scaled(at_ms - setup.outage_ms, setup.horizon_ms - setup.outage_ms, width);
}

static void draw_head(void)
{
    int i;
    fputs(head, stdout);
    printf("<text x='50' y='250'>%s clients after an outage of %s s; the server takes %s "
           "requests a second</text><text x='50' y='680'>Served, %%</text>"
           "<text x='%d' y='680'>Load, up to 2 × capacity</text>\n",
           NUMBER(setup.clients), NUMBER(setup.outage_ms / 1000), NUMBER(setup.capacity), LOAD);
    for (i = 0; i <= 4; i++) {
        uint32_t at_s = (setup.horizon_ms - setup.outage_ms) / 4000 * (uint32_t)i;
        int y = TOP + HEIGHT * i / 4;
        printf("<text x='50' y='%d'>%d</text><path class='grid' d='M%d %dh%d'/>", y + 50,
               100 - 25 * i, SHARE, y, SHARE_WIDTH);
        printf("<g text-anchor='middle'><text x='%d' y='4290'>%u</text><text x='%d' y='4290'>%u"
               "</text></g>", SHARE + SHARE_WIDTH * i / 4, at_s, LOAD + LOAD_WIDTH * i / 4, at_s);
    }
    printf("\n<text x='50' y='4580'>Seconds after the server came back. Dashed: what it can take; "
           "nobody can be served sooner.</text>\n<path class='floor' d='M%d %dL%d %d'/>\n", SHARE,
           TOP + HEIGHT - scaled((uint64_t)setup.capacity * setup.burst_ms, setup.clients * 1000ull,
                                 HEIGHT),
           SHARE + along(fleet_least_ms(&setup, setup.clients), SHARE_WIDTH), TOP);
}

static uint32_t in_second(const uint32_t *ticks, uint32_t at_ms)
{
    uint32_t all = 0, tick;
    for (tick = at_ms / FLEET_TICK_MS; tick < (at_ms + 1000) / FLEET_TICK_MS; tick++)
        all += ticks[tick];
    return all;
}

static void draw_row(const char *name, unsigned number, const struct fleet_result *result)
{
    uint32_t at_ms, served = 0, most = 2 * setup.capacity;
    bool all = result->served == setup.clients;
    uint32_t all_ms = (all ? result->last_served_ms : setup.horizon_ms) - setup.outage_ms;
    int bottom = TOP + PANEL * ((int)number + 1);
    printf("<text x='%d' y='%d'><tspan class='%s'>%s</tspan>: all served in %s%s s, %s "
           "attempts</text><path class='load %s' d='M%d %d", LOAD, bottom - BARS - 60, name, name,
           all ? "" : "&gt; ", NUMBER((all_ms + 500) / 1000),
           RATIO(result->attempts, setup.clients, 1), name, LOAD, bottom);
    for (at_ms = setup.outage_ms; at_ms + 1000 <= setup.horizon_ms; at_ms += 1000) {
        uint32_t load = in_second(result->arrived, at_ms);
        printf("V%dH%d", bottom - scaled(load < most ? load : most, most, BARS),
               LOAD + along(at_ms + 1000, LOAD_WIDTH));
    }
    printf("V%dZ'/><path class='floor' d='M%d %dh%d'/>\n<path class='%s' d='M%d %d", bottom, LOAD,
           bottom - BARS / 2, LOAD_WIDTH, name, SHARE, TOP + HEIGHT);
    for (at_ms = setup.outage_ms; at_ms + 1000 <= setup.horizon_ms; at_ms += 1000) {
        served += in_second(result->taken, at_ms);
        printf("L%d %d", SHARE + along(at_ms + 1000, SHARE_WIDTH),
               TOP + HEIGHT - scaled(served, setup.clients, HEIGHT));
    }
    puts("'/>");
}

/* ---- the runs ---- */

int main(int argc, char **argv)
{
    static const struct { const char *name; enum redial_jitter jitter; bool slots; } rows[] = {
        { "none", REDIAL_JITTER_NONE, false }, { "added", REDIAL_JITTER_ADDED, false },
        { "wide", REDIAL_JITTER_WIDE, false }, { "full", REDIAL_JITTER_FULL, false },
        { "slots", REDIAL_JITTER_WIDE, true }
    };
    bool picture;
    unsigned i;
    setup.policy.max_retries = REDIAL_NO_LIMIT;
    setup.policy.jitter_ms = REDIAL_JITTER_MAX_MS;
    picture = read_options(argc, argv);
    if (picture)
        draw_head();
    else
        print_head();
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fleet_result result;
        setup.policy.jitter = rows[i].jitter;
        setup.slots = rows[i].slots;
        if (!fleet_run(&setup, &result)) {
            fprintf(stderr, "fleet: no memory for %lu clients\n", (unsigned long)setup.clients);
            return EXIT_FAILURE;
        }
        if (!picture)
            print_row(rows[i].name, &result);
        else if (!rows[i].slots)
            draw_row(rows[i].name, i, &result);
        fleet_free(&result);
    }
    if (picture)
        puts("</svg>");
    else
        printf("%-7s %8s %12s s\n", "(floor)",
               RATIO(fleet_least_attempts(&setup), setup.clients, 1),
               RATIO(fleet_least_ms(&setup, setup.clients), 1000, 1));
    return stdout_end("fleet", EXIT_SUCCESS);
}

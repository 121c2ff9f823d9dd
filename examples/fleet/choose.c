/* Proposes policies for what you know of your service, as C to paste, each with its simulated result.
   SPDX-License-Identifier: MIT

       choose --within 60000 --clients 1000 --capacity 100 --outage 20 > policies.h
       choose --within 60000 --clients 20000 --capacity 500 --outage 10                      mobile clients
       choose --within 3600000 --clients 1000000 --capacity 1000 --outage 1200 --for connection      devices
       choose --within 300000 --clients 1 --capacity 1 --outage 30                           a cron job
       choose --within 180000 --clients 8 --workers 8 --jobs 100 --capacity 240 --per 60000 --window 60000
              --retry-after window --outage 0                                                a quota for 8 workers

   It tries some hundred policies in the simulation of herd (herd_model.h). All clients call when the outage begins,
   which is the worst case for them and for the server. It first prints the best result that is possible, and the
   documented formula. Then it chooses among the policies that keep to the limits: at most 3 times what the server can
   take, and at most 12 calls for a request. Of those that serve the most it prints three: the one that is through
   soonest, the one with the fewest calls, and the one with the lowest peak. The output compiles as it is.

   A fleet of more than 10,000 clients is simulated as fleets of 10,000, each with a server that is slower by the same
   factor. So fleets of one proportion get the same answer. In small fleets chance matters more: a server that takes 10
   requests a second may get 30 in one second, but a server that takes 1,000 never gets 3,000. Therefore the printed
   figures are computed over 100 fleets, or over fewer if the policy needs very many calls. With --workers the fleets
   are fewer and larger, up to the real size. tests/examples/test_choose.c compares the figures with the whole fleet. */
#include <stdio.h>

#include "choose.h"
#include "herd_words.h"

static const char about[] =
    "choose: proposes policies for your service, as C, each with its simulated\n"
    "outcome.\n"
    "\n"
    "All figures are computed over up to 100 simulated fleets. So they hardly depend\n"
    "on chance, or on the size of the fleet. The peak is the busiest second of the\n"
    "mean, or a longer time if the server counts in longer windows or needs longer\n"
    "for one request. herd shows one fleet. Its peak is higher by chance if the\n"
    "server takes few requests a second.\n";

struct wishes {
    uint32_t within_ms, clients, jobs, workers, capacity, per_ms, burst_ms, window_ms, outage_s, retry_after, use;
};

static void read_options(int argc, char **argv, struct wishes *w)
{
    static const struct option_word uses[] = { { "request", false }, { "connection", true }, { NULL, 0 } };
    static const struct option_word zero[] = { { "none", 0 }, { NULL, 0 } };
    const struct option options[] = {
        { "within", "MS", "how long a request may take in all", &w->within_ms, 1000, 21600000, NULL, NULL },
        { "clients", "N", "clients that call at once", &w->clients, 1, 10000000, NULL, NULL },
        { "jobs", "N", "requests of each client, one after another", &w->jobs, 1, 1000, NULL, NULL },
        { "workers", "N", "clients of a process, which share gate and budget", &w->workers, 2, 10000000, zero, NULL },
        { "for", "WHAT", "request, or connection (it should stay up)", &w->use, 1, 0, uses, NULL },
        { "capacity", "N", "requests that the server takes in a second", &w->capacity, 1, 1000000000, NULL, NULL },
        { "per", "MS", "the period of --capacity, if it is not a second", &w->per_ms, 1, 3600000, NULL, NULL },
        { "burst", "MS", "the server saves up unused capacity for so long", &w->burst_ms, 0, 3600000, NULL, NULL },
        { "window", "MS", "or counts in windows, and saves nothing", &w->window_ms, 1, 3600000, zero, NULL },
        OPTION_RETRY_AFTER(&w->retry_after),
        { "outage", "S", "seconds for which nothing answers", &w->outage_s, 0, 20000, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    options_read(argc, argv, about, options);
}

static void check(const struct known *known)
{
    const struct herd_setup *setup = &known->setup;
    char what[100];
    snprintf(what, sizeof what, "--within %lu --outage %lu", (unsigned long)known->within_ms,
             (unsigned long)setup->outage_ms / 1000);
    if (setup->outage_ms >= known->within_ms)
        options_refuse(what, "a request must be allowed to take longer than the outage, or none can be served");
    snprintf(what, sizeof what, "--clients %lu --capacity %lu", (unsigned long)setup->clients,
             (unsigned long)setup->capacity);
    if (herd_least_ms(setup, (setup->clients + 9) / 10) > known->within_ms)
        options_refuse(what, "no policy helps where the server can take less than a tenth of the clients in time");
    if (herd_least_ms(setup, herd_requests(setup)) > HERD_MOST_MS / 4)
        options_refuse(what, "the server needs longer for all requests than can be simulated");
    if (known->connection && setup->jobs > 1)
        options_refuse("--for connection", "--jobs are requests");
}

/* Long enough for a request that is begun at 0 s, or for all jobs if the server is used a third of the time. */
static uint32_t horizon_ms(const struct known *known)
{
    uint64_t all_ms = known->setup.jobs > 1 ? 3 * herd_least_ms(&known->setup, herd_requests(&known->setup)) : 0;
    return (uint32_t)((all_ms + known->within_ms) / 1000 + 1) * 1000;
}

static void read_known(int argc, char **argv, struct known *known)
{
    struct wishes w = { .within_ms = 60000, .clients = 1000, .jobs = 1, .capacity = 100, .per_ms = 1000,
                        .burst_ms = 1000, .outage_s = 20, .retry_after = HERD_NOT_SET };
    read_options(argc, argv, &w);
    *known = (struct known){ .within_ms = w.within_ms, .connection = w.use };
    known->setup = (struct herd_setup){
        .clients = w.clients, .jobs = w.jobs, .workers = w.workers, .capacity = w.capacity, .per_ms = w.per_ms,
        .burst_ms = w.burst_ms, .window_ms = w.window_ms, .outage_ms = w.outage_s * 1000, .seed = 1
    };
    herd_set_answer(&known->setup, w.retry_after);
    if (w.workers && known->setup.answer != HERD_PLAIN)
        known->setup.gate = HERD_GATE_ON_429;
    check(known);
    known->setup.horizon_ms = horizon_ms(known);
}

int main(int argc, char **argv)
{
    struct choice choices[CHOOSE_MOST];
    struct known known;
    bool beyond = false;
    unsigned count;
    read_known(argc, argv, &known);
    count = choose(&known, choices, &beyond);
    choose_print(&known, choices, count, beyond);
    return 0;
}

/* The functions of Windows that src/system_windows.c calls, as the script of test_system_scripted.c
   has them. SPDX-License-Identifier: MIT */
#define SOURCES 4                 /* which the bits are mixed of without entropy */
#define LONGEST_SLEEP_MS 10000    /* where `cancelled` is not asked */
#define LATE_MS 2                 /* a wait may be so much too long: Sleep counts whole ms */

/* Windows writes 64 bits through either pointer. */
union _LARGE_INTEGER { int64_t whole; };
struct _FILETIME { int64_t whole; };

static int scripted_counter(union _LARGE_INTEGER *count)
{
    note('c');
    count->whole = os.ticks;
    return 1;
}

static int scripted_frequency(union _LARGE_INTEGER *frequency)
{
    frequency->whole = os.ticks_per_s;
    return 1;
}

static void scripted_sleep(unsigned long ms)
{
    (void)sleep_ticks(ticks_of(ms));
}

static void scripted_date(struct _FILETIME *date)
{
    date->whole = os.date;
}

static unsigned long scripted_thread(void)
{
    return os.thread;
}

static int scripted_rand_s(unsigned *bits)
{
    note('r');
    *bits = os.bits;
    errno = ENOMEM;
    return os.entropy == WHOLE ? 0 : EINVAL;
}

#define QueryPerformanceCounter scripted_counter
#define QueryPerformanceFrequency scripted_frequency
#define Sleep scripted_sleep
#define GetSystemTimeAsFileTime scripted_date
#define GetCurrentThreadId scripted_thread
#define rand_s scripted_rand_s
#define redial_mix_ noted_mix
#include "as_on_windows.h"
#include "../../src/system_windows.c"
#undef __declspec   /* Microsoft's compiler needs its own for TEST */
#undef __stdcall
#undef redial_mix_

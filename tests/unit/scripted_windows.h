/* The functions of Windows that src/system_windows.c calls, as the script of test_system_scripted.c
   has them. SPDX-License-Identifier: MIT */
#define ROUNDING_MS 1   /* the clock counts whole ms, so a wait is longer by one */
#define CLOCKS(count, date) (count), (date)   /* what is mixed of them */

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
    (void)sleep_ticks((int64_t)ms * MS);
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
#include "as_on_windows.h"
#include "../../src/system_windows.c"
#undef __declspec   /* Microsoft's compiler needs its own for TEST */
#undef __stdcall

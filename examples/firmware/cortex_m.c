/* The start-up code of a Cortex-M program without a libc, and semihosting, which sends text to QEMU
   or a debugger. SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "cortex_m.h"

int main(void);
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *at, int byte, size_t size);
_Noreturn void reset(void);

/* cortex_m.ld */
extern uint32_t stack_top[], data_load[], data_start[], data_end[], bss_start[], bss_end[];

/* The functions that a compiler calls by itself. */
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    while (size-- > 0)
        *out++ = *in++;
    return to;
}

void *memset(void *at, int byte, size_t size)
{
    unsigned char *out = at;
    while (size-- > 0)
        *out++ = (unsigned char)byte;
    return at;
}

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void host_print(const char *text)
{
    semihost(0x04, text);   /* SYS_WRITE0 */
}

void host_exit(bool success)
{
    /* SYS_EXIT: application exit, run-time error */
    semihost(0x18, (const void *)(success ? 0x20026 : 0x20023));
    for (;;)
        ;
}

void reset(void)
{
    memcpy(data_start, data_load, (size_t)((char *)data_end - (char *)data_start));
    memset(bss_start, 0, (size_t)((char *)bss_end - (char *)bss_start));
    host_exit(main() == 0);
}

static void fault(void)
{
    host_print("fault\n");
    host_exit(false);
}

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handlers[15])(void);
} vectors = { stack_top, { reset, fault, fault, [10] = fault, [14] = on_systick } };

/* Helpers of the test programs. SPDX-License-Identifier: MIT */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka 2.0 warns of what 1.1 has under one name alone. */
#define CMOCKA_DISABLE_DEPRECATION_WARNINGS 1
#include <cmocka.h>

#include "redial.h"

#define LENGTH(array) (sizeof (array) / sizeof *(array))

/* cmocka passes a state to every test and setup. Most of them do not use it. */
#if defined(__GNUC__)
#  pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

/* ---- TEST(a_sentence) { ... } is all that a new test needs: run_all finds it ---- */

static struct CMUnitTest test_at_line[1001];   /* so that they run in the order of the file */

/* A test in a header may stand on the same line as one of its source. */
static inline void register_test(int line, const char *name, CMUnitTestFunction test)
{
    if (test_at_line[line].name) {
        fprintf(stderr, "On line %d are two tests: %s and %s\n", line, test_at_line[line].name,
                name);
        abort();
    }
    test_at_line[line].name = name;
    test_at_line[line].test_func = test;
}

/* The function is called before main. Microsoft's compiler has no attribute for it, but its startup
   code calls what this section points to. */
#ifdef _MSC_VER
#pragma section(".CRT$XCU", read)
#define CALLED_AT_START(function) \
    static void function(void); \
    __declspec(allocate(".CRT$XCU")) void (*const function##_at_start)(void) = function;
#else
#define CALLED_AT_START(function) __attribute__((constructor)) static void function(void);
#endif

#define TEST(name_) \
    _Static_assert(__LINE__ < LENGTH(test_at_line), "a test is on a line above 1000"); \
    _Static_assert(sizeof #name_ <= 81, "the name of a test is longer than 80 characters"); \
    static void name_(void **state); \
    CALLED_AT_START(register_##name_) \
    static void register_##name_(void) \
    { \
        register_test(__LINE__, #name_, name_); \
    } \
    static void name_(void **state)

/* With a setup before each test and one before all, a teardown after each and one after all.
   NULL: none. */
static inline int run_all_with(CMFixtureFunction before_each, CMFixtureFunction after_each,
                                 CMFixtureFunction before_all, CMFixtureFunction after_all)
{
    size_t line, count = 0;
    setvbuf(stdout, NULL, _IONBF, 0);   /* a test that hangs, and is killed, has said its name */
    for (line = 0; line < LENGTH(test_at_line); line++)
        if (test_at_line[line].test_func) {
            test_at_line[count] = test_at_line[line];
            test_at_line[count].setup_func = before_each;
            test_at_line[count++].teardown_func = after_each;
        }
    if (count == 0)
        abort();   /* the compiler's way to register tests does not work */
    return _cmocka_run_group_tests("tests", test_at_line, count, before_all, after_all);
}

static inline int run_all(void)
{
    return run_all_with(NULL, NULL, NULL, NULL);
}

/* ---- texts, times, memory and random numbers ---- */

/* A macro, so that a failure shows the line of the test. */
#define assert_contains(text, part) do { \
    const char *text_ = (text), *part_ = (part); \
    if (!strstr(text_, part_)) \
        fail_msg("\"%s\" is not in:\n%s", part_, text_); \
} while (0)

/* By the system's clock. */
static inline uint32_t real_now_ms(void)
{
    const struct redial_env *env = redial_system();
    return env->now_ms(env);
}

/* Fills an output, so that an unwritten byte shows. */
static inline void poison(void *memory, size_t size)
{
    memset(memory, 0xA5, size);
}

/* The upper half of xorshift64*; *state is the seed, never 0. */
static inline uint32_t random32(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)(*state * 0x2545f4914f6cdd1d >> 32);
}

#endif

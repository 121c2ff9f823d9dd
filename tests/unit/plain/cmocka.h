/* What the unit tests use of cmocka, for systems that have none: -DREDIAL_TESTS=self. It prints as
   cmocka does. SPDX-License-Identifier: MIT */
#ifndef PLAIN_CMOCKA_H
#define PLAIN_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test_func;
    CMFixtureFunction setup_func, teardown_func;
};

static jmp_buf plain_test;   /* where a test that fails ends */

static inline void plain_fail(const char *file, int line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n%s:%d: error: Failure!\n", file, line);
    longjmp(plain_test, 1);
}

static inline void plain_same(const char *file, int line, uint64_t got, uint64_t expected)
{
    if (got != expected)
        plain_fail(file, line, "%lld != %lld", (long long)got, (long long)expected);
}

static inline void plain_same_text(const char *file, int line, const char *got,
                                   const char *expected)
{
    if (strcmp(got, expected) != 0)
        plain_fail(file, line, "\"%s\" != \"%s\"", got, expected);
}

/* Macros, so that a failure shows the line of the test. */
#define fail_msg(...) plain_fail(__FILE__, __LINE__, __VA_ARGS__)
#define assert_true(value) \
    do { \
        if (!(value)) \
            fail_msg("%s", #value); \
    } while (0)
#define assert_false(value) assert_true(!(value))
#define assert_null(value) assert_true((value) == NULL)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define assert_memory_not_equal(a, b, size) assert_true(memcmp(a, b, size) != 0)
#define assert_int_equal(a, b) plain_same(__FILE__, __LINE__, (uint64_t)(a), (uint64_t)(b))
#define assert_int_not_equal(a, b) assert_true((uint64_t)(a) != (uint64_t)(b))
#define assert_string_equal(a, b) plain_same_text(__FILE__, __LINE__, a, b)

static inline int plain_fixture(CMFixtureFunction function, void **state)
{
    return function ? function(state) : 0;
}

/* The teardown follows a failure, too. */
static inline int plain_run(const struct CMUnitTest *test)
{
    void *state = NULL;
    volatile int failed = 1;
    printf("[ RUN      ] %s\n", test->name);
    if (setjmp(plain_test) == 0) {
        failed = plain_fixture(test->setup_func, &state);
        if (!failed)
            test->test_func(&state);
    } else {
        failed = 1;
    }
    if (setjmp(plain_test) == 0)
        failed |= plain_fixture(test->teardown_func, &state) != 0;
    else
        failed = 1;
    printf("%s %s\n", failed ? "[  FAILED  ]" : "[       OK ]", test->name);
    return failed != 0;
}

static inline int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
                                          size_t count, CMFixtureFunction before,
                                          CMFixtureFunction after)
{
    void *state = NULL;
    size_t i;
    int failures = 0;
    printf("[==========] %s: Running %u test(s).\n", name, (unsigned)count);
    if (plain_fixture(before, &state) != 0)
        return 1;
    for (i = 0; i < count; i++)
        failures += plain_run(&tests[i]);
    failures += plain_fixture(after, &state) != 0;
    if (failures == 0)
        printf("[  PASSED  ] %u test(s).\n", (unsigned)count);
    else
        printf("[  FAILED  ] %d of %u test(s).\n", failures, (unsigned)count);
    return failures;
}

#endif

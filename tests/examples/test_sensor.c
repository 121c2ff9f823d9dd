/* examples/sensor/sensor.ino on the host: its Serial is a modem that the test plays, and a test
   advances its millis. The sketch is also C. SPDX-License-Identifier: MIT */
#include <strings.h>

#include "../common/support.h"

/* A row may leave out its last members. */
#if defined(__GNUC__)
#  pragma GCC diagnostic ignored "-Wstrict-prototypes"
#  pragma GCC diagnostic ignored "-Wmissing-prototypes"
#  pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

enum { A0, A1, LED_BUILTIN, OUTPUT, HIGH, LOW, ANSWERS_AFTER_MS = 20 };

/* One for each attempt; the last one for ever. */
struct answer {
    int status;             /* 0: the modem says nothing to the POST */
    const char *headers;    /* NULL: it can't tell them */
    const char *error_at;   /* it says ERROR to this command */
};

static struct modem {
    uint32_t now_ms, said_at_ms, looks;   /* looks: at micros() */
    struct answer answers[4];
    unsigned posts;
    uint32_t post_ms[16];
    char bodies[16][40];
    char line[80];              /* what the sketch is sending */
    size_t length, expected;    /* expected: bytes of the body that are still to come */
    char says[256];             /* what the sketch has not read yet */
} modem;

static const struct answer *answer(unsigned post)
{
    return &modem.answers[post < 3 ? post : 3];
}

static void say_line(const char *text)
{
    snprintf(modem.says + strlen(modem.says), sizeof modem.says - strlen(modem.says), "%s\r\n",
             text);
    modem.said_at_ms = modem.now_ms;
}

static void post(void)
{
    char text[32];
    snprintf(text, sizeof text, "+HTTPACTION: 1,%d,0", answer(modem.posts)->status);
    modem.post_ms[modem.posts] = modem.now_ms;
    say_line("OK");
    if (answer(modem.posts)->status > 0)
        say_line(text);
    modem.posts++;
    assert_true(modem.posts < LENGTH(modem.post_ms));
}

static void obey(const char *line)
{
    const char *error_at = answer(modem.posts)->error_at;
    say_line(line);   /* an echo */
    if (error_at && strcmp(line, error_at) == 0)
        say_line("+CME ERROR: 3");
    else if (sscanf(line, "AT+HTTPDATA=%zu,5000", &modem.expected) == 1)
        say_line("DOWNLOAD");
    else if (strcmp(line, "AT+HTTPACTION=1") == 0)
        post();
    else if (strcmp(line, "AT+HTTPTERM") == 0)
        say_line("ERROR");   /* there is no session */
    else if (strcmp(line, "AT+HTTPHEAD") == 0 && answer(modem.posts - 1)->headers)
        say_line(answer(modem.posts - 1)->headers);
    else
        say_line(strcmp(line, "AT+HTTPHEAD") == 0 ? "ERROR" : "OK");
}

/* Serial would block if more than 63 bytes waited to be sent. */
static int hear(const char *text)
{
    for (; *text; text++) {
        modem.line[modem.length++] = *text;
        modem.line[modem.length] = '\0';
        assert_true(modem.length <= 63);
        if (modem.expected > 0 && --modem.expected == 0) {
            strcpy(modem.bodies[modem.posts], modem.line);
            modem.length = 0;
            say_line("OK");
        } else if (*text == '\r') {
            modem.line[--modem.length] = '\0';
            modem.length = 0;
            obey(modem.line);
        }
    }
    return 0;
}

/* ---- what Arduino has ---- */

static int hear_character(int c)
{
    return hear((char[]){ (char)c, '\0' });
}

static int hear_number(size_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", number);
    return hear(text);
}

static void ignore(int number)
{
    (void)number;
}

static int available(void)
{
    return modem.now_ms - modem.said_at_ms >= ANSWERS_AFTER_MS ? (int)strlen(modem.says) : 0;
}

static int read_one(void)
{
    int c = modem.says[0];
    memmove(modem.says, modem.says + 1, strlen(modem.says));
    return c;
}

static const struct {
    void (*begin)(int), (*put)(int);
    int (*available)(void), (*read)(void);
} Serial = { ignore, ignore, available, read_one };

#define print(x) put(_Generic((x), int: hear_character, size_t: hear_number, default: hear)(x))
#define millis() modem.now_ms
#define micros() (modem.now_ms * 1000 + 100 * ++modem.looks)   /* analogRead takes 0.1 ms */
#define analogRead(pin) ((pin) + 7)
#define pinMode(pin, mode) ignore((pin) + (mode))
#define digitalWrite(pin, level) ignore((pin) + (level))
#define constrain(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

#define state sensor_state   /* each test has a parameter of that name */
#include "../../examples/sensor/sensor.ino"
#undef state

/* ---- the tests ---- */

#define BEFORE_THE_WRAP (UINT32_MAX - 5000)

static void start(uint32_t now_ms, const struct answer *answers)
{
    memset(&modem, 0, sizeof modem);
    memcpy(modem.answers, answers, sizeof modem.answers);
    modem.now_ms = now_ms;
    seed = readings = 0;
    setup();
}

/* Until so many requests were sent, and their answers read. */
static void run(unsigned posts, uint32_t most_ms)
{
    uint32_t began_ms = modem.now_ms;
    while ((modem.posts < posts || sensor_state == TALKING) && modem.now_ms - began_ms < most_ms) {
        loop();
        modem.now_ms++;
    }
    assert_int_equal(modem.posts, posts);
}

/* From the first request to the second. */
static const struct {
    struct answer first;
    uint32_t least_ms, most_ms;
    bool same;          /* it is a retry, and has the number of the first */
} rows[] = {
    { { 200, "" }, 30000, 31000, false },
    { { 404, "" }, 30000, 31000, false },
    { { 601, "" }, 1000, 2500, true },       /* "network error" */
    { { 503, "OK" }, 1000, 2500, true },
    { { 503, NULL }, 1000, 2500, true },
    { { 503, "Retry-After: 5\r\nOK" }, 5000, 6500, true },
    { { 429, "Server: x\r\nretry-after: 3\r\n\r\nOK" }, 3000, 4500, true },
    { { 503, "Retry-After: Sun Nov  6 08:49:37 1994\r\nOK" }, 1000, 2500, true },
    { { 503, "Retry-After: 600\r\nOK" }, 600000, 601000, false },       /* longer than a call */
    { { 503, "Retry-After: 86400\r\nOK" }, 3600000, 3601000, false },   /* an hour at most */
    { { 503, "+CME ERROR: 3" }, 1000, 2500, true },
    { { 503, "Retry-After: 5" }, 14500, 17000, true },   /* it says no OK: 10 s more */
    { { 0, "" }, 10000, 12500, true },       /* the modem says nothing any more */
};

TEST(a_failure_is_tried_again_after_a_wait_and_a_retry_after_is_bounded)
{
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct answer answers[4] = { rows[i].first, { 200, "" }, { 200, "" }, { 200, "" } };
        uint32_t took_ms;
        start(BEFORE_THE_WRAP, answers);
        run(1, 20000);
        run(2, 4000000);
        took_ms = modem.post_ms[1] - modem.post_ms[0];
        if (took_ms < rows[i].least_ms || took_ms > rows[i].most_ms
            || (strcmp(modem.bodies[0], modem.bodies[1]) == 0) != rows[i].same)
            fail_msg("row %u: %lu ms, %s %s", i, (unsigned long)took_ms, modem.bodies[0],
                     modem.bodies[1]);
    }
}

/* The first command is refused only because there is nothing to end. */
TEST(a_command_that_the_modem_refuses_is_a_failure_that_is_tried_again)
{
    for (unsigned i = 1; i < 5; i++) {
        struct answer answers[4] = { { 200, "", script[i].send } };
        uint32_t began_ms;
        if (i == DATA_STAGE)
            continue;
        start(BEFORE_THE_WRAP, answers);
        began_ms = modem.now_ms;
        while (sensor_state != WAITING && modem.now_ms - began_ms < 5000) {
            loop();
            modem.now_ms++;
        }
        assert_int_equal(sensor_state, WAITING);
        assert_int_equal(modem.posts, 0);
        modem.answers[0].error_at = NULL;
        run(1, 3000);
    }
}

TEST(after_a_reset_the_readings_have_other_numbers)
{
    static const struct answer fine[4] = { { 200, "" } };
    char first[40];
    start(0, fine);
    run(1, 20000);
    strcpy(first, modem.bodies[0]);
    start(1, fine);
    run(1, 20000);
    assert_string_not_equal(modem.bodies[0], first);
}

TEST(an_outage_ends_a_reading_after_25_s_and_the_next_one_begins)
{
    static const struct answer down[4] = { { 503, "OK" }, { 503, "OK" }, { 503, "OK" },
                                           { 503, "OK" } };
    unsigned of_the_first = 0;
    start(BEFORE_THE_WRAP, down);
    run(1, 20000);
    run(8, 100000);
    while (strcmp(modem.bodies[of_the_first], modem.bodies[0]) == 0)
        of_the_first++;
    assert_true(of_the_first >= 4 && of_the_first <= 6);
    assert_true(modem.post_ms[of_the_first - 1] - modem.post_ms[0] < 25000);
}

int main(void)
{
    return run_all();
}

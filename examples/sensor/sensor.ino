/* An Arduino that posts a reading every half a minute, through an AT modem on Serial, and never
   blocks. SPDX-License-Identifier: MIT

   It shows redial_begin, redial_next and redial_timeout_ms with millis(). While the modem works,
   and between two attempts, loop() continues and the LED blinks. The modem is one of SIMCom's
   (SIM800 and its successors); for another one change the script. It must already be online: if
   yours needs commands for that, add them to the script.

   A reading keeps its number in all attempts, so that the server can drop duplicates: the POST is
   REDIAL_IDEMPOTENT. Without such a number it must not be repeated after its answer was lost: its
   method would be "POST". After a reset the numbers go on at a random one, and not at 1, so that
   the server does not take new readings for old ones. */
#include <redial.h>

static const uint32_t EVERY_MS = 30000, LONGEST_PAUSE_MS = 3600000;

/* Each line that is sent, and the beginning of the answer to it. A line is sent after the one
   before was answered. It fits into the 63 bytes that Serial accepts without blocking. */
static const struct { const char *send, *answer; } script[] = {
    { "AT+HTTPTERM", "OK" },   /* ERROR is fine, too: there may be no session to end */
    { "AT+HTTPINIT", "OK" },
    { "AT+HTTPPARA=\"URL\",\"http://example.com/v1/readings\"", "OK" },
    { "AT+HTTPPARA=\"CONTENT\",\"application/json\"", "OK" },
    { "AT+HTTPDATA=", "DOWNLOAD" },
    { "", "OK" },              /* the body */
    { "AT+HTTPACTION=1", "+HTTPACTION: 1," },
    { "AT+HTTPHEAD", "OK" }    /* after the headers; ERROR if the modem cannot tell them */
};
enum { DATA_STAGE = 4, BODY_STAGE = 5, STATUS_STAGE = 6, HEADER_STAGE = 7 };

enum state { IDLE, TALKING, WAITING };

static struct redial_policy policy = REDIAL_POLICY_DEFAULT;   /* 1 s, cap 32 s, 5 retries */
static struct redial_call call;
static enum state state;
static uint32_t since_ms, for_ms;   /* when the state began, and its longest duration */
static uint32_t seed, readings;
static uint8_t stage;               /* index of the script */
static int status;                  /* of the answer whose headers are being read */
static uint32_t retry_after_ms;
static char body[40];

/* 32 uniform bits: a Weyl sequence and the finaliser of MurmurHash3. Any seed works, 0 included. */
static uint32_t random_bits()
{
    uint32_t bits = seed += 0x9e3779b9;
    bits = (bits ^ bits >> 16) * 0x85ebca6b;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35;
    return bits ^ bits >> 16;
}

static void enter(enum state next, uint32_t ms)
{
    state = next;
    since_ms = millis();
    for_ms = ms;
}

/* ---- the modem ---- */

static void say()
{
    Serial.print(script[stage].send);
    if (stage == DATA_STAGE) {
        Serial.print(strlen(body));
        Serial.print(",5000");
    } else if (stage == BODY_STAGE) {
        Serial.print(body);
        return;   /* the modem counts its bytes, so no line end follows */
    }
    Serial.print('\r');
}

/* A line of the modem without its end. NULL: it is not complete yet. The rest of a long line is
   dropped. */
static const char *heard()
{
    static char line[40];
    static uint8_t length;
    while (Serial.available() > 0) {
        char c = (char)Serial.read();
        if (c != '\r' && c != '\n') {
            if (length < sizeof line - 1)
                line[length++] = c;
        } else if (length > 0) {
            line[length] = 0;
            length = 0;
            return line;
        }
    }
    return NULL;
}

/* ---- the attempts ---- */

static void attempt()
{
    uint32_t timeout_ms = redial_timeout_ms(&call, millis());
    if (timeout_ms == 0) {   /* loop() was late */
        enter(IDLE, EVERY_MS);
        return;
    }
    stage = 0;
    say();
    enter(TALKING, timeout_ms);
}

/* A verdict other than REDIAL_RETRY says why there is no other attempt. This sketch then waits for
   the next reading. A Retry-After can delay that one, too, but not by more than an hour. */
static void ended(struct redial_outcome outcome)
{
    struct redial_step step = redial_next(&call, millis(), outcome, random_bits());
    if (step.verdict == REDIAL_RETRY)
        enter(WAITING, step.delay_ms);
    else
        enter(IDLE, constrain(outcome.retry_after_ms, EVERY_MS, LONGEST_PAUSE_MS));
}

static struct redial_outcome status_outcome()
{
    return redial_http(status, retry_after_ms, REDIAL_IDEMPOTENT);
}

/* Numbers from 600 up are the modem's own: 601 is "network error". The headers are read if there
   may be a retry. */
static void answered()
{
    if (status >= 600) {
        ended(redial_retry(status, 0));
    } else if (redial_http_retryable(status)) {
        stage = HEADER_STAGE;
        say();
    } else {
        ended(status_outcome());
    }
}

/* A date counts as 0, because the header Date is not read. */
static void take_header(const char *line)
{
    bool error = strcmp(line, "ERROR") == 0 || strncmp(line, "+CME ERROR", 10) == 0;
    if (strncasecmp(line, "Retry-After:", 12) == 0)
        retry_after_ms = redial_retry_after_ms(line + 12, NULL);
    else if (error || strcmp(line, "OK") == 0)
        ended(status_outcome());
}

/* Handles a line of the modem. It ignores lines that are neither the answer nor an error (an echo,
   a call). */
static void take(const char *line)
{
    const char *answer = script[stage].answer;
    bool matches = strncmp(line, answer, strlen(answer)) == 0;
    bool error = strstr(line, "ERROR") != NULL;
    if (stage == HEADER_STAGE) {
        take_header(line);
    } else if (error && stage > 0) {
        ended(redial_retry(0, 0));
    } else if (matches && stage == STATUS_STAGE) {
        status = atoi(line + strlen(answer));
        retry_after_ms = 0;
        answered();
    } else if (matches || error) {
        stage++;
        say();
    }
}

static void measure()
{
    snprintf(body, sizeof body, "{\"n\":%lu,\"value\":%d}", (unsigned long)++readings,
             analogRead(A0));
    redial_begin(&call, &policy, millis());
    attempt();
}

/* The first reading comes at a random moment, because all devices of a street get their power back
   at once. */
void setup()
{
    Serial.begin(9600);
    pinMode(LED_BUILTIN, OUTPUT);
    policy.jitter = REDIAL_JITTER_WIDE;    /* devices that lost power together stay apart */
    policy.max_elapsed_ms = EVERY_MS - 5000;
    policy.attempt_ms = 10000;
    for (uint8_t i = 0; i < 64; i++)       /* the noise of an open input is the seed */
        seed = (seed << 5 | seed >> 27) ^ (uint32_t)analogRead(A1) ^ micros();
    readings = random_bits();
    enter(IDLE, random_bits() % 4096);
}

/* Compares a difference of times: `millis() >= since_ms + for_ms` would be wrong when millis()
   wraps. */
void loop()
{
    const char *line = heard();
    digitalWrite(LED_BUILTIN, millis() & 256 ? HIGH : LOW);
    if (line && state == TALKING)
        take(line);
    if (millis() - since_ms < for_ms)
        return;
    if (state == IDLE)
        measure();
    else if (state == WAITING)
        attempt();
    else   /* it took too long */
        ended(stage == HEADER_STAGE ? status_outcome() : redial_retry(0, 0));
}

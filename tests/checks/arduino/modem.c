/* modem SKETCH.elf: runs the sketch sensor on an Arduino Uno in simavr, with a modem on its serial line that answers by
   a script. It fails if an attempt comes at a wrong time or posts a wrong reading, or if the LED (pin 13) stands still.
   What the sketch sent goes to stderr. SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

enum { HZ = 16000000, BYTE_CYCLES = HZ / 960, DONE_MS = 115000 };

/* The result of each attempt: a status. 0: no answer. -1: an error at its start. Where retry_after is NULL, the modem
   cannot report headers. The next attempt begins after the attempt and the wait, that is after least_ms to most_ms, and
   0.4 s in which the sketch and the modem exchange lines. */
static const struct {
    int status;
    const char *retry_after;
    unsigned reading, least_ms, most_ms;
} answers[] = {
    { 503, "3", 1, 3000, 4400 },
    { 0, NULL, 1, 12000, 13000 },   /* 10 s without an answer, and a wait */
    { 601, NULL, 1, 4000, 5000 },
    { 200, NULL, 1, 30000, 30000 },
    { -1, NULL, 0, 1000, 2000 },
    { 503, NULL, 2, 2000, 3000 },
    { 429, "40.5", 2, 40500, 41000 },   /* too long: the next reading */
    { 404, NULL, 3, 0, UINT_MAX },
};
enum { ANSWERS = sizeof answers / sizeof *answers, EXCHANGE_MS = 400, LAMP_MS = 257 };

static avr_t *avr;
static avr_irq_t *to_uno;
static unsigned attempts, terminated, since_ms, body_left, wrong;
static char heard[100], said[200];
static size_t heard_length;
static avr_cycle_count_t lamp_since, lamp_longest, byte_at;

static unsigned now_ms(void)
{
    return (unsigned)(avr->cycle / (HZ / 1000));
}

static void expect(int so, const char *what)
{
    if (!so)
        printf("attempt %u, at %u ms: %s\n", terminated, now_ms(), what);
    wrong += !so;
}

#define say(...) snprintf(said + strlen(said), sizeof said - strlen(said), __VA_ARGS__)

static void say_headers(void)
{
    const char *retry_after = answers[attempts - 1].retry_after;
    if (retry_after)
        say("\r\n+HTTPHEAD: 98\r\nHTTP/1.1 503 Service Unavailable\r\nretry-after: %s\r\n"
            "X-Long: 0123456789012345678901234567890123456789\r\nOK\r\n", retry_after);
    else
        say("\r\n+CME ERROR: 4\r\n");
}

/* Also after the last of the answers. */
static int refuses(void)
{
    return attempts == ANSWERS || answers[attempts++].status < 0;
}

/* An attempt begins with a command that ends the one before. */
static void begin(void)
{
    unsigned took_ms = now_ms() - since_ms, last = terminated - 1;
    if (terminated > 0 && terminated < ANSWERS)
        expect(took_ms >= answers[last].least_ms && took_ms <= answers[last].most_ms + EXCHANGE_MS,
               "the one before took another time");
    since_ms = now_ms();
    terminated++;
}

static void obey(void)
{
    static unsigned before;   /* the first reading has a random number */
    unsigned reading;
    fprintf(stderr, "%u %s\n", now_ms(), heard);
    if (sscanf(heard, "{\"n\":%u", &reading) == 1) {
        before = attempts == 1 ? reading - 1 : before;
        expect(reading - before == answers[attempts - 1].reading && before != 0, "it posts another reading");
    }
    if (strcmp(heard, "AT+HTTPTERM") == 0) {
        begin();
        say("\r\nERROR\r\n");   /* there is nothing to end */
    } else if (strcmp(heard, "AT+HTTPINIT") == 0)
        say(refuses() ? "\r\n+CME ERROR: 3\r\n" : "\r\nOK\r\n");
    else if (sscanf(heard, "AT+HTTPDATA=%u", &body_left) == 1)
        say("\r\nDOWNLOAD\r\n");
    else if (strcmp(heard, "AT+HTTPACTION=1") == 0) {
        say("\r\nOK\r\n");
        if (answers[attempts - 1].status > 0)
            say("\r\n+HTTPACTION: 1,%d,0\r\n", answers[attempts - 1].status);
    } else if (strcmp(heard, "AT+HTTPHEAD") == 0)
        say_headers();
    else
        say("\r\nOK\r\n");
}

static void on_byte(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    if (value != '\r' && heard_length < sizeof heard - 1)
        heard[heard_length++] = (char)value;
    if (value != '\r' && (body_left == 0 || --body_left > 0))
        return;
    heard[heard_length] = 0;
    heard_length = 0;
    obey();
}

static void on_lamp(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)value, (void)unused;
    if (avr->cycle - lamp_since > lamp_longest)
        lamp_longest = avr->cycle - lamp_since;
    lamp_since = avr->cycle;
}

static int load(const char *path)
{
    elf_firmware_t sketch = { 0 };
    uint32_t flags = 0;   /* no copy of the line on stdout, no sleep */
    if (elf_read_firmware(path, &sketch) != 0 || !(avr = avr_make_mcu_by_name("atmega328p")))
        return 0;
    avr_init(avr);
    avr_load_firmware(avr, &sketch);
    avr->frequency = HZ;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    to_uno = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 5), on_lamp, NULL);
    return 1;
}

/* A byte of what the modem says, at 9600 baud. */
static void deliver(void)
{
    if (!said[0] || avr->cycle < byte_at)
        return;
    avr_raise_irq(to_uno, (uint8_t)said[0]);
    memmove(said, said + 1, strlen(said));
    byte_at = avr->cycle + BYTE_CYCLES;
}

int main(int argc, char **argv)
{
    if (argc != 2 || !load(argv[1]))
        return 2;
    while (now_ms() < DONE_MS) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return 1;
        deliver();
    }
    expect(lamp_longest / (HZ / 1000) <= LAMP_MS, "the LED stood still");
    expect(terminated == ANSWERS, "this was the last one");
    if (!wrong)
        printf("sensor.ino: %u attempts, each in time; the LED never stopped\n", terminated);
    return wrong != 0;
}

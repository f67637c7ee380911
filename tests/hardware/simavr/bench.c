/* An ATmega328P in simavr under remote control: time passes only when told to, buttons change at chosen cycles.
 *
 * bench FIRMWARE.elf: prints the name of the pty on which its UART is, then obeys the lines on standard input:
 *
 *   pin CYCLE PORT BIT LEVEL   schedules a change, in order of their cycles
 *   poke ADDRESS VALUE         writes 32 bits into its memory
 *   reset                      as by the button on the board
 *   run CYCLES                 then prints "pin CYCLE PORT BIT LEVEL" for what changed and "at CYCLE"
 */

#include <fcntl.h>
#include <pty.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>

#define FREQUENCY 16000000
#define SLICE 800 /* cycles between two looks at what the host has sent */
#define MOST_CHANGES 65536

struct change {
    uint64_t cycle;
    char port;
    int bit, level;
};

static avr_t *avr;
static avr_irq_t *uart;
static int host = -1;
static bool may_send = true;
static struct change changes[MOST_CHANGES];
static int scheduled, done;
static avr_ioport_external_t ports['D' + 1];

static void set_pin(struct change change)
{
    avr_ioport_external_t *port = &ports[(int)change.port];
    port->name = change.port;
    port->mask |= 1 << change.bit;
    port->value = (port->value & ~(1 << change.bit)) | change.level << change.bit;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(change.port), port);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(change.port), change.bit), change.level);
}

static avr_cycle_count_t change_pins(struct avr_t *core, avr_cycle_count_t when, void *unused)
{
    (void)when, (void)unused;
    while (done < scheduled && changes[done].cycle <= core->cycle) {
        struct change change = changes[done++];
        set_pin(change);
        printf("pin %llu %c %d %d\n", (unsigned long long)core->cycle, change.port, change.bit, change.level);
    }
    return done < scheduled ? changes[done].cycle : 0;
}

static void wait_for_next_change(void)
{
    avr_cycle_timer_cancel(avr, change_pins, NULL);
    if (done < scheduled) {
        uint64_t at = changes[done].cycle;
        avr_cycle_timer_register(avr, at > avr->cycle ? at - avr->cycle : 1, change_pins, NULL);
    }
}

static void schedule(const char *line)
{
    struct change *change = &changes[scheduled];
    unsigned long long cycle;
    if (sscanf(line, "pin %llu %c %d %d", &cycle, &change->port, &change->bit, &change->level) != 4
        || scheduled + 1 == MOST_CHANGES)
        exit(2);
    change->cycle = cycle;
    scheduled++;
}

static void to_host(struct avr_irq_t *irq, uint32_t byte, void *unused)
{
    (void)irq, (void)unused;
    uint8_t sent = byte;
    /* A host that has stopped reading loses what does not fit, as on a real cable. */
    if (write(host, &sent, 1) != 1)
        return;
}

static void flow(struct avr_irq_t *irq, uint32_t value, void *is_on)
{
    (void)irq, (void)value;
    may_send = is_on != NULL;
}

static void from_host(void)
{
    uint8_t byte;
    while (may_send && read(host, &byte, 1) == 1)
        avr_raise_irq(uart + UART_IRQ_INPUT, byte);
}

static void run(uint64_t cycles)
{
    uint64_t until = avr->cycle + cycles;
    wait_for_next_change();
    while (avr->cycle < until) {
        uint64_t pause = avr->cycle + SLICE;
        from_host();
        while (avr->cycle < pause && avr->cycle < until) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed)
                exit(3);
        }
    }
    printf("at %llu\n", (unsigned long long)avr->cycle);
}

static void reset(void)
{
    avr_reset(avr);
    for (const char *port = "BD"; *port; port++)
        for (int bit = 0; bit < 8; bit++)
            if (ports[(int)*port].mask >> bit & 1) {
                avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(*port), bit);
                pin->value = -1; /* else raising the level it had before the reset would be passed over */
                set_pin((struct change){ 0, *port, bit, ports[(int)*port].value >> bit & 1 });
            }
}

static void connect_uart(void)
{
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
    avr_irq_register_notify(uart + UART_IRQ_OUTPUT, to_host, NULL);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XON, flow, &may_send);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XOFF, flow, NULL);
}

static void open_pty(void)
{
    struct termios raw;
    char name[256];
    int host_end;
    if (openpty(&host, &host_end, name, NULL, NULL) < 0)
        exit(2);
    tcgetattr(host_end, &raw);
    cfmakeraw(&raw);
    tcsetattr(host_end, TCSANOW, &raw);
    fcntl(host, F_SETFL, O_NONBLOCK);
    printf("%s\n", name);
}

static void say_nothing(struct avr_t *core, const int level, const char *format, va_list values)
{
    (void)core, (void)level, (void)format, (void)values;
}

static void load(const char *path)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    avr_global_logger_set(say_nothing); /* it would write among our answers */
    if (elf_read_firmware(path, &firmware))
        exit(2);
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    firmware.frequency = FREQUENCY;
    avr_load_firmware(avr, &firmware);
    avr->frequency = FREQUENCY;
}

static void obey(const char *line)
{
    unsigned long long number;
    unsigned address;
    if (!strncmp(line, "pin ", 4))
        schedule(line);
    else if (!strncmp(line, "reset", 5))
        reset();
    else if (sscanf(line, "run %llu", &number) == 1)
        run(number);
    else if (sscanf(line, "poke %u %llu", &address, &number) == 2)
        for (int i = 0; i < 4; i++)
            avr->data[address + i] = number >> 8 * i;
    else if (sscanf(line, "peek %u", &address) == 1)
        printf("is %u\n", avr->data[address]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char line[128];
    if (argc != 2)
        return 2;
    load(argv[1]);
    connect_uart();
    open_pty();
    fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        obey(line);
    return 0;
}

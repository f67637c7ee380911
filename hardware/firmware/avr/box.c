/* A slap box on an Arduino Uno or Nano (ATmega328P at 16 MHz): eight buttons, each between its pin and ground.
 *
 * Every edge is stamped in the pin change interrupt and told to the host in the language of ../../protocol.md.
 * Bits 0 to 5 of the mask are the pins D2 to D7, bits 6 and 7 the pins D8 and D9. The lamps of bits 0 to 3 are on the
 * pins D10 to D13, those of bits 4 to 7 on A0 to A3.
 */

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>
#include <util/crc16.h>
#include <util/delay.h>

#define VERSION 0x01
#define BAUD_DIVISOR 16 /* 115200 baud in double speed mode, 2.1 % fast: within what a receiver tolerates */
#define HEARTBEAT_US 20000UL
#define SETTLE_US 100 /* for the pull-ups to charge the cables */
#define LONGEST_LINE 40
#define FIRST_NONCE 0x80
#define MOST_DROPS 0xFF
#define FIRST_LAMP 0x40
#define LAMPS 8

#define PINS_D 0xFC
#define PINS_B 0x03
#define LAMPS_B 0x3C
#define LAMPS_C 0x0F
#define PIN_CHANGES (_BV(PCIF2) | _BV(PCIF0))

struct edge {
    uint32_t tick;
    uint8_t mask;
    uint8_t drops; /* edges forgotten before this one */
};

#define EDGES 64 /* both sizes are powers of two */
#define BYTES 128

static struct edge edges[EDGES];
static volatile uint8_t edges_in, edges_out;
static volatile uint8_t level; /* of all buttons, 1 = pressed */
static volatile uint32_t overflows; /* of timer 1, every 32.768 ms */

static uint8_t bytes[BYTES];
static uint8_t bytes_in, bytes_out, checksum;

static uint16_t sequence;
static uint8_t told_mask;
static uint32_t last_heartbeat;

static uint32_t boot_count EEMEM;

/* All buttons in one byte; the two ports are read one clock cycle apart. */
static inline uint8_t buttons(void)
{
    uint8_t d = PIND, b = PINB;
    return (uint8_t)(~d >> 2 & 0x3F) | (uint8_t)((~b & PINS_B) << 6);
}

/* Microseconds since the reset, in 32 bits. Interrupts must be off. Shifts by whole bytes are quick, by 15 slow. */
static inline uint32_t now(void)
{
    uint16_t count = TCNT1;
    uint32_t high = overflows;
    if ((TIFR1 & _BV(TOV1)) && count < 0x8000)
        high++;
    uint32_t tick = (high << 16 | count) >> 1;
    return high >> 16 & 1 ? tick | 0x80000000 : tick;
}

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

/* When the queue is full its newest place is used again, so that the last state of all buttons is never forgotten. */
ISR(PCINT2_vect)
{
    uint32_t tick = now();
    uint8_t mask = buttons(), drops = 0;
    if (mask == level)
        return;
    level = mask;
    if ((uint8_t)(edges_in - edges_out) == EDGES) {
        edges_in--;
        drops = edges[edges_in % EDGES].drops;
        drops += drops < MOST_DROPS;
    }
    edges[edges_in % EDGES] = (struct edge){ tick, mask, drops };
    edges_in++;
}

ISR(PCINT0_vect, ISR_ALIASOF(PCINT2_vect));

static void put(uint8_t byte)
{
    bytes[bytes_in++ % BYTES] = byte;
    checksum = _crc8_ccitt_update(checksum, byte);
}

static void put_hex(uint32_t value, uint8_t digits)
{
    while (digits--) {
        uint8_t digit = value >> 4 * digits & 0xF;
        put(digit < 10 ? '0' + digit : 'A' - 10 + digit);
    }
}

static void begin_line(uint8_t letter)
{
    checksum = 0;
    put(letter);
}

static void end_line(void)
{
    uint8_t sum = checksum;
    put('*');
    put_hex(sum, 2);
    put('\n');
}

static bool has_room(void)
{
    return BYTES - (uint8_t)(bytes_in - bytes_out) >= LONGEST_LINE;
}

static void tell_boot(void)
{
    begin_line('B');
    put_hex(VERSION, 2);
    put_hex(eeprom_read_dword(&boot_count), 8);
    end_line();
}

static void tell_answer(uint8_t nonce, uint32_t tick)
{
    begin_line('S');
    put_hex(nonce, 2);
    put_hex(tick, 8);
    end_line();
}

static void tell_levels(uint8_t letter, uint32_t tick)
{
    begin_line(letter);
    put_hex(sequence, 4);
    put_hex(told_mask, 4);
    put_hex(tick, 8);
}

static void tell_edge(void)
{
    if (edges_in == edges_out)
        return;
    cli();
    struct edge edge = edges[edges_out % EDGES];
    edges_out++;
    sei();
    sequence++;
    told_mask = edge.mask;
    tell_levels('E', edge.tick);
    put_hex(edge.drops, 2);
    end_line();
}

/* The tick of a heartbeat promises that every edge up to it has been told; one that is still pending would break it. */
static void tell_heartbeat(void)
{
    cli();
    uint32_t tick = now();
    bool is_complete = edges_in == edges_out && !(PCIFR & PIN_CHANGES);
    sei();
    if (!is_complete || tick - last_heartbeat < HEARTBEAT_US)
        return;
    last_heartbeat = tick;
    tell_levels('H', tick);
    end_line();
}

/* No interrupt writes to these ports, so none can fall between reading and writing one. */
static void light(uint8_t bit, bool is_lit)
{
    volatile uint8_t *port = bit < 4 ? &PORTB : &PORTC;
    uint8_t pin = bit < 4 ? 4 << bit : 1 << (bit - 4);
    *port = is_lit ? *port | pin : *port & (uint8_t)~pin;
}

static void hear(void)
{
    if (!(UCSR0A & _BV(RXC0)))
        return;
    uint8_t byte = UDR0;
    cli();
    uint32_t tick = now();
    sei();
    if (byte == '?')
        tell_boot();
    else if (byte >= FIRST_NONCE)
        tell_answer(byte, tick);
    else if (byte >= FIRST_LAMP && byte < FIRST_LAMP + 2 * LAMPS)
        light((byte - FIRST_LAMP) / 2, byte & 1);
}

static void send_byte(void)
{
    if (bytes_in != bytes_out && (UCSR0A & _BV(UDRE0)))
        UDR0 = bytes[bytes_out++ % BYTES];
}

static void set_up(void)
{
    TCCR1B = _BV(CS11); /* half microseconds */
    TIMSK1 = _BV(TOIE1);
    eeprom_update_dword(&boot_count, eeprom_read_dword(&boot_count) + 1);
    UBRR0 = BAUD_DIVISOR;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    PORTD |= PINS_D;
    PORTB |= PINS_B;
    DDRB |= LAMPS_B;
    DDRC |= LAMPS_C;
    _delay_us(SETTLE_US);
    PCMSK2 = PINS_D;
    PCMSK0 = PINS_B;
    PCICR = _BV(PCIE2) | _BV(PCIE0);
    told_mask = level = buttons();
    sei();
}

int main(void)
{
    set_up();
    tell_boot();
    for (;;) {
        send_byte();
        if (has_room())
            hear();
        if (has_room())
            tell_edge();
        if (has_room())
            tell_heartbeat();
    }
}

/* Runs the steps of a net that is too large to compile (dbhw/software/steps.py makes them). A step is its kind, then its
 * numbers. A bit is a literal: twice the place of its word in memory, plus one if complemented.
 *
 *   AND, XOR   to, how many, literals
 *   TABLE      to, how many, literals, the table as numbers of 32 bits (the lowest first)
 *   TOTAL      how many digits, how many bits, the digits' places, then a literal and the digit it counts in, for each bit
 *   AT_LEAST   to, how many digits, the limit as two numbers of 32 bits (the lower first), literals
 *   END        the literals of all planes
 */
#include "net.h"

typedef net_word word;

enum { END, AND, XOR, TABLE, TOTAL, AT_LEAST, MOST_DIGITS = 64 };

/* The assembler takes the steps from a file: as text in C they would take the compiler minutes. */
__asm__(".section .rodata\n.balign 16\nnet_steps:\n.incbin \"steps.bin\"\n.balign 16\n.text\n");
extern const uint32_t net_steps[] __attribute__((visibility("hidden")));

static inline word read(const word *memory, uint32_t literal)
{
    const word mask = (word){0} - (uint64_t)(literal & 1);
    return memory[literal >> 1] ^ mask;
}

static inline word either(word x, word low, word high) { return low ^ (x & (low ^ high)); }

/* The part of a table over the first n inputs that begins at row `first`. */
static word look_up(const word *memory, const uint32_t *literals, unsigned n, const uint32_t *table, uint32_t first)
{
    const uint32_t half = 1u << (n - 1);
    word low, high;
    if (n <= 5) { /* the rows are within one number */
        const uint32_t rows = table[first >> 5] >> (first & 31), all = half == 16 ? 0xffffu : (1u << half) - 1;
        const uint32_t low_rows = rows & all, high_rows = rows >> half & all;
        if (n == 1)
            return either(read(memory, literals[0]), (word){0} - (uint64_t)low_rows, (word){0} - (uint64_t)high_rows);
        low = look_up(memory, literals, n - 1, table, first);
        if (low_rows == high_rows)
            return low;
    } else
        low = look_up(memory, literals, n - 1, table, first);
    high = look_up(memory, literals, n - 1, table, first + half);
    return either(read(memory, literals[n - 1]), low, high);
}

/* Carry-save addition: each digit keeps at most two bits until a third comes. */
static const uint32_t *total(word *memory, const uint32_t *step)
{
    const uint32_t digits = step[0], bits = step[1], *to = step + 2, *from = to + digits;
    word kept[MOST_DIGITS][2];
    uint32_t many[MOST_DIGITS] = {0}, i, j;
    for (i = 0; i < bits; i++, from += 2) {
        word carry = read(memory, from[0]);
        for (j = from[1]; j < digits; j++) {
            if (many[j] < 2) {
                kept[j][many[j]++] = carry;
                break;
            }
            const word half = kept[j][0] ^ kept[j][1], next = (kept[j][0] & kept[j][1]) | (half & carry);
            kept[j][0] = half ^ carry;
            many[j] = 1;
            carry = next;
        }
    }
    word carry = {0};
    for (j = 0; j < digits; j++) {
        const word a = many[j] > 0 ? kept[j][0] : (word){0}, b = many[j] > 1 ? kept[j][1] : (word){0}, half = a ^ b;
        memory[to[j]] = half ^ carry;
        carry = (a & b) | (half & carry);
    }
    return from;
}

void net_interpret(word *memory, word *planes)
{
    const uint32_t *step = net_steps;
    uint32_t i;
    while (*step != END) {
        const uint32_t kind = *step++;
        if (kind == TOTAL) {
            step = total(memory, step);
            continue;
        }
        const uint32_t to = step[0], many = step[1];
        step += 2;
        if (kind == TABLE) {
            memory[to] = look_up(memory, step, many, step + many, 0);
            step += many + (many > 5 ? 1u << (many - 5) : 1);
        } else if (kind == AT_LEAST) {
            const uint64_t limit = step[0] | (uint64_t)step[1] << 32;
            word reached = ~(word){0};
            step += 2;
            for (i = 0; i < many; i++) {
                const word digit = read(memory, *step++);
                reached = limit >> i & 1 ? digit & reached : digit | reached;
            }
            memory[to] = reached;
        } else {
            word value = read(memory, step[0]);
            for (i = 1; i < many; i++)
                value = kind == AND ? value & read(memory, step[i]) : value ^ read(memory, step[i]);
            memory[to] = value;
            step += many;
        }
    }
    for (i = 0; i < NET_PLANES; i++)
        planes[i] = read(memory, step[1 + i]);
}

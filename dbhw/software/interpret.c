/* Runs the steps of a net that is too large to compile (dbhw/software/steps.py makes them). A step is its kind, then its
 * numbers. A place is that of a word in memory. A bit is a literal: twice a place, plus one if complemented. `Bits` are
 * two numbers, how many plain ones and how many complemented ones there are, and then their places.
 *
 *   AND        to, bits
 *   XOR        to, how many, places
 *   TABLE      to, how many, literals, the table as numbers of 32 bits (the lowest first)
 *   TOTAL      how many digits, their places, then for each digit the bits that count in it
 *   AT_LEAST   to, how many digits, the limit as two numbers of 32 bits (the lower first), literals
 *   END        the literals of all planes
 *
 * A word is several of the processor's vectors, its parts. A step is decoded once and run part by part, in registers.
 */
#include "net.h"

typedef uint64_t part __attribute__((vector_size(NET_PART)));

enum { END, AND, XOR, TABLE, TOTAL, AT_LEAST, PARTS = NET_VECTOR / NET_PART, MOST_CARRIES = NET_MOST_BITS / 2 + 2 };

/* The assembler takes the steps from a file: as text in C they would take the compiler minutes. */
__asm__(".section .rodata\n.balign 16\nnet_steps:\n.incbin \"steps.bin\"\n.balign 16\n.text\n");
extern const uint32_t net_steps[] __attribute__((visibility("hidden")));

static inline part read(const part *memory, uint32_t literal)
{
    const part mask = (part){0} - (uint64_t)(literal & 1);
    return memory[(literal >> 1) * PARTS] ^ mask;
}

static inline part either(part x, part low, part high) { return low ^ (x & (low ^ high)); }

/* A table over n inputs, 2 to 8: four rows at a time are one of the sixteen functions of the first two inputs, and the
 * other inputs choose between them. */
static part look_up_few(const part *memory, const uint32_t *literals, unsigned n, const uint32_t *table)
{
    const part x = read(memory, literals[0]), y = read(memory, literals[1]);
    part functions[16] = {{0}, ~(x | y), x & ~y, {0}, ~x & y, {0}, {0}, {0}, x & y}, found[32];
    unsigned i, many = n > 2 ? 1u << (n - 3) : 0, input;
    for (i = 3; i < 16; i++)
        functions[i] = functions[i & (i - 1)] | functions[i & -i];
    if (n == 2)
        return functions[table[0] & 15];
    for (i = 0; i < many; i++) {
        const uint32_t rows = table[i / 4] >> i % 4 * 8;
        found[i] = either(read(memory, literals[2]), functions[rows & 15], functions[rows >> 4 & 15]);
    }
    for (input = 3; input < n; input++) {
        const part z = read(memory, literals[input]);
        many /= 2;
        for (i = 0; i < many; i++)
            found[i] = either(z, found[2 * i], found[2 * i + 1]);
    }
    return found[0];
}

/* A table of any width, its last inputs first. */
static part look_up(const part *memory, const uint32_t *literals, unsigned n, const uint32_t *table)
{
    if (n <= 8)
        return look_up_few(memory, literals, n, table);
    const part low = look_up(memory, literals, n - 1, table);
    const part high = look_up(memory, literals, n - 1, table + (1u << (n - 6)));
    return either(read(memory, literals[n - 1]), low, high);
}

static inline const uint32_t *conjunction(const part *memory, const uint32_t *bits, part *to)
{
    const uint32_t *at = bits + 2, *plain = at + bits[0], *end = plain + bits[1];
    part value = ~(part){0};
    for (; at < plain; at++)
        value &= memory[*at * PARTS];
    for (; at < end; at++)
        value &= ~memory[*at * PARTS];
    *to = value;
    return end;
}

/* A full adder: the sum stays in `sum`, the carry is put down for the next digit. */
#define ADD(a, b)                                      \
    do {                                               \
        const part x = (a), y = (b), half = sum ^ x;   \
        *carries++ = (sum & x) | (half & y);           \
        sum = half ^ y;                                \
    } while (0)

/* Carry-save addition, digit by digit: what is carried from one digit is added in the next. The carries of a digit are
 * read before those of the next are put down in their place. */
static const uint32_t *total(part *memory, const uint32_t *step)
{
    const uint32_t digits = step[0], *to = step + 1;
    part kept[MOST_CARRIES];
    const part zero = {0};
    uint32_t many = 0, j;
    step += 1 + digits;
    for (j = 0; j < digits; j++) {
        const uint32_t *at = step + 2, *plain = at + step[0], *end = plain + step[1];
        const part *carried = kept, *last = kept + many;
        part *carries = kept, sum = zero;
        for (; carried + 1 < last; carried += 2)
            ADD(carried[0], carried[1]);
        if (carried < last) {
            if (at < plain) {
                ADD(*carried, memory[*at * PARTS]);
                at++;
            } else if (at < end) {
                ADD(*carried, ~memory[*at * PARTS]);
                at++;
                plain++;
            } else
                ADD(*carried, zero);
        }
        for (; at + 1 < plain; at += 2)
            ADD(memory[at[0] * PARTS], memory[at[1] * PARTS]);
        if (at < plain) {
            ADD(memory[at[0] * PARTS], at + 1 < end ? ~memory[at[1] * PARTS] : zero);
            at += at + 1 < end ? 2 : 1;
        }
        for (; at + 1 < end; at += 2)
            ADD(~memory[at[0] * PARTS], ~memory[at[1] * PARTS]);
        if (at < end)
            ADD(~memory[at[0] * PARTS], zero);
        memory[to[j] * PARTS] = sum;
        many = (uint32_t)(carries - kept);
        step = end;
    }
    return step;
}

static const uint32_t *at_least(part *memory, const uint32_t *step)
{
    const uint32_t many = step[1], *literals = step + 4;
    const uint64_t limit = step[2] | (uint64_t)step[3] << 32;
    part reached = ~(part){0};
    uint32_t i;
    for (i = 0; i < many; i++) {
        const part digit = read(memory, literals[i]);
        reached = limit >> i & 1 ? digit & reached : digit | reached;
    }
    memory[step[0] * PARTS] = reached;
    return literals + many;
}

static const uint32_t *parity(part *memory, const uint32_t *step)
{
    const uint32_t *at = step + 2, *end = at + step[1];
    part value = {0};
    for (; at < end; at++)
        value ^= memory[*at * PARTS];
    memory[step[0] * PARTS] = value;
    return end;
}

static const uint32_t *look_up_step(part *memory, const uint32_t *step)
{
    const uint32_t many = step[1], *table = step + 2 + many;
    memory[step[0] * PARTS] = look_up(memory, step + 2, many, table);
    return table + (many > 5 ? 1u << (many - 5) : 1);
}

void net_interpret(net_word *words, net_word *planes)
{
    part *memory = (part *)words, *out = (part *)planes;
    const uint32_t *step = net_steps, *next = step;
    uint32_t i, k;
    for (; *step != END; step = next)
        for (k = 0; k < PARTS; k++)
            switch (*step) {
            case AND:
                next = conjunction(memory + k, step + 2, memory + step[1] * PARTS + k);
                break;
            case XOR:
                next = parity(memory + k, step + 1);
                break;
            case TABLE:
                next = look_up_step(memory + k, step + 1);
                break;
            case TOTAL:
                next = total(memory + k, step + 1);
                break;
            default:
                next = at_least(memory + k, step + 1);
            }
    for (i = 0; i < NET_PLANES; i++)
        for (k = 0; k < PARTS; k++)
            out[i * PARTS + k] = read(memory + k, step[1 + i]);
}

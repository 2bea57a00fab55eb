/* Runs the steps of a net that is too large to compile (dbhw/software/steps.py makes them). A step is the number of a
 * function (functions.h, which dbhw/software/shapes.py writes), how many calls of it follow, and their numbers: the
 * places in memory of what the call makes and reads, and then the table of a look-up as numbers of 32 bits, the lowest
 * first. A step without calls is the last one: the literals of all planes follow it. A literal is twice a place, plus one
 * if complemented.
 *
 * A word is several of the processor's vectors, its parts. They go through a call one after another, in registers.
 */
#include "net.h"

typedef uint64_t part_word __attribute__((vector_size(NET_PART)));
typedef const uint32_t *function(part_word *memory, const uint32_t *step, uint32_t calls);

enum { PARTS = NET_VECTOR / NET_PART };

/* The assembler takes the steps from a file: as text in C they would take the compiler minutes. */
__asm__(".section .rodata\n.balign 16\nnet_steps:\n.incbin \"steps.bin\"\n.balign 16\n.text\n");
extern const uint32_t net_steps[] __attribute__((visibility("hidden")));

/* Number i of a call as a place in memory. */
#define AT(i) memory[(size_t)step[i] * PARTS + k]
#define FUNCTION(name, numbers)                                                                 \
    static const uint32_t *name(part_word *memory, const uint32_t *step, uint32_t calls)        \
    {                                                                                           \
        size_t k;                                                                               \
        for (; calls--; step += (numbers))                                                      \
            for (k = 0; k < PARTS; k++) {
#define END_FUNCTION \
    }                \
    return step;     \
    }

static inline part_word either(part_word x, part_word low, part_word high) { return low ^ (x & (low ^ high)); }

/* A table over n inputs, 3 to 8: four rows at a time are one of the sixteen functions of the first two inputs, and the
 * other inputs choose between them. */
static inline part_word look_up_few(const part_word *memory, const uint32_t *step, unsigned n, const uint32_t *table)
{
    const size_t k = 0;
    const part_word x = AT(0), y = AT(1);
    part_word functions[16] = {{0}, ~(x | y), x & ~y, {0}, ~x & y, {0}, {0}, {0}, x & y}, found[32];
    unsigned i, many = 1u << (n - 3), input;
    for (i = 3; i < 16; i++)
        functions[i] = functions[i & (i - 1)] | functions[i & -i];
    for (i = 0; i < many; i++) {
        const uint32_t rows = table[i / 4] >> i % 4 * 8;
        found[i] = either(AT(2), functions[rows & 15], functions[rows >> 4 & 15]);
    }
    for (input = 3; input < n; input++) {
        const part_word z = AT(input);
        many /= 2;
        for (i = 0; i < many; i++)
            found[i] = either(z, found[2 * i], found[2 * i + 1]);
    }
    return found[0];
}

/* A table of any width, its last inputs first. */
static part_word look_up(const part_word *memory, const uint32_t *step, unsigned n, const uint32_t *table)
{
    const size_t k = 0;
    if (n <= 8)
        return look_up_few(memory, step, n, table);
    const part_word low = look_up(memory, step, n - 1, table);
    const part_word high = look_up(memory, step, n - 1, table + (1u << (n - 6)));
    return either(AT(n - 1), low, high);
}

#include "functions.h"

void net_interpret(net_word *words, net_word *planes)
{
    part_word *memory = (part_word *)words, *out = (part_word *)planes;
    const uint32_t *step = net_steps;
    size_t i, k;
    while (step[1])
        step = functions[step[0]](memory, step + 2, step[1]);
    for (i = 0; i < NET_PLANES; i++)
        for (k = 0; k < PARTS; k++) {
            const uint32_t literal = step[2 + i];
            const part_word mask = (part_word){0} - (uint64_t)(literal & 1);
            out[i * PARTS + k] = memory[(size_t)(literal >> 1) * PARTS + k] ^ mask;
        }
}

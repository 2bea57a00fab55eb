/* Runs a net on many examples. net.h says what the net is; NET_VECTOR is the size of a word in bytes.
 *
 * Examples come as rows of bits, or of bytes that are 0 or 1. A block of them, one for each bit of a word, is turned
 * into words by transposing squares of 64 x 64 bits, goes through the net, and comes out as integers.
 */
#include <stdlib.h>
#include <string.h>

#include "net.h"

typedef net_word word;

enum { LANES = NET_VECTOR / 8, BLOCK = NET_VECTOR * 8, GROUPS = (NET_INPUTS + 63) / 64 };

#ifdef NET_SCRATCH
void net_interpret(word *memory, word *planes); /* its inputs follow memory[0]; NET_SCRATCH words in all */
enum { MEMORY = NET_SCRATCH > GROUPS * 64 + 1 ? NET_SCRATCH : GROUPS * 64 + 1 };
#else
enum { MEMORY = GROUPS * 64 + 1 };
#endif

#define SWAP(a, b, distance, mask)                                \
    do {                                                          \
        const word swapped = (((a) >> (distance)) ^ (b)) & (mask); \
        (a) ^= swapped << (distance);                             \
        (b) ^= swapped;                                           \
    } while (0)

/* Three stages of a transposition on eight rows, which stay in registers: blocks of `distance` x `distance` bits change
 * places, then those of half the size, then of a quarter. */
#define THREE_STAGES(r, distance, mask4, mask2, mask1)                                          \
    do {                                                                                        \
        const word m4 = (word){0} + (mask4), m2 = (word){0} + (mask2), m1 = (word){0} + (mask1); \
        SWAP(r[0], r[4], distance, m4);                                                         \
        SWAP(r[1], r[5], distance, m4);                                                         \
        SWAP(r[2], r[6], distance, m4);                                                         \
        SWAP(r[3], r[7], distance, m4);                                                         \
        SWAP(r[0], r[2], (distance) / 2, m2);                                                   \
        SWAP(r[1], r[3], (distance) / 2, m2);                                                   \
        SWAP(r[4], r[6], (distance) / 2, m2);                                                   \
        SWAP(r[5], r[7], (distance) / 2, m2);                                                   \
        SWAP(r[0], r[1], (distance) / 4, m1);                                                   \
        SWAP(r[2], r[3], (distance) / 4, m1);                                                   \
        SWAP(r[4], r[5], (distance) / 4, m1);                                                   \
        SWAP(r[6], r[7], (distance) / 4, m1);                                                   \
    } while (0)

static inline uint64_t eight_bytes(const uint8_t *from, size_t present)
{
    uint64_t value = 0; /* bit i of a row is bit i % 8 of its byte i / 8: on a little-endian machine, bit i of a number */
    if (present >= 8)
        memcpy(&value, from, 8);
    else
        memcpy(&value, from, present);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

/* Row i of each of the squares that lie side by side in a block, `present` bytes of it; low beyond the examples. */
static inline word square_rows(const uint8_t *rows, size_t stride, size_t i, size_t examples, size_t present)
{
#define LANE(l) ((l) * 64 + i < examples ? eight_bytes(rows + ((l) * 64 + i) * stride, present) : 0)
#if NET_VECTOR == 16
    return (word){LANE(0), LANE(1)};
#elif NET_VECTOR == 32
    return (word){LANE(0), LANE(1), LANE(2), LANE(3)};
#else
    word row;
    size_t lane;
    for (lane = 0; lane < LANES; lane++)
        row[lane] = LANE(lane);
    return row;
#endif
}

/* Transposes a square of 64 x 64 bits in each lane: bit j of row i of a square becomes bit i of word j. */
static inline void transpose(const uint8_t *rows, size_t stride, size_t examples, size_t present, word *to)
{
    size_t i, k;
    for (i = 0; i < 8; i++) {
        word r[8];
#pragma GCC unroll 8
        for (k = 0; k < 8; k++)
            r[k] = square_rows(rows, stride, i + 8 * k, examples, present);
        THREE_STAGES(r, 32, 0x00000000ffffffffu, 0x0000ffff0000ffffu, 0x00ff00ff00ff00ffu);
#pragma GCC unroll 8
        for (k = 0; k < 8; k++)
            to[i + 8 * k] = r[k];
    }
    for (i = 0; i < 64; i += 8)
        THREE_STAGES((to + i), 4, 0x0f0f0f0f0f0f0f0fu, 0x3333333333333333u, 0x5555555555555555u);
}

/* Rows of bits as words, one for each input. Meanwhile the `ahead` bytes that follow are fetched from memory. */
static void load(const uint8_t *rows, size_t stride, size_t examples, size_t ahead, word *in)
{
    const uint8_t *next = rows + BLOCK * stride;
    const size_t share = (ahead + GROUPS - 1) / GROUPS;
    size_t group, i;
    for (group = 0; group < GROUPS; group++) {
        const size_t present = NET_ROW_BYTES - group * 8;
        for (i = group * share; i < (group + 1) * share && i < ahead; i += 64)
            __builtin_prefetch(next + i);
        if (examples == BLOCK && present >= 8) /* the usual case, with its bounds known to the compiler */
            transpose(rows + group * 8, stride, BLOCK, 8, in + group * 64);
        else
            transpose(rows + group * 8, stride, examples, present, in + group * 64);
    }
}

/* The instruction of x86 that collects the signs of bytes. Its header would take longer to compile than all else. */
#if defined(__AVX2__)
#define MOVE_MASK __builtin_ia32_pmovmskb256
typedef uint64_t several __attribute__((vector_size(32)));
typedef char signs __attribute__((vector_size(32)));
#elif defined(__SSE2__)
#define MOVE_MASK __builtin_ia32_pmovmskb128
typedef uint64_t several __attribute__((vector_size(16)));
typedef char signs __attribute__((vector_size(16)));
#endif

/* A row of bytes 0 and 1 as bits. Returns the bits of all bytes together: 0 or 1, if the bytes are. */
static uint8_t pack(const uint8_t *bytes, uint8_t *bits)
{
    size_t i = 0;
    uint64_t seen = 0;
#ifdef MOVE_MASK
    several all = {0};
    for (; i + sizeof(several) <= NET_INPUTS; i += sizeof(several)) {
        several v;
        memcpy(&v, bytes + i, sizeof v);
        const uint32_t mask = (uint32_t)MOVE_MASK((signs)(v << 7)); /* the lowest bit of a byte becomes its sign */
        all |= v;
        memcpy(bits + i / 8, &mask, sizeof(several) / 8);
    }
    for (size_t lane = 0; lane < sizeof(several) / 8; lane++)
        seen |= all[lane];
#endif
    for (; i < NET_INPUTS; i += 8) {
        const size_t present = NET_INPUTS - i;
        const uint64_t eight = eight_bytes(bytes + i, present);
        seen |= eight;
        bits[i / 8] = (uint8_t)((eight & 0x0101010101010101u) * 0x0102040810204080u >> 56);
    }
    seen |= seen >> 32;
    seen |= seen >> 16;
    return (uint8_t)(seen | seen >> 8);
}

static uint64_t SPREAD[256]; /* byte i of an entry is bit i of its index */

__attribute__((constructor)) static void spread(void)
{
    unsigned value, i;
    for (value = 0; value < 256; value++)
        for (i = 0; i < 8; i++)
            SPREAD[value] |= (uint64_t)(value >> i & 1) << 8 * i;
}

/* The integers of one field, every `stride`-th place; digits beyond the eighth are added in further rounds. */
static void store(const word *planes, unsigned width, int64_t least, size_t examples, int64_t *to, size_t stride)
{
    size_t e, i;
    unsigned low, j;
    for (e = 0; e < examples; e += 8) {
        const size_t many = examples - e < 8 ? examples - e : 8;
        for (low = 0; low == 0 || low < width; low += 8) {
            uint64_t eight = 0;
            for (j = low; j < width && j < low + 8; j++)
                eight |= SPREAD[((const uint64_t *)(planes + j))[e / 64] >> e % 64 & 255] << (j - low);
            for (i = 0; i < many; i++) {
                const int64_t part = (int64_t)(eight >> 8 * i & 255) << low;
                to[(e + i) * stride] = low ? to[(e + i) * stride] + part : least + part;
            }
        }
    }
}

static void run(word *memory, word *planes)
{
#ifdef NET_SCRATCH
    memory[0] = (word){0};
    net_interpret(memory, planes);
#else
    net_run(memory + 1, planes);
#endif
}

/* The fields of `examples` rows that lie `stride` bytes apart; with `bytes`, rows of a byte for each bit. `labels` gets
 * field 0, `others` the fields after it; either may be NULL. Returns 0, or 1 without memory, or 2 at a byte beyond 1. */
int engine_run(const uint8_t *rows, size_t stride, int bytes, size_t examples, int64_t *labels, int64_t *others)
{
    const size_t packed = GROUPS * 8;
    word *memory = aligned_alloc(128, ((MEMORY + NET_PLANES + 1) * sizeof(word) + 127) / 128 * 128);
    uint8_t *bits = bytes ? calloc(BLOCK, packed) : NULL;
    word *planes = memory + MEMORY;
    size_t start, e, f;
    int wrong = !memory || (bytes && !bits);
    for (start = 0; !wrong && start < examples; start += BLOCK) {
        const size_t many = examples - start < BLOCK ? examples - start : BLOCK;
        const uint8_t *first = rows + start * stride;
        const size_t left = examples - start - many, ahead = left < BLOCK ? left : BLOCK;
        uint8_t seen = 0;
        for (e = 0; bytes && e < many; e++)
            seen |= pack(first + e * stride, bits + e * packed);
        if (seen > 1)
            wrong = 2;
        load(bytes ? bits : first, bytes ? packed : stride, many, bytes ? 0 : ahead * stride, memory + 1);
        run(memory, planes);
        if (labels)
            store(planes, net_widths[0], net_least[0], many, labels + start, 1);
        if (others) {
            const word *next = planes + net_widths[0];
            for (f = 1; f < NET_FIELDS; next += net_widths[f++])
                store(next, net_widths[f], net_least[f], many, others + start * (NET_FIELDS - 1) + f - 1, NET_FIELDS - 1);
        }
    }
    free(memory);
    free(bits);
    return wrong;
}

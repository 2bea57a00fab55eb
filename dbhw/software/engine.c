/* Runs a net on many examples. net.h says what the net is; NET_VECTOR is the size of a word in bytes, and NET_PART that of
 * the processor's vectors, which are the parts of a word.
 *
 * Examples come as rows of bits, or of bytes that are 0 or 1. A block of them, one for each bit of a word, is turned into
 * words by transposing first bytes and then bits, goes through the net, and comes out as integers.
 */
#include <stdlib.h>
#include <string.h>

#include "net.h"

typedef net_word word;
typedef uint64_t part __attribute__((vector_size(NET_PART)));
typedef uint8_t part_bytes __attribute__((vector_size(NET_PART)));
typedef uint64_t sixteen __attribute__((vector_size(16)));

enum { PARTS = NET_VECTOR / NET_PART, PART = NET_PART * 8, BLOCK = NET_VECTOR * 8, STRIPES = (NET_ROW_BYTES + 15) / 16 };

#ifdef NET_SCRATCH
void net_interpret(word *memory, word *planes); /* its inputs follow memory[0]; NET_SCRATCH words in all */
enum { MEMORY = NET_SCRATCH > NET_ROW_BYTES * 8 + 1 ? NET_SCRATCH : NET_ROW_BYTES * 8 + 1 };
#else
enum { MEMORY = NET_ROW_BYTES * 8 + 1 };
#endif

/* The first or the last eight bytes of each sixteen, of two vectors in turn. */
#define PAIR(i) (i), NET_PART + (i)
#define PAIRS(i) \
    PAIR(i), PAIR(i + 1), PAIR(i + 2), PAIR(i + 3), PAIR(i + 4), PAIR(i + 5), PAIR(i + 6), PAIR(i + 7)
#if NET_PART == 16
#define LANES(i) PAIRS(i)
#elif NET_PART == 32
#define LANES(i) PAIRS(i), PAIRS(i + 16)
#else
#define LANES(i) PAIRS(i), PAIRS(i + 16), PAIRS(i + 32), PAIRS(i + 48)
#endif
#ifdef __clang__
#define IN_TURN(a, b, i) (part) __builtin_shufflevector((part_bytes)(a), (part_bytes)(b), LANES(i))
#else
#define IN_TURN(a, b, i) (part) __builtin_shuffle((part_bytes)(a), (part_bytes)(b), (part_bytes){LANES(i)})
#endif

static inline sixteen bytes_at(const uint8_t *row)
{
    sixteen found;
    memcpy(&found, row, 16);
    return found;
}

/* Sixteen bytes of rows that lie 128 apart. */
static inline part stripe(const uint8_t *rows, size_t stride)
{
    const sixteen a = bytes_at(rows);
#if NET_PART == 16
    return a;
#else
    const sixteen b = bytes_at(rows + 128 * stride);
#if NET_PART == 32
    return (part){a[0], a[1], b[0], b[1]};
#else
    const sixteen c = bytes_at(rows + 256 * stride), d = bytes_at(rows + 384 * stride);
    return (part){a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]};
#endif
#endif
}

/* Of every eighth row, sixteen bytes: byte k of to[8 * c] is byte c of row 8 * k. */
static inline void transpose_bytes(const uint8_t *rows, size_t stride, part *to)
{
    part a[16], b[16];
    unsigned i, round;
#pragma GCC unroll 16
    for (i = 0; i < 16; i++)
        a[i] = stripe(rows + i * 8 * stride, stride);
#pragma GCC unroll 2
    for (round = 0; round < 2; round++) {
#pragma GCC unroll 8
        for (i = 0; i < 8; i++) {
            b[2 * i] = IN_TURN(a[i], a[i + 8], 0);
            b[2 * i + 1] = IN_TURN(a[i], a[i + 8], 8);
        }
#pragma GCC unroll 8
        for (i = 0; i < 8; i++) {
            a[2 * i] = IN_TURN(b[i], b[i + 8], 0);
            a[2 * i + 1] = IN_TURN(b[i], b[i + 8], 8);
        }
    }
#pragma GCC unroll 16
    for (i = 0; i < 16; i++)
        to[8 * i] = a[i];
}

#define SWAP(a, b, distance, mask)                                     \
    do {                                                               \
        const part swapped = (((a) >> (distance)) ^ (b)) & (mask);      \
        (a) ^= swapped << (distance);                                  \
        (b) ^= swapped;                                                \
    } while (0)

/* Transposes squares of 8 x 8 bits: bit j of a byte of row i becomes bit i of that byte of row j. */
static inline void transpose_bits(part *r)
{
    const part m4 = (part){0} + 0x0f0f0f0f0f0f0f0fu, m2 = (part){0} + 0x3333333333333333u;
    const part m1 = (part){0} + 0x5555555555555555u;
    unsigned i;
#pragma GCC unroll 4
    for (i = 0; i < 4; i++)
        SWAP(r[i], r[i + 4], 4, m4);
#pragma GCC unroll 4
    for (i = 0; i < 4; i++)
        SWAP(r[i / 2 * 4 + i % 2], r[i / 2 * 4 + i % 2 + 2], 2, m2);
#pragma GCC unroll 4
    for (i = 0; i < 4; i++)
        SWAP(r[2 * i], r[2 * i + 1], 1, m1);
}

/* Rows of bits as words, one for each input. Meanwhile the `ahead` bytes that follow are fetched from memory. Sixteen
 * bytes are read at a time, so up to fifteen after the last row. */
static void load(const uint8_t *rows, size_t stride, size_t ahead, word *in)
{
    const uint8_t *next = rows + BLOCK * stride;
    const size_t share = (ahead + STRIPES * PARTS - 1) / (STRIPES * PARTS);
    size_t s, p, i, column, fetched = 0;
    for (p = 0; p < PARTS; p++)
        for (s = 0; s < STRIPES; s++) {
            const size_t columns = NET_ROW_BYTES - s * 16 < 16 ? NET_ROW_BYTES - s * 16 : 16;
            part squares[16 * 8], *to = (part *)in + s * 128 * PARTS + p;
            for (i = 0; i < share && fetched < ahead; i += 64, fetched += 64)
                __builtin_prefetch(next + fetched);
            for (i = 0; i < 8; i++)
                transpose_bytes(rows + (p * PART + i) * stride + s * 16, stride, squares + i);
            for (column = 0; column < columns; column++) {
                part r[8];
#pragma GCC unroll 8
                for (i = 0; i < 8; i++)
                    r[i] = squares[column * 8 + i];
                transpose_bits(r);
#pragma GCC unroll 8
                for (i = 0; i < 8; i++)
                    to[(column * 8 + i) * PARTS] = r[i];
            }
        }
}

static inline uint64_t eight_bytes(const uint8_t *from, size_t present)
{
    uint64_t value = 0;
    memcpy(&value, from, present < 8 ? present : 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
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
                eight |= SPREAD[((const uint8_t *)(planes + j))[e / 8]] << (j - low);
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
    const size_t packed = STRIPES * 16;
    word *memory = aligned_alloc(128, ((MEMORY + NET_PLANES + 1) * sizeof(word) + 127) / 128 * 128);
    uint8_t *bits = calloc(BLOCK, packed), seen = 0;
    word *planes = memory + MEMORY;
    size_t start, e, f;
    for (start = 0; memory && bits && seen <= 1 && start < examples; start += BLOCK) {
        const size_t many = examples - start < BLOCK ? examples - start : BLOCK;
        const uint8_t *first = rows + start * stride;
        const size_t left = examples - start - many, ahead = left < BLOCK ? left : BLOCK;
        const int copied = !bytes && (many < BLOCK || left * stride < 16);
        for (e = 0; bytes && e < many; e++)
            seen |= pack(first + e * stride, bits + e * packed);
        for (e = 0; copied && e < many; e++)
            memcpy(bits + e * packed, first + e * stride, NET_ROW_BYTES);
        if (bytes || copied)
            load(bits, packed, 0, memory + 1);
        else
            load(first, stride, ahead * stride, memory + 1);
        run(memory, planes);
        if (labels)
            store(planes, net_widths[0], net_least[0], many, labels + start, 1);
        if (others) {
            const word *next = planes + net_widths[0];
            for (f = 1; f < NET_FIELDS; next += net_widths[f++])
                store(next, net_widths[f], net_least[f], many, others + start * (NET_FIELDS - 1) + f - 1, NET_FIELDS - 1);
        }
    }
    const int wrong = !memory || !bits ? 1 : seen > 1 ? 2 : 0;
    free(memory);
    free(bits);
    return wrong;
}

"""The fixed parts of the C that `c.py` writes: declarations, and what calls the net for one example or many."""

OPENING = """\
#ifndef {upper}_H
#define {upper}_H

#include <stddef.h>
#include <stdint.h>
"""

CLOSING = """\
#ifdef __cplusplus
}}
#endif
#endif /* {upper}_H */
"""

NAMES_DECLARED = """\
extern const char *const {name}_classes[{upper}_CLASSES];
extern const char *const {name}_features[{upper}_INPUTS];
"""

WORD = """\
/* A word holds a bit of as many examples as it has bits. {upper}_WORD is any unsigned type: the fewest bytes of RAM are
 * taken by uint8_t, the most examples a second by the widest. {upper}_VECTOR is the bytes of a vector (GCC, Clang). */
#ifdef {upper}_VECTOR
typedef uint64_t {name}_word __attribute__((vector_size({upper}_VECTOR)));
#else
#ifndef {upper}_WORD
#define {upper}_WORD uint32_t
#endif
typedef {upper}_WORD {name}_word;
#endif
#ifdef __GNUC__
#define {upper}_APART static __attribute__((noinline))
#else
#define {upper}_APART static
#endif
#ifdef __cplusplus
extern "C" {{
#endif

/* Bit e of in[i] is input i of example e. Field f of an example is {name}_least[f] plus the number whose binary digits
 * are {name}_widths[f] planes, the lowest first; the planes of all fields lie side by side. */
void {name}_run(const {name}_word *in, {name}_word *planes);
extern const uint8_t {name}_widths[{upper}_FIELDS];
extern const int32_t {name}_least[{upper}_FIELDS];
"""

ONE_BY_ONE = """\
#ifndef {upper}_VECTOR
/* Rows of {upper}_ROW_BYTES bytes: input i is bit i % 8 of byte i / 8, the lowest bit first. Field 0 is the class. */
unsigned {name}_predict(const uint8_t *row);
void {name}_fields(const uint8_t *row, int32_t *fields);
void {name}_predict_many(const uint8_t *rows, size_t examples, uint16_t *classes);
#endif
"""

PREDICT = """\
#ifndef {upper}_VECTOR
static int32_t {name}_field(const {name}_word *planes, unsigned width, int32_t least, unsigned example)
{{
    uint32_t digits = 0;
    unsigned j;
    for (j = 0; j < width; j++)
        digits |= (uint32_t)((planes[j] >> example) & 1u) << j;
    return least + (int32_t)digits;
}}

static void {name}_load(const uint8_t *rows, unsigned examples, {name}_word *in)
{{
    size_t i;
    unsigned e;
    for (i = 0; i < {upper}_INPUTS; i++) {{
        {name}_word word = 0;
        for (e = 0; e < examples; e++) {{
            const uint8_t *row = rows + (size_t)e * {upper}_ROW_BYTES;
            word = ({name}_word)(word | ({name}_word)(({name}_word)((row[i >> 3] >> (i & 7)) & 1u) << e));
        }}
        in[i] = word;
    }}
}}

void {name}_fields(const uint8_t *row, int32_t *fields)
{{
    {name}_word in[{upper}_INPUTS], planes[{upper}_PLANES + 1];
    const {name}_word *next = planes;
    size_t f;
    {name}_load(row, 1, in);
    {name}_run(in, planes);
    for (f = 0; f < {upper}_FIELDS; f++) {{
        fields[f] = {name}_field(next, {name}_widths[f], {name}_least[f], 0);
        next += {name}_widths[f];
    }}
}}

unsigned {name}_predict(const uint8_t *row)
{{
    {name}_word in[{upper}_INPUTS], planes[{upper}_PLANES + 1];
    {name}_load(row, 1, in);
    {name}_run(in, planes);
    return (unsigned){name}_field(planes, {name}_widths[0], {name}_least[0], 0);
}}

void {name}_predict_many(const uint8_t *rows, size_t examples, uint16_t *classes)
{{
    {name}_word in[{upper}_INPUTS], planes[{upper}_PLANES + 1];
    const size_t block = 8 * sizeof({name}_word);
    size_t start, e;
    for (start = 0; start < examples; start += block) {{
        const size_t many = examples - start < block ? examples - start : block;
        {name}_load(rows + start * {upper}_ROW_BYTES, (unsigned)many, in);
        {name}_run(in, planes);
        for (e = 0; e < many; e++)
            classes[start + e] = (uint16_t){name}_field(planes, {name}_widths[0], {name}_least[0], (unsigned)e);
    }}
}}
#endif
"""

PACK_DECLARED = """\
/* A row out of the numbers of all columns. */
void {name}_pack(const int32_t *numbers, uint8_t *row);
"""

PACK = """\
void {name}_pack(const int32_t *numbers, uint8_t *row)
{{
    static const uint8_t bits[{upper}_COLUMNS] = {{{widths}}};
    size_t column, i, bit = 0;
    for (i = 0; i < {upper}_ROW_BYTES; i++)
        row[i] = 0;
    for (column = 0; column < {upper}_COLUMNS; column++)
        for (i = 0; i < bits[column]; i++, bit++)
            row[bit >> 3] = (uint8_t)(row[bit >> 3] | (((uint32_t)numbers[column] >> i & 1u) << (bit & 7)));
}}
"""

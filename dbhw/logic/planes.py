"""Integers held as bit planes: plane j is an array of words, bit e of a word is bit j of example e's number.

Sums of packed bits stay packed this way: adding two numbers for 64 examples at once is a handful of word operations
per plane. Planes are a list, lowest first; every plane is a uint64 array of one shape.
"""

import numpy as np

Planes = list[np.ndarray]


def add(a: Planes, b: Planes) -> Planes:
    """Elementwise a + b, one plane longer where there is a carry.

    >>> one = np.array([0b01], np.uint64); both = np.array([0b11], np.uint64)
    >>> [int(p[0]) for p in add([one], [both])]
    [2, 1]
    """
    if len(a) < len(b):
        a, b = b, a
    out, carry = [], None
    for j, p in enumerate(a):
        q = b[j] if j < len(b) else None
        if q is None and carry is None:
            out.append(p)
        elif q is None or carry is None:
            other = carry if q is None else q
            out.append(p ^ other)
            carry = p & other
        else:
            half = p ^ q
            out.append(half ^ carry)
            carry = (p & q) | (half & carry)
    return out if carry is None else [*out, carry]


def total(bits: list[np.ndarray], coefficients: list[int] | None = None) -> Planes:
    """The sum of non-negative multiples of packed bits, as planes.

    >>> [int(p[0]) for p in total([np.array([3], np.uint64), np.array([1], np.uint64)], [1, 2])]
    [3, 1, 0]
    """
    if coefficients is None:
        numbers: list[Planes] = [[b] for b in bits]
    else:
        numbers = [_multiple(b, c) for b, c in zip(bits, coefficients, strict=True)]
    while len(numbers) > 1:
        pairs = [add(a, b) for a, b in zip(numbers[::2], numbers[1::2], strict=False)]
        numbers = pairs + numbers[len(pairs) * 2 :]
    return numbers[0]


def modular(terms: list[tuple[Planes, int]], constant: int, width: int) -> Planes:
    """A constant plus multiples of numbers, which may be negative, modulo 2 to the power of `width`.

    >>> three = [np.array([1], np.uint64), np.array([1], np.uint64)]
    >>> [int(p[0]) & 1 for p in modular([(three, -1)], 5, 3)]
    [0, 1, 0]
    """
    zero = np.zeros_like(terms[0][0][0])
    numbers = []
    for number, coefficient in terms:
        for j in range(abs(coefficient).bit_length()):
            if abs(coefficient) >> j & 1:
                digits = ([zero] * j + number + [zero] * width)[:width]
                # In two's complement -x is the complement of x, plus 1.
                numbers.append([~digit for digit in digits] if coefficient < 0 else digits)
                constant += coefficient < 0
    total = [~zero if constant >> j & 1 else zero for j in range(width)]
    for digits in numbers:
        total = add(total, digits)[:width]
    return total


def _multiple(bit: np.ndarray, coefficient: int) -> Planes:
    zero = np.zeros_like(bit)
    return [bit if coefficient >> j & 1 else zero for j in range(coefficient.bit_length())]


def at_least(planes: Planes, k: int) -> np.ndarray:
    """Packed bits that say where the number is at least k.

    >>> int(at_least([np.array([0b10], np.uint64)], 1)[0])
    2
    """
    if k <= 0:
        return ~np.zeros_like(planes[0])
    if k >> len(planes):
        return np.zeros_like(planes[0])
    # From the lowest plane up: so far at least, given the bits below.
    reached = ~np.zeros_like(planes[0])
    for j, plane in enumerate(planes):
        reached = plane & reached if k >> j & 1 else plane | reached
    return reached


def equal(planes: Planes, k: int) -> np.ndarray:
    """Packed bits that say where the number is exactly k.

    >>> int(equal([np.array([0b10], np.uint64)], 0)[0]) & 3
    1
    """
    if k < 0 or k >> len(planes):
        return np.zeros_like(planes[0])
    same = ~np.zeros_like(planes[0])
    for j, plane in enumerate(planes):
        same = same & (plane if k >> j & 1 else ~plane)
    return same


def integers(planes: Planes, examples: int) -> np.ndarray:
    """The numbers themselves; the words' axis comes first and becomes the examples' axis.

    >>> integers([np.array([0b01], np.uint64), np.array([0b11], np.uint64)], 2).tolist()
    [3, 2]
    """
    parts = (unpack(p, examples).astype(np.int64) << j for j, p in enumerate(planes))
    return np.sum(list(parts), axis=0)


def pack(bits: np.ndarray) -> np.ndarray:
    """Booleans (examples, ...) as words (words, ...); example e is bit e % 64 of word e // 64.

    >>> pack(np.array([[True], [False], [True]])).tolist()
    [[5]]
    """
    examples = bits.shape[0]
    padded = np.zeros((-(-examples // 64) * 64, *bits.shape[1:]), bool)
    padded[:examples] = bits
    columns = np.moveaxis(padded, 0, -1)
    packed = np.packbits(columns, axis=-1, bitorder="little")
    words = np.ascontiguousarray(packed).view("<u8").astype(np.uint64)
    return np.moveaxis(words, -1, 0)


def unpack(words: np.ndarray, examples: int) -> np.ndarray:
    """The booleans (examples, ...) that `pack` packed.

    >>> unpack(np.array([[5]], np.uint64), 3).tolist()
    [[True], [False], [True]]
    """
    columns = np.ascontiguousarray(np.moveaxis(words, 0, -1)).astype("<u8").view(np.uint8)
    bits = np.unpackbits(columns, axis=-1, bitorder="little", count=examples).astype(bool)
    return np.moveaxis(bits, -1, 0)

"""Truth tables of up to six inputs, as integers: bit i is the output for the input number i (input j is its bit j)."""

from functools import cache
from itertools import combinations

MAX_INPUTS = 6


def ones(n: int) -> int:
    """The table that is true everywhere.

    >>> bin(ones(2))
    '0b1111'
    """
    return (1 << (1 << n)) - 1


@cache
def projections(n: int) -> list[int]:
    """The tables of n inputs themselves.

    >>> [bin(t) for t in projections(2)]
    ['0b1010', '0b1100']
    """
    everywhere = (1 << (1 << n)) - 1
    return [everywhere // ((1 << (1 << j)) + 1) << (1 << j) for j in range(n)]


def essential(table: int, n: int) -> list[int]:
    """The inputs the function really depends on.

    >>> essential(0b1010, 2)
    [0]
    """
    return [j for j, p in enumerate(projections(n)) if (table & p) >> (1 << j) != table & (p >> (1 << j))]


def restrict(table: int, keep: list[int]) -> int:
    """The table over the kept inputs only, the others being inessential.

    >>> bin(restrict(0b1010, [0]))
    '0b10'
    """
    index = (sum((i >> a & 1) << j for a, j in enumerate(keep)) for i in range(1 << len(keep)))
    return sum((table >> source & 1) << i for i, source in enumerate(index))


def flip_inputs(table: int, n: int, mask: int) -> int:
    """The table with the inputs in `mask` complemented.

    >>> bin(flip_inputs(0b1000, 2, 0b01))
    '0b100'
    """
    return sum((table >> (i ^ mask) & 1) << i for i in range(1 << n))


def parity(n: int) -> int:
    """The table of the exclusive or of all inputs.

    >>> bin(parity(2))
    '0b110'
    """
    return sum((i.bit_count() & 1) << i for i in range(1 << n))


def cubes(table: int, n: int) -> list[tuple[int, int]]:
    """A small irredundant sum of products: cubes (care, value) whose union is the table.

    Prime implicants, the essential ones first, then greedily the one that covers most of the rest.

    >>> cubes(0b1110, 2)
    [(1, 1), (2, 2)]
    """
    primes = _primes(table, n)
    left = {i for i in range(1 << n) if table >> i & 1}
    chosen: list[tuple[int, int]] = []
    while left:
        only = [p for i in left if len(ps := [p for p in primes if i & p[0] == p[1]]) == 1 for p in ps]
        best = min(only) if only else max(primes, key=lambda p: (sum(i & p[0] == p[1] for i in left), -p[0]))
        chosen.append(best)
        primes.remove(best)
        left = {i for i in left if i & best[0] != best[1]}
    return sorted(chosen)


def _primes(table: int, n: int) -> list[tuple[int, int]]:
    full = (1 << n) - 1
    primes: list[tuple[int, int]] = []
    for size in range(n + 1):
        for inputs in combinations(range(n), size):
            care = sum(1 << j for j in inputs)
            for value in _submasks(care):
                if any(value & c == v and care & c == c for c, v in primes):
                    continue
                if all(table >> (value | free) & 1 for free in _submasks(full & ~care)):
                    primes.append((care, value))
    return primes


def _submasks(mask: int) -> list[int]:
    found, sub = [0], mask
    while sub:
        found.append(sub)
        sub = (sub - 1) & mask
    return sorted(found)

"""Merges counts that share terms: bits that go into several counts the same way are counted once, and added to each.

The class scores of one net are such counts, weighted sums of the same bits. They are taken in groups of a few. Bits
whose coefficients in these counts are the same, up to a common factor, make a count of their own; there are far fewer
such patterns than bits. Then one score after another is added up. Parts that the remaining scores read in the same
proportion are added first, so that these sums are shared too. An estimate of look-up tables decides which counts are
grouped, and whether it pays at all.

before:  49 = count 0 1*1 … 1*24 1*25 … 1*48      after:  49 = count 0 1*1 … 1*24
         50 = ge 49 25                                    50 = count 0 1*25 … 1*48
         51 = count 0 1*1 … 1*24 -1*25 … -1*48            51 = sum 0 1*49 1*50
         52 = ge 51 2                                     52 = sum 0 1*49 -1*50
         output "y" bits 50 52                            53 = ge 51 25
                                                          54 = ge 52 2
                                                          output "y" bits 53 54
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import gcd

import numpy as np

from dbhw.logic.linear import Linear
from dbhw.logic.network import COMPARISONS, COUNT, SUM, Network
from dbhw.logic.rebuild import Copied, rebuild

_FEWEST_TERMS = 32  # A smaller count is a few look-up tables, which synthesis shares as well.
_LARGEST_GROUP = 6
_PER_BIT = 1.0  # look-up tables per counted bit: 0.75 with six inputs, 1.3 with four
_WORTH_IT = 0.9  # Together, counts must cost at most this part of what they cost alone.
_SKETCH = 8  # terms compared instead of all, to find counts that share many

Pattern = tuple[int, ...]


def run(network: Network) -> Network:
    """The network with common parts of large counts added up once.

    >>> n = Network(); x = [n.input(f"x{i}") for i in range(64)]
    >>> a, b = ([(bit, 1) for bit in x[:32]] + [(bit, sign) for bit in x[32:]] for sign in (1, -1))
    >>> n.output("y", [n.at_least(a, 20), n.at_least(b, 20)])
    >>> shared = run(n)
    >>> [sum(kind == which for kind in shared.kinds) for which in (COUNT, SUM)]
    [2, 2]
    """
    groups = {group[0]: group for group in _groups(network)}
    if not groups:
        return network
    shown = _shown(network)
    made: dict[int, _Made] = {}

    def replace(new: Network, node: int, copied: Copied) -> int | None:
        if node in groups:
            made.update(_make(network, new, groups[node], shown, copied))
        if node in made:
            return made[node].node
        count = network.fanin(node)[0] if network.kinds[node] in COMPARISONS else 0
        if count in made:
            k = network.parameters[node] - made[count].less
            return new.compare(network.kinds[node], made[count].node, k)
        return None

    return rebuild(network, replace)


@dataclass(frozen=True)
class _Made:
    """The integer that replaces a count, and how much less it is: a count that is only compared needs no constant."""

    node: int
    less: int


def _make(network: Network, new: Network, group: list[int], shown: set[int], copied: Copied) -> dict[int, _Made]:
    linears = [network.linear(count) for count in group]
    forms = [Linear.of([(copied[n], c) for n, c in form.coefficients.items()], form.constant) for form in linears]
    totals = _Adder(new).totals([form.coefficients for form in forms])
    made = {}
    for count, form, total in zip(group, forms, totals, strict=True):
        less = form.constant + total.less
        if count in shown:
            # The lowest digits of the constant go where a multiple of a power of two has zeros: that takes no adder.
            inner = new.sum_of([(total.word.node, 1)], less // total.scale)
            made[count] = _Made(new.sum_of([(inner, total.scale)], less % total.scale), 0)
        else:
            made[count] = _Made(new.sum_of([(total.word.node, total.scale)]), less)
    return made


def _shown(network: Network) -> set[int]:
    """The nodes that something else than a comparison reads."""
    readers, sources, _ = network.edges()
    others = ~np.isin(np.array(network.kinds)[readers], COMPARISONS)
    return {*sources[others].tolist(), *network.output_nodes()}


# Which counts are added up together


def _groups(network: Network) -> list[list[int]]:
    found = []
    for counts in _clusters(network):
        forms = [network.linear(count).coefficients for count in counts]
        size = _best_size(forms)
        many = -(-len(counts) // size)
        bounds = [len(counts) * i // many for i in range(many + 1)]
        for start, end in pairwise(bounds):
            alone = sum(_cost([form]) for form in forms[start:end])
            if end - start > 1 and _cost(forms[start:end]) <= _WORTH_IT * alone:
                found.append(counts[start:end])
    return found


def _best_size(forms: list[dict[int, int]]) -> int:
    """How many similar counts are best grouped, judged by the first of them."""
    costs = {1: _cost(forms[:1])}
    for size in range(2, min(len(forms), _LARGEST_GROUP) + 1):
        costs[size] = _cost(forms[:size]) / size
        if costs[size] > costs[size - 1]:
            break
    return min(costs, key=lambda size: costs[size])


def _cost(forms: list[dict[int, int]]) -> float:
    """About how many look-up tables it takes to add up counts together."""
    adder = _Adder(Network())
    adder.totals(forms)
    return adder.cost


def _clusters(network: Network) -> list[list[int]]:
    """Large counts of one layer that probably share many terms; all terms of a cluster come before all its counts."""
    clusters: list[list[int]] = []
    latest: dict[tuple[int, int], int] = {}  # by layer and term: the cluster it was last seen in
    for count in _large(network):
        terms = np.array(network.fanin(count), np.uint32) >> 1
        # The terms that a scrambled numbering puts first: counts that share many terms share some of these.
        order = np.argpartition(terms * np.uint32(2654435761), _SKETCH)[:_SKETCH]
        sketch = [(network.layers[count], term) for term in terms[order].tolist()]
        votes = Counter(latest[key] for key in sketch if key in latest)
        cluster, agree = votes.most_common(1)[0] if votes else (0, 0)
        if agree < 2 or int(terms.max()) > clusters[cluster][0]:
            cluster = len(clusters)
            clusters.append([])
        clusters[cluster].append(count)
        latest.update(dict.fromkeys(sketch, cluster))
    return [cluster for cluster in clusters if len(cluster) > 1]


def _large(network: Network) -> list[int]:
    """The counts with many terms that outputs depend on, except those that are parts of a sum already."""
    kinds = np.array(network.kinds)
    large = np.flatnonzero((kinds == COUNT) & (np.diff(np.array(network.starts)) >= _FEWEST_TERMS)).tolist()
    if len(large) < 2:
        return []
    readers, shown = network.reader_counts(), _shown(network)
    parts = {source for node in np.flatnonzero(kinds == SUM).tolist() for source in network.fanin(node)}
    # Hardware codes a negative count differently from a negative sum, so a count that is shown stays one.
    plain = (node for node in large if node not in shown or network.bounds(node)[0] >= 0)
    return [node for node in plain if readers[node] and node not in parts]


# How they are added up


@dataclass(frozen=True)
class _Word:
    """An integer node, its least and its largest value."""

    node: int
    low: int
    high: int

    def width(self) -> int:
        return max(self.high.bit_length(), (-self.low).bit_length()) + (self.low < 0)


@dataclass(frozen=True)
class _Total:
    """A count as word x scale + less."""

    word: _Word
    scale: int
    less: int


class _Adder:
    """Makes sums in a network, and estimates what they cost."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.cost = 0.0

    def totals(self, forms: list[dict[int, int]]) -> list[_Total]:
        """Sums of coefficient x node, added up together."""
        scales = [gcd(*form.values()) for form in forms]
        scales = [scale & -scale for scale in scales]
        vectors: dict[int, list[int]] = {}
        for i, (form, scale) in enumerate(zip(forms, scales, strict=True)):
            for node, c in form.items():
                vectors.setdefault(node, [0] * len(forms))[i] = c // scale
        words: dict[Pattern, _Word] = {}
        less = [0] * len(forms)
        for pattern, terms in _patterns(vectors).items():
            words[pattern], low = self._leaf(terms)
            less = [before + c * low for before, c in zip(less, pattern, strict=True)]
        found = []
        for scale, missing in zip(scales, less, strict=True):
            mine = [(word, pattern[0]) for pattern, word in words.items() if pattern[0]]
            found.append(_Total(self._sum(mine), scale, missing * scale))
            words = self._rest(words)
        return found

    def _leaf(self, terms: list[tuple[int, int]]) -> tuple[_Word, int]:
        """The bits as a number that starts at 0, and the least value that was taken off."""
        linear = Linear.of(terms)
        low, high = linear.bounds()
        if len(terms) > 1:
            self.cost += _PER_BIT * sum(abs(c).bit_count() for c in linear.coefficients.values())
        return _Word(self.network.count(terms, -low), 0, high - low), low

    def _rest(self, words: dict[Pattern, _Word]) -> dict[Pattern, _Word]:
        """The words of all counts but the first; words that these read in the same proportion become one."""
        alike: dict[Pattern, list[tuple[_Word, int]]] = {}
        for pattern, word in words.items():
            if any(pattern[1:]):
                rest, factor = _normal(pattern[1:])
                alike.setdefault(rest, []).append((word, factor))
        found = {}
        for rest, members in alike.items():
            # A sum begins with a part that is added.
            sign = 1 if any(factor > 0 for _, factor in members) else -1
            if len(members) == 1:
                word, sign = members[0]
            else:
                word = self._sum([(member, factor * sign) for member, factor in members])
            found[tuple(c * sign for c in rest)] = word
        return found

    def _sum(self, terms: Iterable[tuple[_Word, int]]) -> _Word:
        """The sum of word x coefficient: the narrowest first; what is subtracted is added up and subtracted once."""
        sides: list[list[tuple[int, int, _Word, int]]] = [[], []]
        for i, (word, c) in enumerate(terms):
            sides[c < 0].append((word.width(), i, word, abs(c)))
        order = sum(map(len, sides))
        for side in sides:
            heapq.heapify(side)
            while len(side) > 1:
                (_, _, a, m), (_, _, b, n) = heapq.heappop(side), heapq.heappop(side)
                common = gcd(m, n)
                word = self._combined([(a, m // common), (b, n // common)])
                heapq.heappush(side, (word.width(), order, word, common))
                order += 1
        return self._combined([(word, -c if i else c) for i, side in enumerate(sides) for _, _, word, c in side])

    def _combined(self, terms: list[tuple[_Word, int]]) -> _Word:
        if len(terms) == 1 and terms[0][1] == 1:
            return terms[0][0]
        low, high = (sum(c * (w.high if (c < 0) != most else w.low) for w, c in terms) for most in (False, True))
        word = _Word(self.network.sum_of([(w.node, c) for w, c in terms]), low, high)
        self.cost += (sum(abs(c).bit_count() for _, c in terms) - 1) * word.width()
        return word


def _patterns(vectors: dict[int, list[int]]) -> dict[Pattern, list[tuple[int, int]]]:
    """The (literal, factor) terms of each pattern of coefficients; a pattern of few bits is not worth the adders."""
    found: dict[Pattern, list[tuple[int, int]]] = {}
    for node, vector in vectors.items():
        pattern, factor = _normal(tuple(vector))
        found.setdefault(pattern, []).append((node * 2, factor))
    for pattern in list(found):
        counts = [i for i, c in enumerate(pattern) if c]
        many = len(found[pattern])
        if len(counts) > 1 and _PER_BIT * many * (len(counts) - 1) < 2 * (many.bit_length() + 2):
            for literal, factor in found.pop(pattern):
                for i in counts:
                    alone = tuple(int(i == j) for j in range(len(pattern)))
                    found.setdefault(alone, []).append((literal, factor * pattern[i]))
    return found


@lru_cache(1 << 12)
def _normal(vector: Pattern) -> tuple[Pattern, int]:
    """A vector without its common factor, the first entry positive; and the factor."""
    factor = gcd(*vector)
    if next(c for c in vector if c) < 0:
        factor = -factor
    return tuple(c // factor for c in vector), factor

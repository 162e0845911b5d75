"""Clipped n-gram matches per segment and order, from tokens: the hot loop.

`token_ids` assigns equal ids to equal tokens of a segment. An n-gram is represented as the pair of its two
(n-1)-grams. Therefore each order assigns ids to pairs of ids, and n-grams are never built. An n-gram can match only if
both of its (n-1)-grams match. Therefore each order keeps only the n-grams that matched in the order before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ._validation import Bools, Bytes, Ints, UInts

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd: Knuth's multiplicative hashing
_FEW = 4096  # up to so many keys get a larger table: another round would take longer than the empty slots
_MULTIPLIERS = (0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F, 0x2545F4914F6CDD1D, 0x94D049BB133111EB)


def factorize(key: UInts, second: UInts | None = None) -> Ints:
    """Return an id for each key: equal keys (or equal pairs of `key` and `second`) have equal ids.

    The arrays have the shape (n,). The ids are int64 of shape (n,): each id is the last position of an equal key.

    >>> factorize(np.array([7, 5, 7, 7], np.uint64))
    array([3, 1, 3, 3])
    """
    ids = _holders(key, second, np.uint64(_MULTIPLIERS[0]))
    unsolved = _collisions(key, second, ids)
    for multiplier in _MULTIPLIERS[1:]:
        if not len(unsolved):
            return ids
        rest = key.take(unsolved)
        second_rest = None if second is None else second.take(unsolved)
        rest_ids = _holders(rest, second_rest, np.uint64(multiplier))
        ids[unsolved] = unsolved.take(rest_ids)
        unsolved = unsolved.take(_collisions(rest, second_rest, rest_ids))
    if len(unsolved):
        second_rest = None if second is None else second.take(unsolved)
        ids[unsolved] = unsolved.take(_factorize_by_sorting(key.take(unsolved), second_rest))
    return ids


def _collisions(key: UInts, second: UInts | None, ids: Ints) -> Ints:
    """Return the positions whose slot a different key occupies."""
    differs = key.take(ids) != key
    if second is not None:
        differs |= second.take(ids) != second
    positions: Ints = differs.nonzero()[0]
    return positions


def _holders(key: UInts, second: UInts | None, multiplier: np.uint64) -> Ints:
    """Write every position into the slot of its key in a hash table; return the last position in each key's slot."""
    mixed = key * multiplier
    mixed ^= mixed >> np.uint64(32)  # the high half of a key must also reach the low bits
    if second is not None:
        mixed += second * _GOLDEN
    mixed *= _GOLDEN
    bits = max(4, (2 * len(key)).bit_length())
    if len(key) < _FEW:
        bits += 2
    mixed >>= np.uint64(64 - bits)
    slots = mixed.view(np.int64)
    table = np.empty(1 << bits, np.int32)
    table[slots] = np.arange(len(key), dtype=np.int32)
    return table.take(slots).astype(np.int64)


def _factorize_by_sorting(key: UInts, second: UInts | None) -> Ints:
    """Return an id for each key by sorting. This is slower, but no set of keys can make it degenerate."""
    order = np.lexsort((key,) if second is None else (key, second))
    differs = np.diff(key.take(order)) != 0
    if second is not None:
        differs |= np.diff(second.take(order)) != 0
    ends = np.append(differs.nonzero()[0], len(key) - 1)
    ids = np.empty(len(key), np.int64)
    ids[order] = np.repeat(order.take(ends), np.diff(ends, prepend=-1))
    return ids


# Slower alternatives, in time per key, on a chunk of 64,000 (segment, token) pairs in one thread:
# Arrow's dictionary_encode of int64 23 ns, np.sort 35 ns, np.unique 60 ns. This function: 5 ns.
# A separate part of the table for each segment, to read memory that lies close together: equally fast for tokens,
# slower for n-grams, because keys close to each other collide more often. One key of word and length instead of two:
# 2 % in all. For 16 million keys, with a table larger than any cache (57 ns): sorting by 8 bits of the hash first,
# 100 ns.
_WORD = 8
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_WORD + 1)], np.uint64)
_LONG = 64  # bytes; a longer token is looked up as one string, because a text without spaces would take many rounds


def token_ids(data: Bytes, starts: Ints, lengths: Ints, segments: Ints) -> Ints:
    """Return an id for each token: equal tokens of one segment have equal ids.

    Token i is ``data[starts[i] : starts[i] + lengths[i]]``; `data` has 16 more bytes after the last token.
    `segments`: the segment of each token. Equal tokens of different segments have different ids, because they never
    match. The ids are int64 of shape (tokens,): the last position of an equal token of the same segment.
    """
    ids = factorize(_words(data, starts, lengths), _with_length(segments, lengths))
    longer = (lengths > _WORD).nonzero()[0]
    read = _WORD
    while len(longer) and read < _LONG:
        rest = lengths.take(longer) - read
        equal_so_far = _with_length(ids.take(longer), rest)
        next_words = _words(data, starts.take(longer) + read, rest)
        ids[longer] = longer.take(factorize(next_words, equal_so_far))
        longer = longer[rest > _WORD]
        read += _WORD
    if len(longer):
        codes = _dictionary_codes(data, starts.take(longer), lengths.take(longer))
        ids[longer] = longer.take(factorize(codes, segments.take(longer).view(np.uint64)))
    return ids


def _with_length(number: Ints, lengths: Ints) -> UInts:
    """Merge a number and a length into one key; all lengths above one word count as the same."""
    key: UInts = (number << 4 | np.minimum(lengths, _WORD + 1)).view(np.uint64)
    return key


def _words(data: Bytes, starts: Ints, lengths: Ints) -> UInts:
    """Read up to 8 bytes at each start, as two aligned words shifted together."""
    aligned = data.view("<u8")
    low = aligned.take(starts >> 3)
    high = aligned.take((starts >> 3) + 1)
    shift = (starts.view(np.uint64) & np.uint64(7)) << np.uint64(3)
    low >>= shift
    high <<= np.uint64(63) - shift  # in two steps: a shift by 64 changes nothing
    high <<= np.uint64(1)
    low |= high
    low &= _MASKS.take(lengths, mode="clip")
    return low


def _dictionary_codes(data: Bytes, starts: Ints, lengths: Ints) -> UInts:
    """Return a number for each long token, from Arrow's dictionary of strings."""
    fences = np.stack((starts, starts + lengths), axis=1).ravel()
    pieces = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(), len(fences) - 1, [None, pa.py_buffer(fences), pa.py_buffer(data)]
    )
    every_second = pa.array(np.arange(0, len(fences), 2))  # the others lie between two tokens
    tokens = pieces.take(every_second)
    codes: UInts = tokens.dictionary_encode().indices.to_numpy().astype(np.uint64)
    return codes


class NGrams(NamedTuple):
    """The n-grams of one order: first those of all references, segment by segment, then those of all predictions."""

    ids: Ints  # (n-grams,): the last position of an equal n-gram of the same segment
    bounds: Ints  # (2 * segments + 1,): starts of each segment's references, starts of the predictions, the end
    adjacent: Bools  # (n-grams - 1,): whether the next n-gram starts one token later, in the same text
    texts: Ints | None  # (n-grams of the references,): which reference; None if every segment has one

    @property
    def segments(self) -> int:
        return len(self.bounds) // 2

    @property
    def first_prediction(self) -> int:
        """Return the position at which the n-grams of the predictions start."""
        return int(self.bounds[self.segments])


def clipped_matches(ids: Ints, lengths: Ints, references_per_segment: Ints, max_order: int) -> Ints:
    """Count the clipped matches of every segment and order.

    `ids`: for each token, the last position of an equal token in its segment. All references come first, in the order
    of their segments, then all predictions. `lengths`: tokens per text, shape (references + segments,).
    `references_per_segment`: shape (segments,). The counts are int64 of shape (segments, max_order).

    Example of one segment: the prediction "a b" and the reference "b a b" have the tokens b a b a b. The last "a" has
    position 3.

    >>> clipped_matches(np.array([4, 3, 4, 3, 4]), np.array([3, 2]), np.array([1]), 3)
    array([[2, 1, 0]])
    """
    grams = _unigrams(ids, lengths, references_per_segment)
    matches = np.zeros((grams.segments, max_order), np.int64)
    for order in range(max_order):
        if not len(grams.ids):
            break
        limits = _most_in_one_reference(grams)
        clipped = np.minimum(_times_in_prediction(grams), limits)
        matches[:, order] = _sum_by_prediction(clipped, grams)
        if order < max_order - 1:
            grams = _longer_by_one(grams, limits)
    return matches


def _unigrams(ids: Ints, lengths: Ints, references_per_segment: Ints) -> NGrams:
    segments = len(references_per_segment)
    n_references = len(lengths) - segments
    ends = np.concatenate(([0], np.cumsum(lengths)))
    last_reference = np.concatenate(([0], np.cumsum(references_per_segment)))
    same_text = np.ones(len(ids) + 1, bool)
    same_text[ends] = False
    texts = None
    if n_references > segments:
        texts = np.repeat(np.arange(n_references), lengths[:n_references])
    return NGrams(
        ids=ids,
        bounds=np.concatenate((ends[last_reference], ends[n_references + 1 :])),
        adjacent=same_text[1:-1],
        texts=texts,
    )


# The three functions below return arrays with an entry for each n-gram of the predictions. If an n-gram occurs in a
# prediction, its id is a position in the predictions. Therefore counts of ids need no separate table.


def _times_in_prediction(grams: NGrams) -> Ints:
    """Count how often each n-gram occurs in its prediction. The count is the entry at its id; other entries are 0."""
    first = grams.first_prediction
    return np.bincount(grams.ids[first:] - first, minlength=len(grams.ids) - first)


def _most_in_one_reference(grams: NGrams) -> Ints:
    """Count the most times each n-gram occurs in a single reference. The count is the entry at the n-gram's id."""
    size = len(grams.ids)
    first = grams.first_prediction
    ids = grams.ids[:first]
    if grams.texts is None:
        return np.bincount(ids, minlength=size)[first:]
    times = np.bincount(factorize(pair_keys(ids, grams.texts)))
    one_of_each = times.nonzero()[0]
    most = np.zeros(size, np.int64)
    np.maximum.at(most, ids.take(one_of_each), times.take(one_of_each))
    return most[first:]


def _sum_by_prediction(values: Ints, grams: NGrams) -> Ints:
    """Sum the entries of each prediction; 0 for one without n-grams."""
    running = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=running[1:])
    bounds = grams.bounds[grams.segments :] - grams.first_prediction
    sums = running.take(bounds)
    return sums[1:] - sums[:-1]


def _longer_by_one(grams: NGrams, limits: Ints) -> NGrams:
    """Build n-grams of the next order: pair neighbours in a text if both can be part of a match."""
    can_match = _can_match(grams, limits)
    pairs = can_match[1:] & can_match[:-1]
    pairs &= grams.adjacent
    kept = pairs.nonzero()[0]
    kept_before = np.zeros(len(grams.ids) + 1, np.int64)
    np.cumsum(pairs, out=kept_before[1:-1])
    kept_before[-1] = kept_before[-2]
    texts = grams.texts
    if texts is not None:
        texts = texts.take(kept[: kept_before[grams.first_prediction]])
    return NGrams(
        ids=factorize(pair_keys(grams.ids.take(kept), grams.ids.take(kept + 1))),
        bounds=kept_before.take(grams.bounds),
        adjacent=kept[1:] - kept[:-1] == 1,  # neighbouring pairs share an n-gram, so they are in one text
        texts=texts,
    )


def _can_match(grams: NGrams, limits: Ints) -> Bools:
    """Return whether each n-gram of a reference occurs in the prediction, and each of a prediction in a reference."""
    first = grams.first_prediction
    in_prediction = grams.ids[:first] >= first
    in_reference = (limits > 0).take(grams.ids[first:] - first)
    return np.concatenate((in_prediction, in_reference))


_HALF = np.uint64(32)  # a text or an id is below 2**32, so that two of them make one key


def pair_keys(left: Ints, right: Ints) -> UInts:
    """Pack two numbers below 2**32 into one key."""
    key: UInts = left.view(np.uint64) << _HALF
    key |= right.view(np.uint64)
    return key

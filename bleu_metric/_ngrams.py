"""Tokens -> numbers -> clipped n-gram matches per segment and order: the hot loop.

`token_ids` gives equal tokens of a segment equal numbers. An n-gram is the pair of its two (n-1)-grams, so every order
numbers pairs of numbers and no n-gram is ever built. An n-gram can match only if both of its (n-1)-grams do: each
order works on what is left of the order before.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ._arrays import Bytes, Ints, UInts

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd: Knuth's multiplicative hashing
_FEW = 4096  # keys that get a larger table: another round would cost more than the empty places
_MULTIPLIERS = (0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F, 0x2545F4914F6CDD1D, 0x94D049BB133111EB)


def factorize(key: UInts, second: UInts | None = None) -> Ints:
    """Number the keys (or the pairs of `key` and `second`) so that equal ones get equal numbers.

    Takes one or two arrays of shape (n,); returns int64 of shape (n,), each number the last position of an equal key.
    """
    found = _holders(key, second, np.uint64(_MULTIPLIERS[0]))
    left = _lost(key, second, found)
    for multiplier in _MULTIPLIERS[1:]:
        if not len(left):
            return found
        some, other = key.take(left), None if second is None else second.take(left)
        holder = _holders(some, other, np.uint64(multiplier))
        found[left] = left.take(holder)
        left = left.take(_lost(some, other, holder))
    if len(left):
        found[left] = left.take(_factorize_by_sorting(key.take(left), None if second is None else second.take(left)))
    return found


def _lost(key: UInts, second: UInts | None, holder: Ints) -> Ints:
    """Which positions look at a key that is not equal to theirs."""
    differs = key.take(holder) != key
    if second is not None:
        differs |= second.take(holder) != second
    positions: Ints = differs.nonzero()[0]
    return positions


def _holders(key: UInts, second: UInts | None, multiplier: np.uint64) -> Ints:
    """Write every position into a table at its key's hash, and read back who holds the place: the last written."""
    place = key * multiplier
    place ^= place >> np.uint64(32)  # the high half of a key must reach the low bits, too
    if second is not None:
        place += second * _GOLDEN
    place *= _GOLDEN
    bits = max(4, (2 * len(key)).bit_length()) + (2 if len(key) < _FEW else 0)
    place >>= np.uint64(64 - bits)
    slot = place.view(np.int64)
    table = np.empty(1 << bits, np.int32)
    table[slot] = np.arange(len(key), dtype=np.int32)
    return table.take(slot).astype(np.int64)


def _factorize_by_sorting(key: UInts, second: UInts | None) -> Ints:
    """The same answer by sorting: slower, but no choice of keys defeats it."""
    order = np.lexsort((key,) if second is None else (key, second))
    differs = np.diff(key.take(order)) != 0
    if second is not None:
        differs |= np.diff(second.take(order)) != 0
    ends = np.append(differs.nonzero()[0], len(key) - 1)
    same = np.empty(len(key), np.int64)
    same[order] = np.repeat(order.take(ends), np.diff(ends, prepend=-1))
    return same


# Tried and lost, per key on a chunk of 64,000 (segment, token) pairs, one thread:
# Arrow's dictionary_encode of int64 23 ns, np.sort 35 ns, np.unique 60 ns; this: 5 ns.
# A stretch of the table for each segment, so that what is read lies close together: as slow, for tokens, and for
# n-grams slower, as keys near each other lose more places. One key of word and length instead of two: 2 % in all.
_WORD = 8
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_WORD + 1)], np.uint64)
_LONG = 64  # bytes; a longer token is looked up whole, or a text without spaces would be read word by word


def token_ids(data: Bytes, starts: Ints, lengths: Ints, segments: Ints) -> Ints:
    """Number the tokens ``data[start : start + length]``; `data` goes on for 16 bytes after the last token.

    `segments`: the segment of each token; equal tokens of different segments get different numbers, for they never
    match. Returns int64 of shape (tokens,): the position of an equal token of the same segment.
    """
    ids = factorize(_words(data, starts, lengths), _with_length(segments, lengths))
    longer = (lengths > _WORD).nonzero()[0]
    read = _WORD
    while len(longer) and read < _LONG:
        rest = lengths.take(longer) - read
        so_far = _with_length(ids.take(longer), rest)  # equal up to here
        ids[longer] = longer.take(factorize(_words(data, starts.take(longer) + read, rest), so_far))
        longer = longer[rest > _WORD]
        read += _WORD
    if len(longer):
        codes = _look_up(data, starts.take(longer), lengths.take(longer))
        ids[longer] = longer.take(factorize(codes, segments.take(longer).view(np.uint64)))
    return ids


def _with_length(number: Ints, lengths: Ints) -> UInts:
    """Put a number and a length, in bytes or "more than a word", into one."""
    both: UInts = (number << 4 | np.minimum(lengths, _WORD + 1)).view(np.uint64)
    return both


def _words(data: Bytes, starts: Ints, lengths: Ints) -> UInts:
    """Read up to 8 bytes at each start, as two aligned words shifted together."""
    aligned = data.view("<u8")
    low = aligned.take(starts >> 3)
    high = aligned.take((starts >> 3) + 1)
    shift = (starts.view(np.uint64) & np.uint64(7)) << np.uint64(3)
    low >>= shift
    high <<= np.uint64(63) - shift  # in two steps: a shift by 64 is no shift
    high <<= np.uint64(1)
    low |= high
    low &= _MASKS.take(lengths, mode="clip")
    return low


def _look_up(data: Bytes, starts: Ints, lengths: Ints) -> UInts:
    """Number long tokens by Arrow's dictionary of whole strings."""
    fences = np.stack((starts, starts + lengths), axis=1).ravel()  # every second stretch is a token
    stretches = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(), len(fences) - 1, [None, pa.py_buffer(fences), pa.py_buffer(data)]
    )
    tokens = stretches.take(pa.array(np.arange(0, len(fences), 2)))
    codes: UInts = tokens.dictionary_encode().indices.to_numpy().astype(np.uint64)
    return codes


_HALF = np.uint64(32)  # a text or a group is numbered below 2**32, so two of them make one key


def _pair(left: Ints, right: Ints) -> UInts:
    key: UInts = left.view(np.uint64) << _HALF
    key |= right.view(np.uint64)
    return key


def _sums(values: Ints, bounds: Ints) -> Ints:
    """Sum the values between each two neighbouring bounds; an empty stretch sums to 0."""
    running = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=running[1:])
    return np.diff(running.take(bounds))


def _most_in_one_reference(groups: Ints, text: Ints, size: int) -> Ints:
    """For each group: the largest number of times that one single reference has it."""
    same = factorize(_pair(groups, text))
    times = np.bincount(same)
    one_of_each = times.nonzero()[0]
    most = np.zeros(size, np.int64)
    np.maximum.at(most, groups.take(one_of_each), times.take(one_of_each))
    return most


def clipped_matches(ids: Ints, lengths: Ints, references_per_segment: Ints, max_order: int) -> Ints:
    """Count the clipped matches of every segment and order.

    `ids`: for each token the last position of an equal one in its segment; all references first, in the order of
    their segments, then all predictions. `lengths`: tokens per text, shape (references + segments,).
    `references_per_segment`: shape (segments,). Returns int64 of shape (segments, max_order).
    """
    segments = len(references_per_segment)
    n_references = len(lengths) - segments
    matches = np.zeros((segments, max_order), np.int64)
    ends = np.concatenate(([0], np.cumsum(lengths)))
    last_reference = np.concatenate(([0], np.cumsum(references_per_segment)))
    bounds = np.concatenate((ends[last_reference], ends[n_references + 1 :]))  # references by segment, predictions
    several = n_references > segments
    text = np.repeat(np.arange(n_references), lengths[:n_references]) if several else None
    groups = ids
    inside = np.ones(len(ids) + 1, bool)  # whether a token and its left neighbour are in one text
    inside[ends] = False
    position = None  # of the n-gram's first token; None: 0, 1, 2, …
    for order in range(max_order):
        split = bounds[segments]  # where the predictions' n-grams start
        size = len(groups)
        of_references, of_predictions = groups[:split], groups[split:] - split
        # A group's number is its last position: one of the prediction, if the prediction has it
        if text is not None:
            most = _most_in_one_reference(of_references, text, size)[split:]
        else:
            most = np.bincount(of_references, minlength=size)[split:]
        clipped = np.minimum(np.bincount(of_predictions, minlength=size - split), most)
        matches[:, order] = _sums(clipped, bounds[segments:] - split)
        if order == max_order - 1:
            break
        alive = np.concatenate((of_references >= split, (most > 0).take(of_predictions)))
        both = alive[1:] & alive[:-1]
        both &= inside[1:-1] if position is None else np.diff(position) == 1
        kept = both.nonzero()[0]
        if not len(kept):
            break
        position = kept if position is None else position.take(kept)
        kept_before = np.zeros(size + 1, np.int64)
        np.cumsum(both, out=kept_before[1:-1])
        kept_before[-1] = kept_before[-2]
        if text is not None:
            text = text.take(kept[: kept_before[split]])
        bounds = kept_before.take(bounds)
        groups = factorize(_pair(groups.take(kept), groups.take(kept + 1)))
    return matches

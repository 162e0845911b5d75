"""Count the clipped n-gram matches of each segment and order, with NumPy.

`token_ids` assigns equal ids to equal tokens of a segment. An n-gram is a pair of (n-1)-grams: "a b c" is the pair of
the ids of "a b" and "b c". `factorize` assigns an id to each pair. An n-gram is built only if both (n-1)-grams can
match, because otherwise the n-gram cannot match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from ._lazy import np
from ._validation import Bools, Bytes, Ints, UInts

Key = Sequence[UInts]  # columns of shape (n,): key i consists of the i-th number of each column
_GOLDEN = 0x9E3779B97F4A7C15  # an odd number near 2**64 / golden ratio, as in Knuth's multiplicative hashing
_FEW_KEYS = 4096  # for fewer keys, the table has 4 times as many slots, so that fewer keys collide
_MULTIPLIERS = (0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F, 0x2545F4914F6CDD1D, 0x94D049BB133111EB)


def factorize(*key: UInts, multipliers: Sequence[int] = _MULTIPLIERS) -> Ints:
    """Return the id of each key: the last position at which the key occurs.

    Key i consists of the i-th number of each column. All columns have the shape (n,). The ids are int64. Keys that
    collide in a hash table are hashed again with the next multiplier. After the last multiplier, colliding keys are
    sorted.

    >>> factorize(np.array([7, 5, 7, 7], np.uint64))
    array([3, 1, 3, 3])
    """
    if not multipliers:
        return _factorize_by_sorting(key)

    ids = _last_in_slot(key, multipliers[0])
    # A wrong id is the position of a different key in the same slot
    has_wrong_id = reduce(or_, [column.take(ids) != column for column in key])
    colliding = has_wrong_id.nonzero()[0]

    if len(colliding):
        colliding_keys = [column.take(colliding) for column in key]
        ids_among_colliding = factorize(*colliding_keys, multipliers=multipliers[1:])
        ids[colliding] = colliding.take(ids_among_colliding)
    return ids


def _last_in_slot(key: Key, multiplier: int) -> Ints:
    """Return, for each key, the last position of a key in the same slot of a hash table.

    For example, if the keys have the slots 1, 3, 1, the result is 2, 1, 2. Two different keys can have the same slot.
    """
    n_keys = len(key[0])
    bits = (2 * n_keys).bit_length()  # so that the table has 2 to 4 slots per key
    if n_keys < _FEW_KEYS:
        bits += 2
    slots = _hash_keys(key, multiplier, bits)

    table = np.empty(1 << bits, np.int32)
    table[slots] = np.arange(n_keys, dtype=np.int32)
    return table.take(slots).astype(np.int64)


def _hash_keys(key: Key, multiplier: int, bits: int) -> Ints:
    """Return the slot of each key in a hash table of 2**bits slots."""
    hashes = key[0] * multiplier
    hashes ^= hashes >> 32  # otherwise the key's high half would not affect the low half of its hash
    for column in key[1:]:
        hashes += column * _GOLDEN
    hashes *= _GOLDEN
    hashes >>= 64 - bits
    return hashes.view(np.int64)


def _factorize_by_sorting(key: Key) -> Ints:
    """Return the same ids as `factorize`. Keys that an attacker chose to collide cannot slow down sorting."""
    n_keys = len(key[0])
    number = np.zeros(n_keys, np.int64)  # keys that are equal in all columns so far have equal numbers
    for column in key:
        _, number_in_column = np.unique(column, return_inverse=True)
        _, number = np.unique(number * n_keys + number_in_column, return_inverse=True)

    last_position = np.empty_like(number)
    last_position[number] = np.arange(n_keys)  # the last position of equal keys remains
    return last_position.take(number)


# For 64,000 (segment, token) pairs in one thread, `factorize` takes 5 ns per key, Arrow's dictionary_encode of int64
# 23 ns, np.sort 35 ns and np.unique 60 ns. These changes help little or not at all:
# - Give each segment its own part of the table: tokens take the same time, but the keys of n-grams collide more often.
# - Merge the first 8 bytes and the length of a token into one key: the whole count takes 2 % less time.
# - Sort the keys by 8 bits of the hash first: for 16 million keys, a key takes 100 ns instead of 57 ns.

_WORD_BYTES = 8  # a step of `token_ids` compares this many bytes of each token
_LONG_TOKEN_BYTES = 64  # longer tokens would take too many steps, so a dict compares them


def token_ids(data: Bytes, starts: Ints, lengths: Ints, segments: Ints) -> Ints:
    """Return the id of each token: the last position of an equal token in the same segment.

    Token i is ``data[starts[i] : starts[i] + lengths[i]]``; at least 16 more bytes follow the last token.
    `segments`: the segment of each token. The ids are int64 of shape (tokens,).
    """
    ids = factorize(_read_words(data, starts, lengths), _with_length(segments, lengths))

    # Longer tokens of a segment now have equal ids if their first 8 bytes are equal. Each step compares 8 more bytes
    longer = (lengths > _WORD_BYTES).nonzero()[0]
    n_compared = _WORD_BYTES
    while len(longer) and n_compared < _LONG_TOKEN_BYTES:
        remaining = lengths.take(longer) - n_compared
        next_words = _read_words(data, starts.take(longer) + n_compared, remaining)
        equal_so_far = _with_length(ids.take(longer), remaining)
        ids_among_longer = factorize(next_words, equal_so_far)
        ids[longer] = longer.take(ids_among_longer)
        longer = longer[remaining > _WORD_BYTES]
        n_compared += _WORD_BYTES

    if len(longer):
        ids_among_longer = _ids_of_long_tokens(data, starts.take(longer), lengths.take(longer), segments.take(longer))
        ids[longer] = longer.take(ids_among_longer)
    return ids


def _with_length(numbers: Ints, lengths: Ints) -> UInts:
    """Pack each number and the length of its token into one key. Lengths above 8 count as 9."""
    bits_of_length = 4  # enough for the lengths 0 to 9
    stored_lengths = np.minimum(lengths, _WORD_BYTES + 1)
    key: UInts = (numbers << bits_of_length | stored_lengths).view(np.uint64)
    return key


@cache
def _masks() -> UInts:
    """Return nine masks. Mask n keeps the lowest n bytes of a 64-bit word."""
    return np.array([(1 << 8 * size) - 1 for size in range(_WORD_BYTES + 1)], np.uint64)


def _read_words(data: Bytes, starts: Ints, lengths: Ints) -> UInts:
    """Read the first 8 bytes of each token, or fewer, as one little-endian number.

    The 8 bytes can be in two aligned words. A token at byte 3 has five bytes in `low` and three bytes in `high`:

        bytes     0 1 2 3 4 5 6 7   8 9 10 11 12 13 14 15
        words     low . . . . . .   high .  .  .  .  .  .
        token           a b c d e   f g h
    """
    aligned = data.view("<u8")
    index_of_low = starts >> 3  # start // 8
    bits_before_token = ((starts & 7) << 3).view(np.uint64)  # start % 8 * 8
    low = aligned.take(index_of_low)
    low >>= bits_before_token
    high = aligned.take(index_of_low + 1)
    high <<= 63 - bits_before_token  # in two steps, because a shift by 64 is undefined in C
    high <<= 1
    low |= high
    low &= _masks().take(lengths, mode="clip")
    return low


def _ids_of_long_tokens(data: Bytes, starts: Ints, lengths: Ints, segments: Ints) -> Ints:
    """Return the same ids as `token_ids`, with a dict of (segment, token) -> last position."""
    raw = data.tobytes()
    keys = []
    for segment, start, length in zip(segments.tolist(), starts.tolist(), lengths.tolist(), strict=True):
        token = raw[start : start + length]
        keys.append((segment, token))

    # If a key occurs twice, the dict keeps the last position
    last_position = {key: position for position, key in enumerate(keys)}
    return np.array([last_position[key] for key in keys])


def split_systems(ids: Ints, lengths: Ints, n_references: int, n_systems: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield the arguments `ids` and `lengths` of `clipped_matches` for each system.

    For example, a reference of 3 tokens and the predictions of two systems have the lengths 3 4 5. The first system
    gets the lengths 3 4, and the second system gets 3 5.

    `ids`: an id for each token of all references, then of the predictions of each system. `lengths`: number of tokens
    of each text, in the same order.
    """
    if n_systems == 1:
        yield ids, lengths
        return

    reference_lengths, all_prediction_lengths = np.split(lengths, [n_references])
    lengths_of_systems = all_prediction_lengths.reshape(n_systems, -1)
    # The number of tokens of all references, then of each system
    n_tokens = [reference_lengths.sum(), *lengths_of_systems.sum(axis=1)]
    ends = np.cumsum(n_tokens)
    reference_ids, *ids_of_systems = np.split(ids, ends[:-1])

    for system_ids, prediction_lengths in zip(ids_of_systems, lengths_of_systems, strict=True):
        joined = np.concatenate((reference_ids, system_ids))
        # An id must be the last position of its token in `joined`
        own_ids = factorize(joined.view(np.uint64))
        yield own_ids, np.concatenate((reference_lengths, prediction_lengths))


class NGrams(NamedTuple):
    """The n-grams of one order, text by text. A repeated n-gram has an entry for each occurrence.

    For example, the references "a b" and "c a" and the prediction "a b" of a segment have these unigrams:

        n-gram    a b     c a     a b
        ids       4 5     2 4     4 5
        text      0 0     1 1     2 2
        place     0 1     3 4     6 7
    """

    ids: Ints  # last position of an equal n-gram in the same segment
    text: Ints  # index of the text that contains the n-gram
    place: Ints  # index of the first token + `text`; differs by 1 only for adjacent n-grams of the same text


def unigrams(ids: Ints, lengths: Ints) -> NGrams:
    """Return the tokens of all texts as n-grams of order 1.

    `ids`: the last position of an equal token in the segment, for each token. `lengths`: number of tokens of each text.
    """
    text = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(ids)) + text  # skips a number between texts
    return NGrams(ids, text, place)


def starts_of_longer(grams: NGrams, can_match: Bools) -> Ints:
    """Return the positions at which an n-gram and the next n-gram of the same text can both match.

    For example, the unigrams of the texts "a b c d" and "a" have the positions 0 to 4. If all except "d" can match,
    the result is [0, 1], for "a b" and "b c". `can_match`: one flag for each n-gram.
    """
    are_neighbours = np.diff(grams.place) == 1
    starts: Ints = (can_match[:-1] & can_match[1:] & are_neighbours).nonzero()[0]
    return starts


def longer_by_one(grams: NGrams, starts: Ints) -> NGrams:
    """Build the n-grams of the next order: join the n-gram at each position in `starts` with the next n-gram."""
    pairs = pair_keys(grams.ids.take(starts), grams.ids.take(starts + 1))
    return NGrams(factorize(pairs), grams.text.take(starts), grams.place.take(starts))


def clipped_matches(ids: Ints, lengths: Ints, references_per_segment: Ints, max_order: int) -> Ints:
    """Count the clipped matches of every segment and order.

    `ids`: as in `unigrams`, first for all references, then for all predictions. `lengths`: tokens per text, shape
    (references + segments,). `references_per_segment`: shape (segments,). The counts are int64 of shape (segments,
    max_order).

    Example: a segment with the reference "b a b" and the prediction "a b" has the tokens b a b a b. The last "a" is at
    position 3 and the last "b" at position 4, so the ids are 4 3 4 3 4.

    >>> clipped_matches(np.array([4, 3, 4, 3, 4]), np.array([3, 2]), np.array([1]), 3)
    array([[2, 1, 0]])
    """
    n_segments = len(references_per_segment)
    n_references = len(lengths) - n_segments
    has_one_each = n_references == n_segments  # as each segment has at least one reference
    grams = unigrams(ids, lengths)
    matches = np.zeros((n_segments, max_order), np.int64)
    for order in range(max_order):  # 0: unigrams
        if not len(grams.ids):
            break
        first = int(np.searchsorted(grams.text, n_references))  # position of the first n-gram of the predictions
        limits = _most_in_one_reference(grams, first, has_one_each)
        clipped = np.minimum(_times_in_prediction(grams, first), limits)
        segment_of_gram = grams.text[first:] - n_references  # because each segment has one prediction
        matches[:, order] = np.bincount(segment_of_gram, weights=clipped, minlength=n_segments)
        if order < max_order - 1:
            starts = starts_of_longer(grams, _can_match(grams, first, limits))
            grams = longer_by_one(grams, starts)
    return matches


# In the three functions below, `first` is the position of the first n-gram of the predictions


def _times_in_prediction(grams: NGrams, first: int) -> Ints:
    """Count each n-gram in its prediction. The count is at the n-gram's last position; earlier positions have 0.

    For example, the unigrams of the prediction "a b a" have the counts 0, 1 and 2.
    """
    ids = grams.ids[first:] - first  # positions among the n-grams of the predictions
    return np.bincount(ids, minlength=len(ids))


def _most_in_one_reference(grams: NGrams, first: int, has_one_each: bool) -> Ints:
    """Return the largest count of each prediction n-gram in a single reference, at the n-gram's last position.

    For example, with the references "a" and "a a a", the unigrams of the prediction "a b a" have the counts 0, 0 and 3.
    `has_one_each`: whether each segment has one reference.
    """
    n_grams = len(grams.ids)
    ids = grams.ids[:first]  # of the references; n-grams with ids below `first` are not in the prediction
    if has_one_each:
        return np.bincount(ids, minlength=n_grams)[first:]

    # The id of a pair (n-gram, reference) is the last position of the n-gram in the reference
    pairs = pair_keys(ids, grams.text[:first])
    times = np.bincount(factorize(pairs))
    last_positions = times.nonzero()[0]  # one for each distinct pair
    most = np.zeros(n_grams, np.int64)
    np.maximum.at(most, ids.take(last_positions), times.take(last_positions))
    return most[first:]


def _can_match(grams: NGrams, first: int, limits: Ints) -> Bools:
    """Return a flag for each n-gram: whether the prediction and a reference of the segment contain the n-gram.

    `limits`: the result of `_most_in_one_reference`.
    """
    # An id is a last position, and the prediction is the last text of its segment
    in_prediction = grams.ids[:first] >= first
    in_reference = (limits > 0).take(grams.ids[first:] - first)
    return np.concatenate((in_prediction, in_reference))


_HALF_KEY_BITS = 32  # ids and text indices are below 2**32, so two of them fit into a key of 64 bits


def pair_keys(left: Ints, right: Ints) -> UInts:
    """Pack each pair of numbers below 2**32 into one 64-bit key."""
    key: Ints = left << _HALF_KEY_BITS
    key |= right
    return key.view(np.uint64)

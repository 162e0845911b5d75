"""Tokens -> numbers, equal for equal tokens of one segment.

A token is read as 8-byte words, the last one filled up with zeros, and keyed by its words and its length.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._groups import group

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

_WORD = 8
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_WORD + 1)], np.uint64)
_LONG = 64  # bytes; a longer token is looked up whole, or a text without spaces would be read word by word


def token_ids(data: Bytes, starts: Ints, lengths: Ints, segments: Ints) -> Ints:
    """Number the tokens ``data[start : start + length]``; `data` goes on for 16 bytes after the last token.

    `segments`: the segment of each token; equal tokens of different segments get different numbers, for they never
    match. Returns int64 of shape (tokens,): the position of an equal token of the same segment.
    """
    ids = group(_words(data, starts, lengths), _with_length(segments, lengths))
    longer = (lengths > _WORD).nonzero()[0]
    read = _WORD
    while len(longer) and read < _LONG:
        rest = lengths.take(longer) - read
        so_far = _with_length(ids.take(longer), rest)  # equal up to here
        ids[longer] = longer.take(group(_words(data, starts.take(longer) + read, rest), so_far))
        longer = longer[rest > _WORD]
        read += _WORD
    if len(longer):
        codes = _look_up(data, starts.take(longer), lengths.take(longer))
        ids[longer] = longer.take(group(codes, segments.take(longer).view(np.uint64)))
    return ids


def _with_length(number: Ints, lengths: Ints) -> NDArray[np.uint64]:
    """Put a number and a length, in bytes or "more than a word", into one."""
    both: NDArray[np.uint64] = (number << 4 | np.minimum(lengths, _WORD + 1)).view(np.uint64)
    return both


def _words(data: Bytes, starts: Ints, lengths: Ints) -> NDArray[np.uint64]:
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


def _look_up(data: Bytes, starts: Ints, lengths: Ints) -> NDArray[np.uint64]:
    """Number long tokens by Arrow's dictionary of whole strings."""
    fences = np.stack((starts, starts + lengths), axis=1).ravel()  # every second stretch is a token
    stretches = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(), len(fences) - 1, [None, pa.py_buffer(fences), pa.py_buffer(data)]
    )
    tokens = stretches.take(pa.array(np.arange(0, len(fences), 2)))
    codes: NDArray[np.uint64] = tokens.dictionary_encode().indices.to_numpy().astype(np.uint64)
    return codes

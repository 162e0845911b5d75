"""What each tokenizer does, as data, and where it splits a text.

A tokenizer gives each character a class. A text is split around every SPACE, ALONE and MARK, and around a DASH that
follows a DIGIT. A MARK between digits stays in the number (`split` has the exact rule). The facts are those of
sacrebleu 2.6.0 (https://github.com/mjpost/sacrebleu). Its 13a is that of mteval-v13a, its intl that of mteval-v14.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ._arrays import Bools, Bytes, Ints

OTHER, SPACE, ALONE, MARK, DIGIT, DASH = 1, 2, 4, 8, 16, 32
# What str.split() takes for a space, what Unicode (and Rust) does, and what Perl does with bytes.
WHITESPACE: dict[str, frozenset[str]] = {}
WHITESPACE["ascii"] = frozenset("\t\n\v\f\r ")
WHITESPACE["unicode"] = WHITESPACE["ascii"] | frozenset(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
WHITESPACE["python"] = WHITESPACE["unicode"] | frozenset("\x1c\x1d\x1e\x1f")
_ASCII_PUNCTUATION = frozenset('!"#$%&()*+/:;<=>?@[\\]^_`{|}~')  # without ' , - .
# sacrebleu's list of Chinese characters. Two of its ranges are written with a four-digit escape where five
# digits were meant, and so cover U+2001-U+2A6D and U+2F81-U+2FA1 instead: kept, or the numbers would differ.
_CHINESE = (
    (0x2001, 0x2A6D),
    (0x2E80, 0x2EFF),
    (0x2F00, 0x2FDF),
    (0x2FF0, 0x2FFF),
    (0x3000, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31BF),
    (0x31C0, 0x31EF),
    (0x3200, 0x33FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)


def _kind_13a(char: str) -> int:
    if char in _ASCII_PUNCTUATION:
        return ALONE
    if char in ".,":
        return MARK
    if char == "-":
        return DASH
    return DIGIT if char in "0123456789" else OTHER


def _kind_zh(char: str) -> int:
    if any(low <= ord(char) <= high for low, high in _CHINESE):
        return ALONE
    return _kind_13a(char)


def _kind_intl(char: str) -> int:
    category = unicodedata.category(char)
    return {"P": MARK, "S": ALONE, "N": DIGIT}.get(category[0], OTHER)


class Tokenizer(NamedTuple):
    """One way to cut a text."""

    kind: Callable[[str], int]  # of one character, SPACE aside
    bytewise: bool = False  # only ASCII characters are special: bytes can be looked at instead of characters
    padded: bool = False  # a text begins and ends with a space; if not, a MARK at its edge is not cut off there
    entities: bool = False  # first drop <skipped> and hyphenated line ends, decode &quot; &amp; &lt; &gt;
    trimmed: bool = False  # white space at both ends is dropped first


TOKENIZERS: dict[str, Tokenizer] = {
    "13a": Tokenizer(_kind_13a, bytewise=True, padded=True, entities=True),
    "intl": Tokenizer(_kind_intl),
    "zh": Tokenizer(_kind_zh, trimmed=True),
    "char": Tokenizer(lambda _char: ALONE),
    "whitespace": Tokenizer(lambda _char: OTHER, bytewise=True, padded=True),
    "none": Tokenizer(lambda _char: OTHER, bytewise=True, padded=True),
}
# These need a model or a dictionary: an installed sacrebleu brings them.
SACREBLEU_TOKENIZERS = ("ja-mecab", "ko-mecab", "flores101", "flores200", "spm")


def split(kinds: Bytes, bounds: Ints, padded: bool) -> tuple[Ints, Ints]:
    """Find the tokens of texts that stand one after another.

    `kinds`: one per character (or byte), shape (n,). `bounds`: where the texts start, and n at the end.
    `padded`: whether a text's edges count as spaces. Returns the tokens' starts and ends, two arrays of
    positions in 0 … n.
    """
    size = len(kinds)
    edge = np.zeros(size + 1, bool)  # whether a text starts (or ends) here
    edge[bounds] = True
    cut = edge.copy()  # whether no token crosses from the character on the left to the one here
    cuts_both = (kinds & np.uint8(SPACE | ALONE | MARK)) != 0
    cut[1:] |= cuts_both
    cut[:-1] |= cuts_both
    dashes = (kinds == DASH).nonzero()[0]
    dashes = dashes[(kinds.take(dashes - 1) == DIGIT) & ~edge.take(dashes)]  # (-1 is the array's end, but an edge)
    cut[dashes] = cut[dashes + 1] = True
    _glue_marks(kinds, edge, cut, padded)
    text = (kinds & np.uint8(SPACE)) == 0
    return (text & cut[:-1]).nonzero()[0], (text & cut[1:]).nonzero()[0] + 1


def _glue_marks(kinds: Bytes, edge: Bools, cut: Bools, padded: bool) -> None:
    """Undo the cuts around the marks that stay in a number."""
    marks = (kinds == MARK).nonzero()[0]
    at_end = edge.take(marks + 1)
    digit_follows = kinds.take(marks + 1, mode="clip") == DIGIT
    # Nothing on the right that the second expression could match
    last = marks[digit_follows & ~at_end if padded else digit_follows | at_end]
    if not len(last):
        return
    first = _run_starts(last, kinds, edge)
    at_edge = edge[first]
    unmatched_first = (kinds[first - 1] == DIGIT) & ~at_edge
    if not padded:
        unmatched_first |= at_edge
    odd = (last - first) % 2 == 0  # the run's length is
    free = odd == unmatched_first
    last, first = last[free], first[free]
    cut[last + 1] = edge[last + 1]
    single = last[last == first]
    cut[single] = edge[single]


def _run_starts(last: Ints, kinds: Bytes, edge: Bools) -> Ints:
    """For each mark: where the run of marks that it ends in starts."""
    continues = (kinds[last - 1] == MARK) & ~edge[last]
    if not continues.any():
        return last
    mark = kinds == MARK
    starts = np.arange(len(mark))
    starts[1:][mark[1:] & mark[:-1] & ~edge[1:-1]] = 0
    run: Ints = np.maximum.accumulate(starts).take(last)
    return run

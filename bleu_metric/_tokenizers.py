"""What each tokenizer does, as data: which characters stand alone, which open and close a number.

A character is of one kind. A text is cut around every SPACE, ALONE and MARK, and around a DASH that follows a
DIGIT; a MARK between digits stays in the number (`_split.py` has the exact rule). The facts are those of
sacrebleu 2.6.0 (https://github.com/mjpost/sacrebleu), whose 13a is mteval-v13a's and whose intl is mteval-v14's.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import NamedTuple

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

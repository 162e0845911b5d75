"""The tokenizers of the oracle, in regular expressions: what sacrebleu and the scripts of Moses do, restated."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache

Token = str | int
Text = str | Sequence[Token]  # a string, or ready tokens, or token ids
Tokenizer = str | Callable[[str], list[str]]

ASCII_SPACES = "\t\n\x0b\x0c\r "
UNICODE_SPACES = (
    ASCII_SPACES + "\x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
)
PYTHON_SPACES = UNICODE_SPACES + "\x1c\x1d\x1e\x1f"
SPACES = {"ascii": ASCII_SPACES, "unicode": UNICODE_SPACES, "python": PYTHON_SPACES}

TO_ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def tokenize(
    text: Text,
    tokenizer: Tokenizer = "13a",
    lowercase: bool | str = False,
    strip: bool = True,
    whitespace: str = "python",
) -> list[Token]:
    """Make tokens of one text. Ready tokens and ids stay what they are, but for their case."""
    if isinstance(text, str):
        line = text.lower() if lowercase is True else text
        if strip:
            line = line.rstrip(SPACES[whitespace])
        tokens = tokens_of_line(line, tokenizer, SPACES[whitespace])
    else:
        tokens = list(text)
    return [lower_token(token, lowercase) for token in tokens]


def lower_token(token: Token, lowercase: bool | str) -> Token:
    """Lower-case one token. Nothing is lost where its whole text was lower-cased before."""
    if isinstance(token, int) or not lowercase:
        return token
    return token.translate(TO_ASCII_LOWER) if lowercase == "ascii" else token.lower()


def tokens_of_line(line: str, tokenizer: Tokenizer, spaces: str) -> list[Token]:
    """Let the tokenizer put spaces between tokens, and split there. A function returns its tokens itself."""
    if callable(tokenizer):
        return list(tokenizer(line))
    if tokenizer == "char-and-space":
        return list(line)
    spaced = TOKENIZERS[tokenizer](line)
    return re.findall(f"[^{re.escape(spaces)}]+", spaced)


MARKS = re.compile(r"([!-&(-+:-@\[-`{-~/])")  # every ASCII mark but ' , - .
PERIOD_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
PERIOD_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")


def split_western(line: str) -> str:
    """Set marks apart as mteval-v13a does for Western languages. Without a neighbour a mark at the edge stays."""
    line = MARKS.sub(r" \1 ", line)
    line = PERIOD_AFTER_NO_DIGIT.sub(r"\1 \2 ", line)
    line = PERIOD_BEFORE_NO_DIGIT.sub(r" \1 \2", line)
    return DASH_AFTER_DIGIT.sub(r"\1 \2 ", line)


def without_sgml(line: str) -> str:
    """Undo SGML. The order of the replacements matters: `&amp;lt;` becomes `<`."""
    for old, new in (("<skipped>", ""), ("-\n", ""), ("\n", " ")):
        line = line.replace(old, new)
    for entity, char in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(entity, char)
    return line


def split_13a(line: str) -> str:
    """Undo SGML, and set marks apart, also at the line's edges."""
    return split_western(f" {without_sgml(line)} ")


def split_13a_unpadded(line: str) -> str:
    """Do the same without spaces around the line, as keras-hub does."""
    return split_western(without_sgml(line))


@cache
def intl_patterns() -> list[tuple[re.Pattern[str], str]]:
    """The rules of mteval-v14, by `regex` or this Python's Unicode: N numbers, P punctuation, S symbols."""
    with suppress(ImportError):
        import regex

        rules = [(r"(\P{N})(\p{P})", r"\1 \2 "), (r"(\p{P})(\P{N})", r" \1 \2"), (r"(\p{S})", r" \1 ")]
        return [(regex.compile(pattern), replacement) for pattern, replacement in rules]
    characters: dict[str, list[str]] = {"N": [], "P": [], "S": []}
    for code in range(sys.maxunicode + 1):
        category = unicodedata.category(chr(code))[0]
        if category in characters:
            characters[category].append(chr(code))
    number, punctuation, symbol = (re.escape("".join(characters[category])) for category in "NPS")
    return [
        (re.compile(f"([^{number}])([{punctuation}])"), r"\1 \2 "),
        (re.compile(f"([{punctuation}])([^{number}])"), r" \1 \2"),
        (re.compile(f"([{symbol}])"), r" \1 "),
    ]


def split_intl(line: str) -> str:
    """Set punctuation and symbols of all scripts apart."""
    for pattern, replacement in intl_patterns():
        line = pattern.sub(replacement, line)
    return line


# sacrebleu writes the ranges U+20000 to U+2A6D6 and U+2F800 to U+2FA1D with four digits: they become these two.
CHINESE_BY_SLIP = "\u2001-\u2a6d\u2f81-\u2fa1"
CHINESE = re.compile(
    f"([{CHINESE_BY_SLIP}\u3400-\u4db5\u4e00-\u9fa5\u9fa6-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\uff00-\uffef"
    "\u2e80-\u2eff\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff\u3100-\u312f\u31a0-\u31bf\ufe10-\ufe1f"
    "\ufe30-\ufe4f\u2600-\u26ff\u2700-\u27bf\u3200-\u32ff\u3300-\u33ff])"
)


def split_zh(line: str) -> str:
    """Set Chinese characters apart, and marks. There are no spaces around the line, as 13a has them."""
    return split_western(CHINESE.sub(r" \1 ", line.strip()))


TOKENIZERS: dict[str, Callable[[str], str]] = {
    "13a": split_13a,
    "13a-unpadded": split_13a_unpadded,
    "intl": split_intl,
    "zh": split_zh,
    "char": " ".join,
    "whitespace": str,
    "none": str,
    "words-and-signs": lambda line: re.sub(r"(\W|_)", r" \1 ", line),
    "char-and-space": str,
}

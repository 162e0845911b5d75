"""Word numbers and names: percents, intervals, p-values, and texts without control characters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import category, east_asian_width

# Invisible characters that are escaped in HTML and pictures. Not here: joiners (U+200C, U+200D) and direction marks
# (U+200E, U+200F), which texts in Persian, Arabic and Indic scripts need
_HIDDEN = [
    *range(0x80, 0xA0),  # C1 controls
    *(0x200B, 0x2060, 0xFEFF),  # zero-width space, word joiner, byte order mark
    *(0x2028, 0x2029),  # line separator, paragraph separator
    *range(0x202A, 0x202F),  # embeddings and overrides, which change the direction of text
    *range(0x2066, 0x206A),  # isolates, which also change the direction of text
    *range(0xD800, 0xE000),  # surrogates, which UTF-8 cannot encode
    *(0xFFFE, 0xFFFF),  # not allowed in SVG
]
_ESCAPES = {code: f"[U+{code:04X}]" for code in _HIDDEN}
_ESCAPES |= {code: chr(0x2400 + code) for code in range(0x20)}  # ␀ to ␟
_ESCAPES[0x7F] = "\u2421"  # ␡

_MOST_JOINED = 10  # number of texts that `join_first` shows


def escape_controls(text: str) -> str:
    r"""Replace the control characters of a text with visible signs, for HTML or a picture.

    >>> escape_controls("a\x00b" + chr(0x202e))
    'a␀b[U+202E]'
    """
    return text if text.isprintable() else text.translate(_ESCAPES)  # the test is faster than `translate`


def printable(text: str) -> str:
    r"""Replace unprintable characters with Python escapes, so that the text cannot control a terminal.

    For HTML, use `escape_controls`, which escapes fewer characters.

    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    """
    escapes = {ord(character): repr(character).strip("'") for character in text if not character.isprintable()}
    return text.translate(escapes)


def shorten(text: str, width: int) -> str:
    """Shorten a text to at most `width` characters. Cut the middle, because names often differ at the ends.

    >>> shorten("checkpoint-12000", 9), shorten("checkpoint-12000", 1)
    ('chec…2000', '…')
    """
    if len(text) <= width:
        return text
    n_at_end = width // 2
    n_at_start = width - n_at_end - len("…")
    # Not text[-n_at_end:], which would be the whole text if n_at_end is 0
    return f"{text[:n_at_start]}…{text[len(text) - n_at_end :]}"


def terminal_width(text: str) -> int:
    """Return the width of a text in a terminal: 2 columns for a wide character, 0 for a combining character.

    >>> terminal_width("a猫"), terminal_width("e" + chr(0x301))
    (3, 1)
    """
    if text.isascii():
        return len(text)
    invisible = ("Mn", "Me", "Cf")
    return sum((category(sign) not in invisible) + (east_asian_width(sign) in ("W", "F")) for sign in text)


def percent(number: float, digits: int = 1, scale: float = 100) -> str:
    """Return ``scale * number`` as text. The default is percent, without a percent sign.

    >>> percent(0.25), percent(0.25, 2)
    ('25.0', '25.00')
    """
    return f"{scale * number:.{digits}f}"


def level_text(confidence: float) -> str:
    """Return a confidence level in percent, with a percent sign.

    >>> level_text(0.95), level_text(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * confidence:g} %"


def signed_percent(number: float, digits: int = 1, scale: float = 100) -> str:
    """Return a difference in percent, with "+" or the minus sign "−" (U+2212). 0 has no sign.

    >>> signed_percent(0.0121), signed_percent(-0.009), signed_percent(-0.0004)
    ('+1.2', '−0.9', '0.0')
    """
    rounded = f"{scale * number:z.{digits}f}"  # "z" removes the sign of -0.0
    plus = "+" if float(rounded) > 0 else ""
    return plus + rounded.replace("-", "−")


def level_of(confidence: float) -> float:
    """Return the level below which a p-value is significant: 0.95 -> 0.05, where 1 - 0.95 is 0.05000000000000004."""
    return round(1 - confidence, 12)


def significance_level(confidence: float) -> str:
    """Return `level_of` a confidence as text.

    >>> significance_level(0.95), significance_level(0.999)
    ('0.05', '0.001')
    """
    return f"{level_of(confidence):.12g}"


def is_below(p_value: float, level: float) -> bool:
    """Return whether a p-value is below a level. It is not if only rounding errors separate the two.

    >>> is_below(0.0499, 0.05), is_below(0.05 - 1e-17, 0.05)
    (True, False)
    """
    return p_value < level * (1 - 1e-12)


def p_value_text(p_value: float, level: float = 0.05, is_bound: bool = False) -> str:
    """Return a p-value with three decimals, or "< 0.001" for values below 0.0005.

    Return more decimals if three would show a value below `level` as this number or a larger one.

    Args:
        p_value: the p-value.
        level: the significance level.
        is_bound: whether the p-value is only known to be at most this number, which is then rounded up.

    >>> p_value_text(0.00899), p_value_text(0.0001), p_value_text(0.0496), p_value_text(5.1 / 1001, is_bound=True)
    ('0.009', '< 0.001', '0.0496', '≤ 0.006')
    """
    if p_value < 0.0005 and level >= 0.001:
        return "< 0.001"
    for digits in range(3, 17):
        shown = math.ceil(p_value * 10**digits - 1e-6) / 10**digits if is_bound else round(p_value, digits)
        if shown and is_below(p_value, level) == is_below(shown, level):
            break
    return f"{'≤ ' * is_bound}{shown:.{digits}f}"


class Metric(NamedTuple):
    """A metric: its name, how its scores are shown, and whether the lowest score is the best."""

    name: str = "BLEU"
    scale: float = 100
    """The factor by which shown scores are multiplied: 100 for percent."""
    lower_is_better: bool = False
    more_digits: int = 0
    """Number of digits after the decimal point in addition to the digits of BLEU."""

    @property
    def key(self) -> str:
        """Return the key of a score in JSON and CSV: "bleu" for BLEU, "bleu_1" for BLEU-1, otherwise the name."""
        return self.name.lower().replace("-", "_") if self.name.startswith("BLEU") else self.name

    def text(self, score: float, digits: int = 1) -> str:
        """Return a score as displayed text.

        >>> Metric().text(0.385), Metric("comet", scale=1, more_digits=2).text(0.385)
        ('38.5', '0.385')
        """
        return percent(score, digits + self.more_digits, self.scale).replace("-", "−")

    def signed(self, difference: float, digits: int = 1) -> str:
        """Return a difference of two scores with a sign, as `signed_percent` does."""
        return signed_percent(difference, digits + self.more_digits, self.scale)

    def brackets(self, low: float, high: float, digits: int = 1) -> str:
        """Return the bounds of an interval in square brackets, with the minus sign "−" (U+2212).

        >>> Metric().brackets(0.25, 0.5), Metric().brackets(-0.004, 0.5)
        ('[25.0, 50.0]', '[−0.4, 50.0]')
        """
        return f"[{self.text(low, digits)}, {self.text(high, digits)}]"

    def is_better(self, difference: float) -> bool:
        """Return whether system A is better than system B. `difference`: score of A - score of B."""
        return difference < 0 if self.lower_is_better else difference > 0


BLEU = Metric()


def amount(number: int, noun: str) -> str:
    """Return a number and a noun in the singular or plural.

    >>> amount(1, "segment"), amount(1000, "label")
    ('1 segment', '1,000 labels')
    """
    ending = "" if number == 1 else "s"
    return f"{number:,} {noun}{ending}"


def join_words(words: Sequence[str]) -> str:
    """Join words with commas, and the last two with "and".

    >>> join_words(["A", "B", "C"]), join_words(["A"])
    ('A, B and C', 'A')
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def join_first(texts: Sequence[str]) -> str:
    """Join texts with slashes. Replace all texts after the tenth with "…".

    >>> join_first(["1"] * 12)
    '1/1/1/1/1/1/1/1/1/1/…'
    """
    joined = "/".join(texts[:_MOST_JOINED])
    return f"{joined}/…" if len(texts) > _MOST_JOINED else joined

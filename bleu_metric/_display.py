"""Format texts and numbers for display: escape or shorten texts, and convert numbers to percent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import category, east_asian_width

# Invisible characters that are escaped in HTML and pictures. Joiners (U+200C, U+200D) and direction marks (U+200E,
# U+200F) are not in this list: texts in Persian, Arabic and Indic scripts need them.
_HIDDEN = [
    *range(0x80, 0xA0),  # C1 controls
    *(0x200B, 0x2060, 0xFEFF),  # zero-width space, word joiner, byte order mark
    *(0x2028, 0x2029),  # line separator, paragraph separator
    *range(0x202A, 0x202F),  # embeddings and overrides, which change the direction of the text after them
    *range(0x2066, 0x206A),  # isolates, which also change the direction of the text after them
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
    return text.translate(_ESCAPES)


def printable(text: str) -> str:
    r"""Replace the unprintable characters of a text with Python escapes, so that it cannot control a terminal.

    For HTML, use `escape_controls`, which escapes fewer characters.

    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    """
    escapes = {ord(character): repr(character).strip("'") for character in text if not character.isprintable()}
    return text.translate(escapes)


def shorten(text: str, width: int) -> str:
    """Shorten a text to at most `width` characters. "…" replaces its middle, because names often differ at their ends.

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
    """Return the number of columns of a text in a terminal: 2 for a wide character, and 0 for a combining one.

    >>> terminal_width("a猫"), terminal_width("e" + chr(0x301))
    (3, 1)
    """
    if text.isascii():
        return len(text)
    invisible = ("Mn", "Me", "Cf")
    return sum((category(sign) not in invisible) + (east_asian_width(sign) in ("W", "F")) for sign in text)


def percents(numbers: Iterable[float], digits: int) -> str:
    """Return numbers as one string, in percent and separated by slashes.

    >>> percents([0.5, 0.25], 1)
    '50.0/25.0'
    """
    return "/".join(percent(number, digits) for number in numbers)


def percent(number: float, digits: int = 1) -> str:
    """Return a number in percent, without a percent sign.

    >>> percent(0.25), percent(0.25, 2)
    ('25.0', '25.00')
    """
    return f"{100 * number:.{digits}f}"


def level_text(confidence: float) -> str:
    """Return a confidence level in percent, with a percent sign.

    >>> level_text(0.95), level_text(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * confidence:g} %"


def brackets(low: float, high: float, digits: int = 1) -> str:
    """Return the bounds of an interval in percent, in square brackets and with the minus sign "−" (U+2212).

    >>> brackets(0.25, 0.5), brackets(-0.004, 0.5)
    ('[25.0, 50.0]', '[−0.4, 50.0]')
    """
    bounds = f"[{percent(low, digits)}, {percent(high, digits)}]"
    return bounds.replace("-", "−")


def signed_percent(number: float, digits: int = 1) -> str:
    """Return a difference in percent, with "+" or the minus sign "−" (U+2212); 0 has no sign.

    >>> signed_percent(0.0121), signed_percent(-0.009), signed_percent(-0.0004)
    ('+1.2', '−0.9', '0.0')
    """
    rounded = f"{100 * number:z.{digits}f}"  # "z" removes the sign of -0.0
    plus = "+" if float(rounded) > 0 else ""
    return plus + rounded.replace("-", "−")


def significance_level(confidence: float) -> str:
    """Return the level below which a p-value is significant: 1 - confidence.

    >>> significance_level(0.95), significance_level(0.999)
    ('0.05', '0.001')
    """
    return f"{1 - confidence:.2g}"


def p_value_text(p_value: float) -> str:
    """Return a p-value with three decimals, or "< 0.001" if it is below 0.001.

    >>> p_value_text(0.00899), p_value_text(0.00099)
    ('0.009', '< 0.001')
    """
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def equation(p_value: float) -> str:
    """Return a p-value with "=" or "<" in front, for display after the letter p.

    >>> equation(0.00899), equation(0.00099)
    ('= 0.009', '< 0.001')
    """
    text = p_value_text(p_value)
    return text if text.startswith("<") else f"= {text}"


def amount(number: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless the number is 1.

    >>> amount(1, "segment"), amount(1000, "label")
    ('1 segment', '1,000 labels')
    """
    ending = "" if number == 1 else "s"
    return f"{number:,} {noun}{ending}"


def join_first(texts: Sequence[str]) -> str:
    """Join texts with slashes. If there are more than ten, join the first ten and "…".

    >>> join_first(["1"] * 12)
    '1/1/1/1/1/1/1/1/1/1/…'
    """
    joined = "/".join(texts[:_MOST_JOINED])
    return f"{joined}/…" if len(texts) > _MOST_JOINED else joined

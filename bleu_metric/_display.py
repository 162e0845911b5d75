"""Text made safe and short for people, and what a score means in words."""

from __future__ import annotations

_SHOWN = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}  # ␀ to ␟, ␡
# C1 controls, line separators, the marks that change the direction of what follows, and zero-width ones that no
# script needs. The joiners of Persian and Indic texts stay, and so do the marks for one direction of one place.
_NAMED = [*range(0x80, 0xA0), 0x200B, 0x2028, 0x2029, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF]
_SHOWN |= {code: f"[U+{code:04X}]" for code in (*_NAMED, *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)}


def escape_controls(text: str) -> str:
    r"""Replace them by signs that stand for them.

    >>> visible("a\x00b" + chr(0x202e))
    'a␀b[U+202E]'
    """
    return text.translate(_SHOWN)


def short_line(text: str) -> str:
    r"""Make control characters visible, so that a name or a text cannot steer the terminal.

    >>> shown("a\x1b[31m")
    'a\\x1b[31m'
    """
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


# Google Cloud's reading of BLEU in percent: https://cloud.google.com/translate/docs/advanced/automl-evaluate
_BANDS = (
    (10, "almost useless"),
    (20, "hard to get the gist"),
    (30, "the gist is clear, but with significant grammatical errors"),
    (40, "understandable to good"),
    (50, "high quality"),
    (60, "very high quality, adequate and fluent"),
)
CAVEAT = "A score compares only with scores of the same test set and the same signature."


def meaning(bleu: float) -> str:
    """Say what a score between 0 and 1 means.

    >>> meaning(0.34)
    'understandable to good'
    """
    return next((text for below, text in _BANDS if bleu * 100 < below), "often better than human")

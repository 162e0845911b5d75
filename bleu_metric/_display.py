"""Text for people: safe to show, short enough, and what a score means in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._score import BleuScore

# Characters that a page must not hold as they are. The joiners of Persian and Indic texts stay (U+200C, U+200D), and so
# do the marks that give one place a direction (U+200E, U+200F).
_HIDDEN = [
    *range(0x80, 0xA0),  # C1 controls
    0x200B,  # zero-width space
    0x2028,  # line separator
    0x2029,  # paragraph separator
    *range(0x202A, 0x202F),  # embeddings and overrides, which turn the direction of what follows
    0x2060,  # word joiner
    *range(0x2066, 0x206A),  # isolates, which turn the direction, too
    *range(0xD800, 0xE000),  # surrogates, which UTF-8 cannot write
    0xFEFF,  # byte order mark
    0xFFFE,  # not allowed in SVG, nor is the next
    0xFFFF,
]
_ESCAPES = {code: f"[U+{code:04X}]" for code in _HIDDEN}
_ESCAPES |= {code: chr(0x2400 + code) for code in range(0x20)}  # ␀ to ␟
_ESCAPES[0x7F] = "\u2421"  # ␡


def escape_controls(text: str) -> str:
    r"""Replace control characters by signs that stand for them, in text for a page or a picture.

    >>> escape_controls("a\x00b" + chr(0x202e))
    'a␀b[U+202E]'
    """
    return text.translate(_ESCAPES)


def printable(text: str) -> str:
    r"""Write every character that is not printable as Python does, so that no text can steer a terminal.

    A page keeps more characters as they are: see `escape_controls`.

    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    """
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def shorten(text: str, width: int) -> str:
    """Leave out the middle of a text that is longer than `width` characters: names often differ at their ends.

    >>> shorten("checkpoint-12000", 9)
    'chec…2000'
    """
    if len(text) <= width:
        return text
    end = width // 2
    start = width - end - 1
    return f"{text[:start]}…{text[-end:]}"


# Google Cloud's reading of BLEU in percent: https://cloud.google.com/translate/docs/advanced/automl-evaluate
_BANDS = (
    (10, "almost useless"),
    (20, "hard to get the gist"),
    (30, "the gist is clear, but with significant grammatical errors"),
    (40, "understandable to good"),
    (50, "high quality"),
    (60, "very high quality, adequate and fluent"),
)
_LEAST_TOKENS = 300  # the bands are about test sets; a few sentences score almost anything
CAVEAT = "A score compares only with scores of the same test set and the same signature."


def meaning(score: BleuScore) -> str:
    """Say what a score means, if it is one of 4-grams of equal weight, over at least 300 tokens.

    >>> from bleu_metric import corpus_bleu
    >>> meaning(corpus_bleu(["a b c d e f"] * 60, ["a b c d x f"] * 60)), meaning(corpus_bleu(["a b c d"], ["a b c d"]))
    ('very high quality, adequate and fluent', 'too short to judge')
    """
    if isinstance(score.bleu, list) or len(score.counts) != 4 or "|weights:uniform|" not in score.signature:
        return "not judged in words, as it is not of 4-grams of equal weight"
    if score.translation_length < _LEAST_TOKENS:
        return "too short to judge"
    percent = 100 * score.bleu
    return next((words for limit, words in _BANDS if percent < limit), "often better than human")

"""Text for people: safe to show, short enough, and what a score means in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._score import BleuScore, HasInterval

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


def score_title(score: BleuScore, interval: HasInterval | None = None) -> str:
    """Write a score in percent, with its interval; several scores where ``weights`` is a list of lists.

    >>> from bleu_metric import corpus_bleu
    >>> score_title(corpus_bleu(["a b c d"], ["a b c d"]))
    'BLEU 100.00'
    """
    shown = [f"{100 * bleu:.2f}" for bleu in as_list(score.bleu)]
    if interval:
        ends = zip(as_list(interval.low), as_list(interval.high), strict=True)
        brackets = [f"[{100 * low:.2f}, {100 * high:.2f}]" for low, high in ends]
        shown = [f"{bleu} {bracket}" for bleu, bracket in zip(shown, brackets, strict=True)]
    return "BLEU " + "  ".join(shown)


def precision_lines(score: BleuScore) -> list[str]:
    """Write a line for each order: its precision in percent, its matches, its n-grams."""
    orders = zip(score.precisions, score.counts, score.totals, strict=True)
    return [
        f"{order}-grams  {100 * precision:6.2f} %  {matches:>11,} of {total:>11,}"
        for order, (precision, matches, total) in enumerate(orders, 1)
    ]


def length_note(score: BleuScore) -> str:
    """Write the brevity penalty and the lengths that make it."""
    lengths = f"{score.translation_length:,} tokens, reference {round(score.reference_length, 4):,}"
    return f"brevity penalty {score.brevity_penalty:.4f}: {lengths}, ratio {score.length_ratio:.4f}"


def percents(numbers: Iterable[float], digits: int) -> str:
    """Write numbers in percent, with slashes between them.

    >>> percents([0.5, 0.25], 1)
    '50.0/25.0'
    """
    return "/".join(f"{100 * number:.{digits}f}" for number in numbers)


def segments_note(segments: int) -> str:
    """Say how many segments there are.

    >>> segments_note(1), segments_note(1000)
    ('1 segment', '1,000 segments')
    """
    return f"{segments:,} segment{'' if segments == 1 else 's'}"


def join_first(texts: Sequence[str]) -> str:
    """Join texts with slashes, the first ten if there are more.

    >>> join_first(["1"] * 12)
    '1/1/1/1/1/1/1/1/1/1/…'
    """
    return "/".join([*texts[:10], *(["…"] if len(texts) > 10 else [])])


def as_list(value: Any) -> list[float]:
    """Take one number as a list of one."""
    return list(value) if hasattr(value, "__len__") else [value]

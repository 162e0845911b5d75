"""Every choice of `BleuConfig` in plain Python, one number at a time: what the soak holds the engine to.

N-grams are those of `bleu_metric/_reference.py`, tokens those of an installed sacrebleu, every formula is written once
more from its source. Nothing is shared with the engine but the configuration. Left out: tokenizers that are functions,
and white space that is not Python's with any tokenizer but 13a and white space's own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from peers import Answer

from bleu_metric import BleuConfig
from bleu_metric import _textbook as reference

TINY = 2.0**-1022  # the smallest normal double
LOG_OF_LONG_DOUBLE = -16382 * math.log(2)  # the smallest normal x87 number
ASCII_SPACES = " \t\n\v\f\r"
SEPARATORS = "\x1c\x1d\x1e\x1f"  # white space to Python, not to Unicode
PLACEHOLDERS = 0xE000  # private use: neither space, mark, symbol nor digit
LAST_WITH_METHODS = ("method5", "method6", "method7")


class Row(NamedTuple):
    """The counts of one segment, or the sums of several."""

    matches: list[int]  # of one order more than the score has, and of five at least
    totals: list[int]
    length: int
    reference: Fraction
    last: tuple[int, int, int] = (0, 0, 0)  # of the last segment: 5-gram matches, 5-grams, tokens


# --- tokens -----------------------------------------------------------------------------------------------------


@cache
def _sacrebleu_tokenizer(name: str) -> Any:
    from sacrebleu.metrics.bleu import _get_tokenizer

    return _get_tokenizer("none" if name == "whitespace" else name)()


def _hide(text: str, whitespace: str) -> str:
    """Put placeholders where Python sees white space and the option does not."""
    if whitespace == "python":
        return text
    kept = ASCII_SPACES if whitespace == "ascii" else "".join(set(text) - set(SEPARATORS))
    return "".join(chr(PLACEHOLDERS + ord(char)) if char.isspace() and char not in kept else char for char in text)


def tokens(text: Any, config: BleuConfig) -> list[Any]:
    """Cut a text; ready tokens are only lower-cased."""
    if not isinstance(text, str):
        return [_lower(token, config.lowercase) if isinstance(token, str) else token for token in text]
    text = text.lower() if config.lowercase is True else text
    text = _hide(text, config.whitespace)
    cut = _sacrebleu_tokenizer(str(config.tokenizer))(text.rstrip() if config.strip else text).split()
    return cut if config.lowercase is True else [_lower(token, config.lowercase) for token in cut]


def _lower(token: str, lowercase: bool | str) -> str:
    if lowercase == "ascii":
        return "".join(char.lower() if "A" <= char <= "Z" else char for char in token)
    return token.lower() if lowercase else token


# --- counts -----------------------------------------------------------------------------------------------------


def count(prediction: Any, references: Sequence[Any], config: BleuConfig) -> Row:
    """Count one segment; a reference that is None is none."""
    text = tokens(prediction, config)
    refs = [tokens(ref, config) for ref in references if ref is not None]
    orders = max(config.max_order, 5)
    matches = [reference.clipped_matches(text, refs, order) for order in range(1, orders + 1)]
    least = int(config.total_floor == "segment")
    totals = [max(len(text) - order, least) for order in range(orders)]
    length = _reference_length(config.reference_length, len(text), [len(ref) for ref in refs])
    return Row(matches, totals, len(text), length, (matches[4], totals[4], len(text)))


def _reference_length(rule: str, length: int, lengths: list[int]) -> Fraction:
    if rule == "closest":
        return Fraction(min(lengths, key=lambda one: (abs(one - length), one)))
    if rule == "closest-first":
        return Fraction(min(lengths, key=lambda one: abs(one - length)))
    if rule == "closest-below-9999":
        best, difference = 9999, 9999
        for one in lengths:
            if (abs(one - length), one) < (difference, best):
                best, difference = one, abs(one - length)
        return Fraction(best)
    return {"shortest": Fraction(min(lengths)), "longest": Fraction(max(lengths))}.get(
        rule, Fraction(sum(lengths), len(lengths))
    )


def add(rows: Sequence[Row]) -> Row:
    """Sum rows; the last stays the last."""
    matches, totals, lengths, references, last = zip(*rows, strict=True)
    sums = [[sum(column) for column in zip(*side, strict=True)] for side in (matches, totals)]
    return Row(*sums, sum(lengths), sum(references, Fraction(0)), last[-1])


# --- precisions -------------------------------------------------------------------------------------------------


def _ratio(matches: float, total: float) -> float:
    return matches / total if total else 0.0


def _halved(row: Row, orders: int, numerator: float, absent_too: bool) -> list[float]:
    """Numerator / (2^k n) for the k-th order without a match."""
    found, empty = [], 0
    for m, n in zip(row.matches[:orders], row.totals, strict=False):
        empty += m == 0 and (absent_too or n > 0)
        found.append(_ratio(numerator / 2**empty if m == 0 and (absent_too or n > 0) else m, n))
    return found


def _averaged(precisions: list[float], row: Row) -> list[float]:
    after = [*precisions[1:], row.last[0] / max(row.last[1], 1)]
    smoothed = [precisions[0] + 1]
    for own, following in zip(precisions, after, strict=True):
        smoothed.append((smoothed[-1] + own + following) / 3)
    return smoothed[1:]


def _interpolated(row: Row, orders: int, value: float) -> list[float]:
    plain = [_ratio(m, n) for m, n in zip(row.matches[:orders], row.totals, strict=False)]
    if orders < 3 or not plain[2]:
        return plain
    for n in range(2, orders):
        expected = _ratio(plain[n - 1] ** 2, plain[n - 2])
        plain[n] = _ratio(row.matches[n] + value * expected, max(row.last[2] - n, 0) + value)
    return plain


def precisions(row: Row, config: BleuConfig) -> list[float]:
    """Smooth the precisions as the configuration says."""
    name, value, orders = config.smoothing, config.smoothing_value or 0.0, config.max_order
    pairs = list(zip(row.matches[:orders], row.totals, strict=False))
    if name in ("method4", "method7"):
        halved = _halved(row, orders, math.log(max(row.length, 1)) / value, absent_too=True)
        return halved if name == "method4" else _averaged(halved, row)
    if name in ("method3", "exp"):
        return _halved(row, orders, 1.0, absent_too=False)
    if name == "method6":
        return _interpolated(row, orders, value)
    if name == "method5":
        return _averaged([_ratio(m, n) for m, n in pairs], row)
    if name == "none-float32":
        return [float(np.float32(1) / np.float32(max(n, 1)) * np.float32(m)) for m, n in pairs]
    if name in ("method1", "floor"):
        return [_ratio(m or value, n) for m, n in pairs]
    if name == "method0":
        return [_ratio(m, n) if m else TINY for m, n in pairs]
    first, rest = {"add-one": (1, 1), "method2": (0, 1), "add-k": (0, value)}.get(name, (0, 0))
    added = [first, *[rest] * (orders - 1)]
    return [_ratio(m + more, n + more) for (m, n), more in zip(pairs, added, strict=True)]


# --- the score --------------------------------------------------------------------------------------------------


def _is_zero(row: Row, config: BleuConfig) -> bool:
    matches = row.matches[: config.max_order]
    return {
        "never": False,
        "empty": row.length == 0 or row.reference == 0,
        "empty-prediction": row.length == 0,
        "any-order": not all(matches),
        "no-match": not any(matches),
    }[config.zero_score]


def _weights(row: Row, own: Sequence[float], used: list[float], config: BleuConfig, sentence: bool) -> list[float]:
    weights = [*own, *[0.0] * (config.max_order - len(own))]
    if config.weight_precision == "float32":
        weights = [float(np.float32(weight)) for weight in weights]
    if config.effective_order is True or (sentence and config.effective_order == "sentence"):
        present = [bool(n or p) for n, p in zip(row.totals, used, strict=False)]
        left = sum(weight for weight, there in zip(weights, present, strict=True) if there)
        scale = sum(weights) / left if left else 1.0
        weights = [weight * scale if there else 0.0 for weight, there in zip(weights, present, strict=True)]
    if config.auto_reweigh and 0 < row.length < 4 and list(own) == [0.25] * 4:
        weights = [1 / row.length if order < row.length else 0.0 for order in range(len(weights))]
    return weights


def _combined(row: Row, own: Sequence[float], found: list[float], config: BleuConfig, sentence: bool) -> float:
    skips = config.smoothing not in ("none", "none-float32") and config.zero_precision == "skip"
    terms = []
    for weight, p, n in zip(_weights(row, own, found, config, sentence), found, row.totals, strict=False):
        if weight == 0 or (p == 0 and (skips or (config.zero_precision == "skip-absent" and n == 0))):
            continue
        if p == 0 and config.zero_precision != "long-double":
            return 0.0
        terms.append(weight * (math.log(p) if p else LOG_OF_LONG_DOUBLE))
    short = row.length < row.reference
    penalty = (math.exp(1 - row.reference / row.length) if row.length else 0.0) if short else 1.0
    try:
        return penalty * math.exp(math.fsum(terms))
    except OverflowError:
        return math.inf * penalty


def bleu(row: Row, config: BleuConfig, sentence: bool = False) -> list[float]:
    """Score one row: one score per list of weights."""
    if config.total_floor == "corpus":
        row = row._replace(totals=[max(n, 1) for n in row.totals])
    if _is_zero(row, config):
        return [0.0 for _ in config.weight_lists()]
    found = precisions(row, config)
    return [_combined(row, own, found, config, sentence) for own in config.weight_lists()]


def answer(rows: Sequence[Row], config: BleuConfig) -> Answer:
    """Score all rows together."""
    total, orders = add(rows), config.max_order
    scores = bleu(total, config)
    if config.average == "sentence":
        each = [bleu(row, config, sentence=True) for row in rows]
        scores = [math.fsum(column) / len(rows) for column in zip(*each, strict=True)]
    whole = config.reference_length != "average"
    length = int(total.reference) if whole else float(total.reference)
    return Answer(
        scores if config.has_many_weights else scores[0],
        *(total.matches[:orders], total.totals[:orders], total.length, length),
    )

"""BLEU restated in plain Python: the oracle that the tests hold the package to.

This file knows every option of the package. It takes them from a `BleuConfig`, and nothing else of the package's code.
Each rule was written from what the libraries do:
NLTK, sacrebleu, evaluate, torchmetrics, ignite and the scripts of Moses. It is slow on purpose. Counts and
precisions are exact fractions until the logarithm.

The way of the data: `tokenize` (in `oracle_tokenizers.py`), `count_segment`, `add_up` the segments, `score_counts`. `oracle_bleu` does all.
"""

from __future__ import annotations

import math
import struct
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from oracle_tokenizers import Text, Token, tokenize

from bleu_metric import BleuConfig


def tokens_of(text: Text, options: BleuConfig) -> list[Token]:
    """Make tokens of one text."""
    text = normalized(text, options.normalization)
    return tokenize(text, options.tokenizer, options.lowercase, options.strip, options.whitespace)


def normalized(text: Any, form: str) -> Any:
    """Convert a string, or the strings of a list, to one form of Unicode."""
    if form == "none" or isinstance(text, int):
        return text
    return unicodedata.normalize(form, text) if isinstance(text, str) else [normalized(each, form) for each in text]


def smoothing_value(options: BleuConfig) -> Fraction:
    """The number that the smoothing takes. Live libraries show what it is by default."""
    return Fraction(options.smoothing_value or 0)


# --- counts -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LastSegment:
    """What NLTK's methods 5, 6 and 7 look at: the 5-grams and the length of the last prediction."""

    matches: int
    total: int
    length: int


@dataclass(frozen=True)
class Counts:
    """The counts of one segment, or the sums of several."""

    matches: list[int]  # clipped, of orders 1 to N
    totals: list[int]
    length: int
    reference_length: Fraction
    last: LastSegment


def ngrams(tokens: Sequence[Token], order: int) -> Counter[tuple[Token, ...]]:
    """Count the n-grams of one order."""
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def clipped_matches(prediction: list[Token], references: list[list[Token]], order: int) -> int:
    """Count each n-gram of the prediction at most as often as the one reference has it that has it most often."""
    most: Counter[tuple[Token, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference, order)
    return (ngrams(prediction, order) & most).total()


def count_segment(prediction: Text, references: Sequence[Text | None] | Text, options: BleuConfig) -> Counts:
    """Count one segment. A reference that is None is not there."""
    tokens = tokens_of(prediction, options)
    reference_tokens = [tokens_of(reference, options) for reference in references if reference is not None]
    floor = 1 if options.total_floor == "segment" else 0
    orders = range(1, options.max_order + 1)
    return Counts(
        matches=[clipped_matches(tokens, reference_tokens, order) for order in orders],
        totals=[max(len(tokens) - order + 1, floor) for order in orders],
        length=len(tokens),
        reference_length=reference_length(len(tokens), [len(tokens) for tokens in reference_tokens], options),
        last=LastSegment(clipped_matches(tokens, reference_tokens, 5), max(len(tokens) - 4, 0), len(tokens)),
    )


def reference_length(length: int, lengths: list[int], options: BleuConfig) -> Fraction:
    """Choose the length that the prediction is compared with."""
    return Fraction(REFERENCE_LENGTHS[options.reference_length](length, lengths))


def closest_shorter(length: int, lengths: list[int]) -> int:
    """Take the closest length; of two, the shorter."""
    return min(lengths, key=lambda candidate: (abs(candidate - length), candidate))


def closest_first(length: int, lengths: list[int]) -> int:
    """Take the closest length; of two, the one that is listed first."""
    return min(lengths, key=lambda candidate: abs(candidate - length))


def closest_below_9999(length: int, lengths: list[int]) -> int:
    """Take the closest length as multi-bleu.perl does: its search starts from a length and a difference of 9999."""
    near = [candidate for candidate in lengths if (abs(candidate - length), candidate) < (9999, 9999)]
    return closest_shorter(length, near) if near else 9999


def average_length(_length: int, lengths: list[int]) -> Fraction:
    """Take the mean, rounded down to 1/720720 of a token, which is exact for up to 16 references."""
    return Fraction(sum(lengths) * 720720 // len(lengths), 720720)


REFERENCE_LENGTHS: dict[str, Callable[[int, list[int]], int | Fraction]] = {
    "closest": closest_shorter,
    "closest-first": closest_first,
    "closest-below-9999": closest_below_9999,
    "shortest": lambda _length, lengths: min(lengths),
    "longest": lambda _length, lengths: max(lengths),
    "average": average_length,
}


def add_up(rows: Sequence[Counts]) -> Counts:
    """Sum the counts of segments. The last segment stays the last."""
    return Counts(
        matches=[sum(column) for column in zip(*(row.matches for row in rows), strict=True)],
        totals=[sum(column) for column in zip(*(row.totals for row in rows), strict=True)],
        length=sum(row.length for row in rows),
        reference_length=sum((row.reference_length for row in rows), Fraction(0)),
        last=rows[-1].last,
    )


# --- smoothing --------------------------------------------------------------------------------------------------

Precisions = list[Fraction]


def ratio(numerator: int | Fraction, denominator: int | Fraction) -> Fraction:
    """Divide. Nothing of nothing is 0."""
    return Fraction(numerator) / denominator if denominator else Fraction(0)


def plain(counts: Counts, _options: BleuConfig) -> Precisions:
    """p_n = m_n / l_n."""
    return [ratio(matches, total) for matches, total in zip(counts.matches, counts.totals, strict=True)]


def in_float32(counts: Counts, _options: BleuConfig) -> Precisions:
    """Compute p_n = (1 / l_n) * m_n in float32, as ignite's tensors do."""
    return [
        Fraction(to_float32(to_float32(1 / max(total, 1)) * matches))
        for matches, total in zip(counts.matches, counts.totals, strict=True)
    ]


def to_float32(number: float) -> float:
    """Round to the nearest float32."""
    return struct.unpack("f", struct.pack("f", number))[0]


def replacing_zeros(counts: Counts, numerator: Fraction | float, *, halved: bool = False) -> Precisions:
    """Put a numerator where an order has n-grams and no match; half of it for each next such order if `halved`."""
    numerator = Fraction(numerator)
    precisions = []
    for matches, total in zip(counts.matches, counts.totals, strict=True):
        if matches == 0 and total > 0:
            numerator = numerator / 2 if halved else numerator
            precisions.append(ratio(numerator, total))
        else:
            precisions.append(ratio(matches, total))
    return precisions


def adding(counts: Counts, to_unigrams: int, to_others: int | Fraction) -> Precisions:
    """Add to matches and totals alike."""
    precisions = []
    for order, (matches, total) in enumerate(zip(counts.matches, counts.totals, strict=True), 1):
        more = to_unigrams if order == 1 else to_others
        precisions.append(ratio(matches + more, total + more))
    return precisions


TINY, SMALL = Fraction(1e-15), Fraction(1e-9)  # of pycocoevalcap, added to dividends and to divisors


def adding_tiny(counts: Counts, _options: BleuConfig) -> Precisions:
    """Add to matches and totals, so that no division is by 0."""
    return [(matches + TINY) / (total + SMALL) for matches, total in zip(counts.matches, counts.totals, strict=True)]


def method0(counts: Counts, options: BleuConfig) -> Precisions:
    """Put the smallest normal double where an order has no match."""
    tiny = Fraction(sys.float_info.min)
    return [precision or tiny for precision in plain(counts, options)]


def method4(counts: Counts, options: BleuConfig) -> Precisions:
    """Put ln(c) / (2^k K l_n) where an order has no match. A single token leaves a precision of 0."""
    numerator = math.log(counts.length) if counts.length > 1 else 0
    return replacing_zeros(counts, Fraction(numerator) / smoothing_value(options), halved=True)


def method4_of_nltk_35(counts: Counts, options: BleuConfig) -> Precisions:
    """Put (n - 1 + K / ln(c)) / l_n where an order has no match. A single token leaves a precision of 0."""
    if counts.length <= 1:
        return plain(counts, options)
    added = smoothing_value(options) / Fraction(math.log(counts.length))
    precisions = plain(counts, options)
    for index, total in enumerate(counts.totals):
        if counts.matches[index] == 0:
            precisions[index] = ratio(index + added, total)
    return precisions


def of_codexglue(counts: Counts, options: BleuConfig) -> Precisions:
    """Add the value to all orders but the first, and the smallest normal double to all."""
    tiny = Fraction(sys.float_info.min)
    precisions = []
    for order, (matches, total) in enumerate(zip(counts.matches, counts.totals, strict=True), 1):
        more = tiny + (smoothing_value(options) if order > 1 else 0)
        precisions.append((matches + more) / (total + more))
    return precisions


def average_neighbours(counts: Counts, precisions: Precisions) -> Precisions:
    """Average each precision with its smoothed left and its plain right neighbour.

    The neighbour to the right of the last one is the 5-gram precision of the last segment, whatever the order is.
    """
    following = [*precisions[1:], ratio(counts.last.matches, counts.last.total)]
    before = precisions[0] + 1
    smoothed = []
    for precision, after in zip(precisions, following, strict=True):
        before = (before + precision + after) / 3
        smoothed.append(before)
    return smoothed


def method6(counts: Counts, options: BleuConfig) -> Precisions:
    """Interpolate from trigrams on with what the two lower orders let expect; totals are of the last prediction.

    NLTK raises an error without trigrams or without a match of them. Here it is method 0 then.
    """
    precisions = plain(counts, options)
    if len(precisions) < 3 or precisions[2] == 0:
        return method0(counts, options)
    for place in range(2, len(precisions)):
        expected = ratio(precisions[place - 1] ** 2, precisions[place - 2])
        total = max(counts.last.length - place, 0)
        value = smoothing_value(options)
        precisions[place] = rounded(ratio(counts.matches[place] + value * expected, total + value))
    return precisions


def rounded(number: Fraction) -> Fraction:
    """Keep 60 digits: each precision has the square of the one before, so that exact fractions would take minutes."""
    with localcontext(prec=60):
        return Fraction(Decimal(number.numerator) / number.denominator)


SMOOTHINGS: dict[str, Callable[[Counts, BleuConfig], Precisions]] = {
    "none": plain,
    "none-float32": in_float32,
    "method0": method0,
    "method1": lambda counts, options: replacing_zeros(counts, smoothing_value(options)),
    "method2": lambda counts, options: adding(counts, 0, 1),
    "method3": lambda counts, options: replacing_zeros(counts, 1, halved=True),
    "method4": method4,
    "method5": lambda counts, options: average_neighbours(counts, plain(counts, options)),
    "method6": method6,
    "method7": lambda counts, options: average_neighbours(counts, method4(counts, options)),
    "method4-3.5": method4_of_nltk_35,
    "method7-3.5": lambda counts, options: average_neighbours(counts, method4_of_nltk_35(counts, options)),
    "codexglue": of_codexglue,
    "floor": lambda counts, options: replacing_zeros(counts, smoothing_value(options)),
    "add-k": lambda counts, options: adding(counts, 0, smoothing_value(options)),
    "exp": lambda counts, options: replacing_zeros(counts, 1, halved=True),
    "add-one": lambda counts, options: adding(counts, 1, 1),
    "add-tiny": adding_tiny,
}

# --- the score --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """The score of one row of counts, and its parts."""

    bleu: float
    precisions: list[float]
    brevity_penalty: float


def score_counts(counts: Counts, options: BleuConfig, *, is_sentence: bool = False) -> Score:
    """BLEU = BP * exp(sum of w_n * log p_n)."""
    if options.total_floor == "corpus":
        counts = replace(counts, totals=[max(total, 1) for total in counts.totals])
    precisions = SMOOTHINGS[options.smoothing](counts, options)
    penalty = brevity_penalty(counts, options)
    if is_zero(counts, options, is_sentence) and options.zero_score == "no-match":
        precisions = [Fraction(0)] * len(precisions)  # sacrebleu ends there, before it smooths
    if is_zero(counts, options, is_sentence) and options.zero_score == "empty":
        penalty = 0.0  # multi-bleu.perl prints BP=0
    bleu = 0.0
    if not is_zero(counts, options, is_sentence):
        weights = [*(options.weights or [1 / options.max_order] * options.max_order)]
        used = used_weights(weights, counts, precisions, options, is_sentence)
        bleu = penalty * geometric_mean(used, counts, precisions, options)
    return Score(bleu, [float(precision) for precision in precisions], penalty)


def brevity_penalty(counts: Counts, options: BleuConfig) -> float:
    """BP = exp(1 - r/c) for a prediction that is too short. An empty one gets 0, but 1 beside an empty reference."""
    if options.smoothing == "add-tiny":  # pycocoevalcap divides lengths as it does counts
        return math.exp(min(1 - (counts.reference_length + SMALL) / (counts.length + TINY), 0))
    if options.smoothing == "codexglue":
        return math.exp(min(1 - (counts.reference_length + 1) / (counts.length + 1), 0))
    if counts.length >= counts.reference_length:
        return 1.0
    return math.exp(1 - counts.reference_length / counts.length) if counts.length else 0.0


def is_zero(counts: Counts, options: BleuConfig, is_sentence: bool) -> bool:
    """Whether the score is 0 before any smoothing."""
    rules = {
        "no-match": not any(counts.matches),
        "any-order": not all(counts.matches),
        "empty": counts.length == 0 or counts.reference_length == 0,
        "empty-prediction": counts.length == 0 or (counts.reference_length == 0 and not is_sentence),
        "never": False,
    }
    return rules[options.zero_score]


def used_weights(
    weights: list[float], counts: Counts, precisions: Precisions, options: BleuConfig, is_sentence: bool
) -> list[float]:
    """Change the weights as the options say: of the orders that there are, or as NLTK reweighs."""
    if options.auto_reweigh and weights == [0.25] * 4 and 0 < counts.length < 4:
        return [1 / counts.length] * counts.length
    if options.effective_order is True or (options.effective_order == "sentence" and is_sentence):
        return effective_weights(weights, counts, precisions)
    return weights


def effective_weights(weights: list[float], counts: Counts, precisions: Precisions) -> list[float]:
    """Leave out orders that the text is too short for, and share their weight among the others in proportion.

    A smoothing that gives an order without n-grams a precision keeps it, as sacrebleu's add-k does.
    """
    is_there = [total > 0 or precision > 0 for total, precision in zip(counts.totals, precisions, strict=True)]
    kept = [weight if there else 0.0 for weight, there in zip(weights, is_there, strict=False)]
    scale = math.fsum(weights) / math.fsum(kept) if math.fsum(kept) else 1.0
    return [weight * scale for weight in kept]


def geometric_mean(weights: list[float], counts: Counts, precisions: Precisions, options: BleuConfig) -> float:
    """exp(sum of w_n * log p_n). A precision of 0 makes it 0 or is left out."""
    logarithms = []
    for weight, precision, total in zip(weights, precisions, counts.totals, strict=False):
        if weight == 0:
            continue
        if precision > 0:
            logarithms.append(weight * math.log(precision))
        elif not is_skipped(total, counts.length, options):
            return 0.0
    return math.exp(math.fsum(logarithms))


def is_skipped(total: int, length: int, options: BleuConfig) -> bool:
    """Whether an order of precision 0 and so many n-grams, of so many tokens, is left out of the mean."""
    if options.zero_precision == "skip":
        return options.smoothing not in ("none", "none-float32")
    return options.zero_precision == "skip-absent" and total == 0 and length > 0


# --- all together -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """The score of a corpus with its parts, and of each of its segments."""

    bleu: float
    precisions: list[float]
    brevity_penalty: float
    length_ratio: float
    translation_length: int
    reference_length: int | float
    counts: list[int]
    totals: list[int]
    sentence_scores: list[float] = field(repr=False)
    rows: list[list[int]] = field(repr=False)  # of statistics: matches, totals, length, reference length


def oracle_bleu(predictions: Sequence[Text], references: Sequence[Any], **options: Any) -> Result:
    """Score a corpus: `references[i]` is a list of references of `predictions[i]`, or one string."""
    chosen = BleuConfig(**options)
    return score_rows(count_rows(predictions, references, chosen), chosen)


def count_rows(predictions: Sequence[Text], references: Sequence[Any], options: BleuConfig) -> list[Counts]:
    """Count every segment of a corpus."""
    rows = []
    for prediction, of_segment in zip(predictions, references, strict=True):
        several = [of_segment] if isinstance(of_segment, str) else of_segment
        rows.append(count_segment(prediction, several, options))
    return rows


def score_rows(rows: Sequence[Counts], options: BleuConfig) -> Result:
    """Score counted segments together."""
    counts = add_up(rows)
    score = score_counts(counts, options)
    sentences = [score_counts(row, options, is_sentence=True).bleu for row in rows]
    is_mean = options.reference_length == "average"
    return Result(
        bleu=math.fsum(sentences) / len(rows) if options.average == "sentence" else score.bleu,
        precisions=score.precisions,
        brevity_penalty=score.brevity_penalty,
        length_ratio=float(ratio(counts.length, counts.reference_length)),
        translation_length=counts.length,
        reference_length=float(counts.reference_length) if is_mean else int(counts.reference_length),
        counts=counts.matches,
        totals=counts.totals,
        sentence_scores=sentences,
        rows=[statistics_row(row, options) for row in rows],
    )


def statistics_row(row: Counts, options: BleuConfig) -> list[int]:
    """Write counts as one row of statistics. Average lengths are integers of 1/720720 of a token."""
    unit = 720720 if options.reference_length == "average" else 1
    return [*row.matches, *row.totals, row.length, int(row.reference_length * unit)]


# --- the package's scores against the oracle's --------------------------------------------------------------------

INTEGERS = ("counts", "totals", "translation_length")
NUMBERS = ("bleu", "precisions", "brevity_penalty", "length_ratio", "reference_length")
SUBNORMAL = sys.float_info.min / 2  # libraries compiled for speed flush such numbers to 0, for the whole process


def are_close(found: Any, expected: Any) -> bool:
    """Whether numbers, or lists of numbers, are the same to 1e-12. Only 0 is close to 0."""
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(are_close, found, expected))
    return math.isclose(found, expected, rel_tol=1e-12, abs_tol=SUBNORMAL)


def score_differences(found: Any, expected: Result) -> list[str]:
    """Say which parts of a score, or of what the metric returned, differ."""
    found = found if isinstance(found, dict) else vars(found)
    wrong = [name for name in INTEGERS if found[name] != getattr(expected, name)]
    wrong += [name for name in NUMBERS if not are_close(found[name], getattr(expected, name))]
    return [f"{name}: {found[name]!r}, expected {getattr(expected, name)!r}" for name in wrong]

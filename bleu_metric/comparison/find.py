"""Find the settings that give a known score, such as a number from a paper.

First, each dialect is tried with the smoothings that its library offers. If no score fits, each dialect is tried with
every smoothing. Every smoothing comes second, because more settings fit more often by chance. Custom weights, smoothing
values and tokenizers are not tried.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, NamedTuple

from .._config import DIALECTS, BleuConfig, config_of, fit_to_kind
from .._corpus import Corpus, as_corpus
from .._counting import count_corpus
from .._display import amount
from .._formula import SMOOTHINGS
from .._names import DialectName
from .._result import Column, Result, Row, typed_word
from .._score import signature_of
from .._statistics import score, with_options
from .._validation import short_repr

_MOST_DECIDED = 5  # if more scores fit, a note says that the number cannot decide
_MOST_COMPLICATED = 2  # most additional changes, compared with the simplest setting of the same score
_HIGHEST = 1000  # in percent; with NLTK's method5, a perfect match scores 133.3 in unigrams; method6 can score more
_NEAREST = 3  # settings shown if no score fits
_SAME_DIGITS = 6  # decimals in which scores are compared, because ignite divides in float32
_FLOAT64_ERROR = 1e-12  # relative difference between our score and the library's in float64
_FLOAT32_ERROR = 1e-6  # relative error of a score in float32
_SWAPPED = "predictions and references swapped"

_ORDERS = (4, 1, 2, 3)
_TOKENIZERS = ("13a", "intl", "none", "zh", "char")  # users often tokenize with these before they score
_TOKENIZE_THEMSELVES = ("codexglue", "llama-factory")
_RARE = {("tokenizer", "zh"), ("tokenizer", "char"), _SWAPPED}  # changes that are less plausible than others

Smoothings = Mapping[str, Sequence[str]]
_OF_SACREBLEU = ("exp", "floor", "add-k", "none")
# Dialect -> the smoothings that its library offers, if it has several (see docs/reference/dialects.md)
_OFFERED: Smoothings = {
    "sacrebleu": _OF_SACREBLEU,
    "papineni": _OF_SACREBLEU,  # with smoothing, it is sacrebleu's BLEU(effective_order=False).sentence_score
    "nltk": (*(f"method{number}" for number in range(8)), "add-one", "method4-3.5", "method7-3.5"),
    **dict.fromkeys(("evaluate", "bleuscore", "keras-hub"), ("none", "add-one")),
    "torchmetrics": ("none", "method2"),
    "ignite": ("none-float32", "method1", "method2"),
    "ignite-micro": ("none", "method1", "method2"),
    "mteval-v13a": ("exp", "none"),
}
_EVERY: Smoothings = dict.fromkeys(DIALECTS, tuple(SMOOTHINGS))
# The counts, the smoothing, the average, the order and these options determine a score
_RULES = ("effective_order", "total_floor", "zero_score", "zero_precision")


@dataclass(frozen=True)
class FoundSetting:
    """A setting that gives the number.

    To compute the number, change the texts as `found.texts` says, and call ``corpus_bleu(predictions, references,
    found.dialect, **found.options)``.
    """

    bleu: float
    """The score, from 0 to 1."""
    dialect: str
    options: dict[str, Any]
    """The options that differ from the dialect's settings. An option that does not change the score is left out."""
    texts: str
    """What was changed in the texts: ``"predictions and references swapped"``, ``"only reference 1"``, or ``""``."""
    signature: str
    fit: str = "nearest"
    """``"rounded"`` or ``"truncated"`` to the digits of the number, ``"within 1e-6"`` if the relative error is that
    of a score in float32, or ``"nearest"`` if no score fits."""
    rank: int = 0
    """1 for the most plausible score. Settings with the same score have the same rank."""

    @property
    def settings(self) -> str:
        """The dialect and the options as they are typed on the command line.

        >>> FoundSetting(0.5, "nltk", {"max_order": 2, "lowercase": True}, "", "").settings
        '--dialect nltk --max-order 2 --lowercase yes'
        """
        options = [f"--{name.replace('_', '-')} {typed_word(value)}" for name, value in self.options.items()]
        return " ".join([f"--dialect {self.dialect}", *options])

    def changes(self) -> set[Any]:
        """Return what differs from scoring the texts with the dialect's own settings."""
        return {*self.options.items(), self.texts} - {""}

    def implausibility(self) -> int:
        """Return the number of changes. A change in `_RARE` counts three times."""
        return len(self.changes()) + 2 * len(self.changes() & _RARE)


@dataclass(frozen=True, repr=False)
class FoundSettings(Result):
    """The settings that give a number, the most plausible ones first. ``print`` shows a table.

    Several `settings` can have the same score and the same `FoundSetting.rank`.
    """

    number: str
    n_tried: int
    settings: list[FoundSetting]

    def facts(self) -> Row:
        """Return the number that was sought, and how many settings were tried."""
        return {"number": self.number, "n_tried": self.n_tried}

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per setting, as plain Python values, e.g. for pandas. Each option has its own entry.

        >>> FoundSettings("50", 9, [FoundSetting(0.5, "nltk", {}, "", "…")]).rows()[0]["settings"]
        '--dialect nltk'
        """
        rows = []
        for found in self.settings:
            fields = {**asdict(found), "bleu": (100 if in_percent else 1) * found.bleu, **found.options}
            del fields["options"]
            rows.append({"settings": found.settings, **fields})
        return rows

    def title(self, digits: int = 1) -> str:
        """Return how many scores fit the number."""
        fits = self._fits()
        numbers = Counter(fits.values())
        if "nearest" in numbers:
            return f"{self.number} fits none of {self.n_tried:,} settings"
        kinds = ", ".join(f"{n} {fit}" for fit, n in numbers.items())
        by_fit = f" ({kinds})" if len(numbers) > 1 else ""
        if len(self.settings) > len(fits):
            by_fit += f", from {len(self.settings)} settings"
        return f"{self.number} fits {amount(len(fits), 'score')}{by_fit}; {self.n_tried:,} settings were tried"

    def _fits(self) -> dict[int, str]:
        return {found.rank: found.fit for found in self.settings}

    def notes(self) -> list[str]:
        """Return how far the number can be trusted."""
        kinds = list(self._fits().values())
        if "nearest" in kinds:
            return ["of the settings that libraries use, these are the nearest; chrF and TER are not tried"]
        if kinds.count("rounded") > _MOST_DECIDED:
            return [f"{self.number} cannot decide between so many scores; a number with more digits can"]
        return ["a number can fit by chance: check that the settings are plausible"]

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row for all dialects that give the same score with the same options."""
        alike: dict[Any, list[FoundSetting]] = defaultdict(list)
        for found in self.settings:
            alike[found.rank, found.texts, *found.options.items()].append(found)
        # In percent, a float has about 14 digits after the decimal point
        digits = min(max(4, len(self.number.partition(".")[2]) + 2), 14)
        firsts = [first for first, *_ in alike.values()]
        settings = [f"{first.settings} ({first.texts})" if first.texts else first.settings for first in firsts]
        others = [", ".join(other.dialect for other in rest) for _, *rest in alike.values()]
        return [
            Column("BLEU", [f"{100 * first.bleu:.{digits}f}" for first in firsts]),
            Column("fit", [first.fit for first in firsts], is_text=True),
            Column("settings", settings, is_text=True),
            Column("same score with", others, is_text=True),
        ]


def find_settings(predictions: Any, references: Any, number: str | float) -> FoundSettings:
    """Find the settings that give a known score: a dialect, its options, and how the texts were passed.

    Args:
        predictions: as for `corpus_bleu`.
        references: as for `corpus_bleu`.
        number: the score as it was printed, such as ``"33.97"`` in percent. ``"0.3397"``, a small number with a decimal
            point, may also be on a scale of 0 to 1. Pass a string if the last digit is 0.

    Returns:
        The settings with the fit "rounded", then "truncated", then "within 1e-6" (see `FoundSetting.fit`). Within each
            fit, the score with the most plausible setting comes first: few changes to a dialect. If no score fits, the
            result has the nearest scores with smoothings that the dialect's library offers.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`, or `number` is not a number from 0 to 1000.

    >>> found = find_settings(["the cat sat on the mat"], ["the cat sat on a mat"], "70.71")
    >>> found.settings[0].settings
    '--dialect sacrebleu --max-order 2'
    """
    readings = read_number(number)
    corpora = _passed_in_all_ways(as_corpus(predictions, references))
    scores: dict[Any, float] = {}
    n_tried = 0
    offered: list[_Tried] = []
    for smoothings in (_OFFERED, _EVERY):
        tried = [one for texts, corpus in corpora.items() for one in _try_settings(corpus, texts, smoothings, scores)]
        n_tried += len(tried)
        offered = offered or tried
        fitting = [one.found(fit) for one in tried if (fit := _fit(one.bleu, readings))]
        if fitting:
            break
    else:
        # Only settings that libraries offer, because some other setting almost always has a score near the number
        by_distance = sorted(offered, key=lambda one: min(abs(one.bleu - value) for value, _ in readings))
        nearest = [*dict.fromkeys(round(one.bleu, _SAME_DIGITS) for one in by_distance)][:_NEAREST]
        fitting = [one.found("nearest") for one in offered if round(one.bleu, _SAME_DIGITS) in nearest]
    return FoundSettings(str(number), n_tried, _rank(fitting))


def read_number(number: str | float) -> list[tuple[float, float]]:
    """Return each possible score from 0 to 1 with the unit of its last digit: "33.97" -> [(0.3397, 0.0001)].

    Raise ``ValueError`` if `number` is not a number from 0 to 1000.
    """
    text = str(number)
    is_number = re.fullmatch(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", text)
    if not is_number or float(text) > _HIGHEST:
        what = "a score in percent or from 0 to 1, with a decimal point, e.g. 33.97"
        raise ValueError(f"the number must be {what}, got {short_repr(number)}")

    value = float(text)
    _, _, decimals = text.partition(".")
    unit = 10.0 ** -len(decimals)
    readings = [(value / 100, unit / 100)]  # in percent
    if value <= _HIGHEST / 100 and decimals:
        readings.insert(0, (value, unit))
    return readings


def _fit(bleu: float, readings: Iterable[tuple[float, float]]) -> str:
    """Return how a score fits a number, as in `FoundSetting.fit`, or "" if it does not fit."""
    fits = set()
    for value, unit in readings:
        # 1e-9 accepts halves rounded up or down. _FLOAT64_ERROR accepts a number that was printed with all digits
        if abs(bleu - value) <= max(unit / 2 + 1e-9 * unit, _FLOAT64_ERROR * value):
            fits.add("rounded")
        elif value <= bleu < value + unit:
            fits.add("truncated")
        elif abs(bleu - value) <= _FLOAT32_ERROR * value:
            fits.add("within 1e-6")
    return min(fits, default="")  # alphabetical order is also the order from best to worst


def _passed_in_all_ways(corpus: Corpus) -> dict[str, Corpus]:
    """Return the corpora that may have been scored, such as {"": corpus, "only reference 1": corpus, …}."""
    checked = corpus.checked()
    predictions, references = checked.predictions, checked.references
    first_references = [texts[0] for texts in references]
    corpora = {"": corpus, _SWAPPED: as_corpus(first_references, [[text] for text in predictions])}

    numbers = [len(texts) for texts in references]
    if max(numbers) > 1:
        for index in range(min(numbers)):
            one_reference = [[texts[index]] for texts in references]
            corpora[f"only reference {index + 1}"] = as_corpus(predictions, one_reference)
    return corpora


class _Tried(NamedTuple):
    """A setting and its score. Only those that fit become a `FoundSetting`, because writing a signature takes time."""

    bleu: float
    dialect: DialectName
    options: dict[str, Any]  # also those that the dialect itself has, such as {"tokenizer": "13a", "max_order": 4, …}
    texts: str
    config: BleuConfig  # with which the texts were counted
    nrefs: tuple[int, int]

    def found(self, fit: str) -> FoundSetting:
        own = DIALECTS[self.dialect]
        changed = {name: value for name, value in self.options.items() if value != getattr(own, name)}
        # Lists of tokens are counted with the tokenizer "none"
        config = self.config.with_options({**self.options, "tokenizer": self.config.tokenizer})
        return FoundSetting(self.bleu, self.dialect, changed, self.texts, signature_of(config, self.nrefs), fit)


def _try_settings(corpus: Corpus, texts: str, smoothings: Smoothings, scores: dict[Any, float]) -> Iterator[_Tried]:
    """Yield every setting with its score. Dialects with the same tokenizer and letter case are counted together.

    `scores`: the known scores. Equal counts are scored once, because many dialects differ only for unusual texts.
    """
    dialects_by_tokens: dict[Any, list[DialectName]] = defaultdict(list)
    for dialect, own in DIALECTS.items():
        other_case = "ascii" if dialect == "multi-bleu" else not own.lowercase
        tokenizers = () if dialect in _TOKENIZE_THEMSELVES else _TOKENIZERS
        for tokens in product(dict.fromkeys([own.tokenizer, *tokenizers]), (own.lowercase, other_case)):
            dialects_by_tokens[tokens].append(dialect)

    for (tokenizer, lowercase), dialects in dialects_by_tokens.items():
        # Counts for method7 suffice for every smoothing
        counting = {"tokenizer": tokenizer, "lowercase": lowercase, "smoothing": "method7", "average": "corpus"}
        configs = [fit_to_kind(config_of(dialect, counting), corpus.kind) for dialect in dialects]
        for dialect, statistics in zip(dialects, count_corpus(corpus, configs), strict=True):
            own = DIALECTS[dialect]
            rules = [getattr(own, name) for name in _RULES]
            table = hash(statistics.table.tobytes())
            offered = smoothings.get(dialect, (own.smoothing,))
            for smoothing, average, order in product(offered, ("corpus", "sentence"), _ORDERS):
                scoring = {"smoothing": smoothing, "average": average, "max_order": order}
                # The formula, not the name, because some smoothings have two names
                key = (table, SMOOTHINGS[smoothing], average, order, *rules)
                if key not in scores:
                    scores[key] = score(with_options(statistics, scoring)).bleu
                options = {**counting, **scoring}
                yield _Tried(scores[key], dialect, options, texts, statistics.config, statistics.nrefs)


def _rank(fitting: Iterable[FoundSetting]) -> list[FoundSetting]:
    """Sort settings by plausibility, set their ranks, and leave out needlessly complicated settings."""
    kept_by_score: dict[float, list[FoundSetting]] = defaultdict(list)
    # Alphabetical order of fits is also the order from best to worst
    for found in sorted(fitting, key=lambda found: (found.fit, found.implausibility())):
        kept = kept_by_score[round(found.bleu, _SAME_DIGITS)]
        of_dialect = [other for other in kept if other.dialect == found.dialect]
        has_needless_changes = any(other.changes() <= found.changes() for other in of_dialect)
        simplest = kept[0].implausibility() if kept else found.implausibility()
        is_complicated = found.implausibility() > simplest + _MOST_COMPLICATED
        if not has_needless_changes and not is_complicated:
            kept.append(found)

    ranked = []
    for rank, kept in enumerate(kept_by_score.values(), 1):
        ranked += [replace(found, rank=rank) for found in kept]
    return ranked

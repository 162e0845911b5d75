"""Find the settings that give a known score, such as a number from a paper.

The search first tries what the libraries themselves offer: each dialect with the smoothings of its library. Only if
none of these settings fits, it tries each dialect with every smoothing. Custom weights, smoothing values and tokenizers
are not tried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import product
from math import isclose
from typing import Any, NamedTuple

from .._config import DIALECTS, BleuConfig, config_of, fit_to_kind
from .._corpus import Corpus, as_corpus
from .._counting import count_corpus
from .._display import Readable, Summary, Table, amount
from .._formula import SMOOTHINGS
from .._score import signature_of
from .._statistics import BleuStatistics, score
from .._validation import short_repr

Variants = Mapping[str, Sequence[dict[str, Any]]]

_MOST_DECIDED = 5  # with more fitting scores, a number does not show which setting gave it
_MOST_SHOWN = 10  # scores in the table
_NEAREST = 3  # scores shown if none fits
_ORDERS = (4, 1, 2, 3)
_TOKENIZERS = ("13a", "intl", "none", "zh", "char")  # with which texts are often tokenized before they are scored
_RARE_TOKENIZERS = ("zh", "char")  # these count as two changes
_FLOAT32 = 1e-6  # relative error of the scores of libraries that compute in float32

_SMOOTH = [{"smoothing": "none"}, {"smoothing": "add-one"}]
# Dialect -> what its library offers, as docs/guide/dialects.md lists. The others have only their own settings
_OFFERED: Variants = {
    "sacrebleu": [*({"smoothing": name} for name in ("exp", "floor", "add-k", "none")), {"effective_order": False}],
    "nltk": [
        *({"smoothing": f"method{number}"} for number in range(8)),
        *({"smoothing": name} for name in ("add-one", "method4-3.5", "method7-3.5")),  # NLTK 3.5
    ],
    "evaluate": _SMOOTH,
    "bleuscore": _SMOOTH,
    "keras-hub": _SMOOTH,
    "torchmetrics": [{"smoothing": "none"}, {"smoothing": "method2"}],
    "ignite": [{}, {"smoothing": "method1"}, {"smoothing": "method2"}, {"smoothing": "method2", "total_floor": "none"}],
    "ignite-micro": [{}, {"smoothing": "method1"}, {"smoothing": "method2"}],
    "mteval-v13a": [{}, {"smoothing": "none", "zero_score": "any-order"}],
}
_SCORING_OPTIONS = ("smoothing", "max_order", "average", "effective_order", "total_floor", "zero_score", "zero_precision")
_EVERY_SMOOTHING: Variants = dict.fromkeys(DIALECTS, [{"smoothing": name} for name in SMOOTHINGS])


@dataclass(frozen=True)
class FoundSetting:
    """A setting that gives the number: ``corpus_bleu(predictions, references, found.dialect, **found.options)``."""

    bleu: float
    """The score, from 0 to 1."""
    fit: str
    """``"rounded"`` or ``"truncated"`` to the digits of the number, or ``"nearest"`` if no score fits."""
    rank: int
    """1 for the most plausible score. Settings with the same score have the same rank."""
    dialect: str
    options: dict[str, Any]
    """The options that differ from the dialect's settings. Options that do not change the score are left out."""
    texts: str
    """What else was changed, such as "predictions and references swapped", or ""."""
    signature: str

    @property
    def settings(self) -> str:
        """The dialect and the options, as they are typed on the command line."""
        words = [f"--dialect {self.dialect}"]
        for name, value in self.options.items():
            word = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
            words.append(f"--{name.replace('_', '-')} {word}")
        return " ".join(words)


@dataclass(frozen=True, repr=False)
class FoundSettings(Readable):
    """The settings that give a number. ``print`` shows a table, which begins with the most plausible settings."""

    number: str
    settings: list[FoundSetting] = field(default_factory=list)
    n_tried: int = 0
    """The number of settings that were tried."""

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, as plain Python values.

        >>> FoundSettings("33.97").to_dict()
        {'number': '33.97', 'n_tried': 0, 'settings': []}
        """
        return {"number": self.number, "n_tried": self.n_tried, "settings": self.rows()}

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per setting, as plain Python values, e.g. for pandas.

        >>> FoundSettings("50", [FoundSetting(0.5, "rounded", 1, "nltk", {"max_order": 2}, "", "…")]).rows()[0]["settings"]
        '--dialect nltk --max-order 2'
        """
        return [{"settings": found.settings, **vars(found), "options": dict(found.options)} for found in self.settings]

    def n_scores(self, fit: str) -> int:
        """Return the number of different scores that fit in the given way, e.g. ``"rounded"``."""
        return len({found.rank for found in self.settings if found.fit == fit})

    def _summary(self) -> Summary:
        """Return a table with one line for all dialects that give the same score with the same options."""
        rounded, truncated = self.n_scores("rounded"), self.n_scores("truncated")
        verdict = f"{amount(rounded + truncated, 'score')} of {self.n_tried:,} settings fit"
        notes = ["settings with the same score count as one"]
        if not rounded + truncated:
            verdict = f"none of {self.n_tried:,} settings fits; these are the nearest"
            notes = []
        if rounded > _MOST_DECIDED:
            notes.append(f"{self.number} cannot decide between {rounded} scores: look for more digits, or a second number")
        if rounded + truncated > _MOST_SHOWN:
            notes.append(f"the table shows the first {_MOST_SHOWN} scores")
        line = f"{self.number}: {verdict}"
        heads = ["BLEU", "fit", "settings", "same score with"]
        return Summary(line, headline=line, notes=notes, table=Table(heads, self._cells(), left_aligned=(1, 2, 3)))

    def _cells(self) -> list[list[str]]:
        lines: dict[Any, list[FoundSetting]] = defaultdict(list)
        for found in self.settings:
            if found.rank <= _MOST_SHOWN:
                lines[found.rank, found.texts, *found.options.items()].append(found)
        decimals = max(4, 2 - int(Decimal(self.number).as_tuple().exponent))

        cells = []
        last_rank = 0
        for first, *others in lines.values():
            texts = f" ({first.texts})" if first.texts else ""
            shown = [f"{100 * first.bleu:.{decimals}f}", first.fit] if first.rank != last_rank else ["", ""]
            cells.append([*shown, first.settings + texts, ", ".join(found.dialect for found in others)])
            last_rank = first.rank
        return cells


def find_settings(predictions: Any, references: Any, number: str | float) -> FoundSettings:
    """Find the settings that give a known score: a dialect, its options, and how the texts were passed.

    Args:
        predictions: as for `corpus_bleu`.
        references: as for `corpus_bleu`.
        number: the score as it was printed, such as ``"33.97"`` or ``"0.3397"``. A number of at most 1 with a decimal
            point may be on a scale of 0 to 1 or in percent; any other number is in percent. Pass a string if the last
            digit is 0.

    Returns:
        The settings whose score rounds to the number, then those whose score is truncated to it. The settings with the
            fewest changes to a dialect come first. If nothing fits, the result has the nearest scores.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`, or `number` is not a number from 0 to 100.

    >>> print(find_settings(["The cat sat on the mat"], ["the cat sat on the mat today"], "68.65"))  # doctest: +ELLIPSIS
    68.65: 1 score of ...
    """
    reading = _read_number(number)
    corpora = _passed_in_all_ways(as_corpus(predictions, references))
    for variants in (_OFFERED, _EVERY_SMOOTHING):
        tried = [each for texts in corpora for each in _try_settings(corpora[texts], texts, variants)]
        fitting = [(fit, each) for each in tried if (fit := reading.fit(each.bleu))]
        if fitting:
            break
    else:
        by_distance = sorted(tried, key=lambda each: reading.distance(each.bleu))
        nearest = list(dict.fromkeys(each.bleu for each in by_distance))[:_NEAREST]
        fitting = [("nearest", each) for each in by_distance if each.bleu in nearest]
    return FoundSettings(str(number), _rank(fitting, reading), len(tried))


class _Reading(NamedTuple):
    """What a typed number may mean."""

    value: float
    unit: float  # of the last digit
    scales: tuple[int, ...]  # 100 for percent, 1 for a scale from 0 to 1

    def fit(self, bleu: float) -> str:
        """Return "rounded" or "truncated" if a score fits the number, otherwise ""."""
        tolerance = max(self.unit / 2 * (1 + 1e-9), _FLOAT32 * self.value)
        if self.distance(bleu) <= tolerance:
            return "rounded"
        is_truncated = any(self.value <= scale * bleu < self.value + self.unit for scale in self.scales)
        return "truncated" if is_truncated else ""

    def distance(self, bleu: float) -> float:
        return min(abs(scale * bleu - self.value) for scale in self.scales)


def _read_number(number: str | float) -> _Reading:
    """Parse a number. Raise ``ValueError`` if it is not a decimal number from 0 to 100."""
    try:
        decimal = Decimal(str(number))
        if not 0 <= decimal <= 100:
            raise ValueError
    except (InvalidOperation, ValueError):
        raise ValueError(f"number must be a score from 0 to 100, such as 33.97, got {short_repr(number)}") from None
    exponent = int(decimal.as_tuple().exponent)
    return _Reading(float(decimal), 10.0**exponent, (1, 100) if decimal <= 1 and exponent < 0 else (100,))


def _passed_in_all_ways(corpus: Corpus) -> dict[str, Corpus]:
    """Return the corpora that a user may have scored by mistake or by choice: what was changed -> the corpus."""
    rows = corpus.checked_rows()
    predictions = [prediction for prediction, _ in rows]
    corpora = {"": corpus}
    if max(len(references) for _, references in rows) > 1:
        for index in range(min(len(references) for _, references in rows)):
            only = [[references[index]] for _, references in rows]
            corpora[f"only reference {index + 1}"] = as_corpus(predictions, only)
    swapped = [references[0] for _, references in rows]
    corpora["predictions and references swapped"] = as_corpus(swapped, [[prediction] for prediction in predictions])
    return corpora


class _Tried(NamedTuple):
    """A setting and its score."""

    bleu: float
    dialect: str
    options: dict[str, Any]
    texts: str
    nrefs: tuple[int, int]
    config: BleuConfig

    def changes(self) -> set[Any]:
        """Return what differs from scoring the texts with the dialect's own settings."""
        return {*self.options.items(), self.texts} - {""}

    def implausibility(self) -> int:
        """Return the number of changes; those that users rarely make count twice."""
        is_rare = self.options.get("tokenizer") in _RARE_TOKENIZERS
        return len(self.changes()) + is_rare + ("swapped" in self.texts)


def _try_settings(corpus: Corpus, texts: str, variants: Variants) -> Iterator[_Tried]:
    """Score a corpus with every setting. Texts are counted once for all settings that split them in the same way."""
    dialects_by_tokens: dict[Any, list[str]] = defaultdict(list)
    for dialect, config in DIALECTS.items():
        other_case = "ascii" if dialect == "multi-bleu" else not config.lowercase
        tokenizers = dict.fromkeys([config.tokenizer, *_TOKENIZERS])
        for tokens in product(tokenizers, (config.lowercase, other_case)):
            dialects_by_tokens[tokens].append(dialect)

    scores: dict[Any, float] = {}  # settings -> score, because many dialects differ only for unusual texts
    for (tokenizer, lowercase), dialects in dialects_by_tokens.items():
        # The counts for method7 can be scored with every smoothing
        counting = {"tokenizer": tokenizer, "lowercase": lowercase, "smoothing": "method7", "average": "corpus"}
        configs = [fit_to_kind(config_of(dialect, counting), corpus.kind) for dialect in dialects]
        for dialect, statistics in zip(dialects, count_corpus(corpus, configs), strict=True):
            table = hash(statistics.table.tobytes())
            own = DIALECTS[dialect]
            for variant, average, order in product(variants.get(dialect, [{}]), ("corpus", "sentence"), _ORDERS):
                scoring = {"smoothing": own.smoothing, **variant, "average": average, "max_order": order}
                config = statistics.config.with_options(scoring)
                key = (table, *(getattr(config, name) for name in _SCORING_OPTIONS))
                if key not in scores:
                    scores[key] = score(statistics, **scoring).bleu
                wanted = {"tokenizer": tokenizer, "lowercase": lowercase, **scoring}
                options = {name: value for name, value in wanted.items() if value != getattr(own, name)}
                yield _Tried(scores[key], dialect, options, texts, statistics.nrefs, config)


def _rank(fitting: list[tuple[str, _Tried]], reading: _Reading) -> list[FoundSetting]:
    """Sort settings, number their scores, and leave out options that do not change the score."""
    first = {"rounded": 0, "truncated": 1, "nearest": 2}
    ranks: list[tuple[float, list[_Tried]]] = []
    order = sorted(fitting, key=lambda each: (first[each[0]], each[1].implausibility()))
    found = []
    for fit, tried in order:
        rank = next((i for i, (bleu, _) in enumerate(ranks) if isclose(bleu, tried.bleu, rel_tol=_FLOAT32 / 10)), None)
        if rank is None:
            rank = len(ranks)
            ranks.append((tried.bleu, []))
        kept = ranks[rank][1]
        if any(other.dialect == tried.dialect and other.changes() <= tried.changes() for other in kept):
            continue
        kept.append(tried)
        signature = signature_of(tried.config, tried.nrefs)
        found.append(FoundSetting(tried.bleu, fit, rank + 1, tried.dialect, tried.options, tried.texts, signature))
    return sorted(found, key=lambda setting: setting.rank)

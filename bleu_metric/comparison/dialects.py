"""Explanations of why the scores of two dialects differ: how much each setting contributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import factorial, fsum
from typing import Any, NamedTuple, Unpack

from .._bleu import prepare
from .._config import BleuConfig, BleuOptions, fit_to_kind, require_one_score
from .._corpus import Corpus
from .._counting import count_corpus
from .._dialects import Dialect, config_of
from .._display import percent
from .._languages import with_tokenizer
from .._options import OPTIONS
from .._statistics import score
from .._tables import Readable, Summary, Table, align

# Option -> the option that it depends on. Both are changed in the same step.
_LEADERS = {"weights": "max_order", "smoothing_value": "smoothing"}


@dataclass(frozen=True)
class Step:
    """One changed option, and its effect on a score between 0 and 1."""

    option: str
    old: Any
    new: Any
    change: float
    """The change of the score to which the new value leads."""
    after: float | None = None
    """The score after the change, if the options are changed one after another."""


@dataclass(frozen=True, repr=False)
class Explanation(Readable):
    """What each setting contributes to the difference of two dialects. ``print`` shows a table, in percent.

    >>> step = Step("smoothing", "none", "exp", change=0.25)
    >>> print(Explanation("papineni", "sacrebleu", 0.25, 0.5, [step]))
    papineni                        25.00
    smoothing: none -> exp  +25.00
    sacrebleu               +25.00  50.00
    """

    from_dialect: str
    to_dialect: str
    start: float
    end: float
    steps: list[Step]

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, as plain Python values.

        >>> Explanation("nltk", "evaluate", 0.5, 0.5, []).to_dict()
        {'from_dialect': 'nltk', 'to_dialect': 'evaluate', 'start': 0.5, 'end': 0.5, 'steps': []}
        """
        return asdict(self)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per step, as plain Python values, e.g. for pandas.

        >>> Explanation("nltk", "evaluate", 0.5, 0.25, [Step("strip", True, False, -0.25)]).rows()
        [{'option': 'strip', 'old': True, 'new': False, 'change': -0.25, 'after': None}]
        """
        return [asdict(step) for step in self.steps]

    def _summary(self) -> Summary:
        start, *_, end = self._cells()
        line = f"{start[0]} {start[2]} -> {end[0]} {end[2]}"
        return Summary(line, line, [], Table(["setting", "change", "BLEU"], self._cells()))

    def __str__(self) -> str:
        """Return one line per step, with the change of the score in percent."""
        return "\n".join(align(self._cells()))

    def _cells(self) -> list[list[str]]:
        """Return the cells of each line: the dialect or the changed option, the change of the score, and the score."""
        cells = [[self.from_dialect, "", percent(self.start, 2)]]
        for step in self.steps:
            setting = f"{step.option}: {_value_text(step.old)} -> {_value_text(step.new)}"
            after = "" if step.after is None else percent(step.after, 2)
            cells.append([setting, _signed(step.change), after])
        cells.append([self.to_dialect, _signed(self.end - self.start), percent(self.end, 2)])
        return cells


def _signed(change: float) -> str:
    return f"{round(100 * change, 2) + 0.0:+.2f}"  # -0.0 + 0.0 is 0.0


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def explain_difference(
    predictions: Any,
    references: Any,
    from_dialect: Dialect,
    to_dialect: Dialect,
    *,
    in_order: bool = False,
    **options: Unpack[BleuOptions],
) -> Explanation:
    """Explain why the scores of two dialects differ: compute what each setting contributes to the difference.

    The effect of a setting depends on the settings that were changed before it. Its contribution is therefore the mean
    of its effects over all orders of changing the settings, the Shapley value (Shapley 1953). Contributions add up to
    the difference. If the dialects are swapped, the contributions change their signs.

    Args:
        predictions: as for `corpus_bleu`.
        references: as for `corpus_bleu`.
        from_dialect: the first dialect, as for `corpus_bleu`.
        to_dialect: the second dialect, as for `corpus_bleu`.
        in_order: True to change the settings only once, in the order of the options in `BleuConfig`, and to return the
            score after each change.
        **options: override the settings of both dialects.

    Returns:
        One step per option that differs. The time doubles with each option: n options have 2^n combinations to score.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`. ValueError: `weights` is a list of lists.

    >>> print(explain_difference(["a b c d e"], [["a b", "a b c d e f"]], "evaluate", "sacrebleu"))
    evaluate                                       100.00
    strip: no -> yes                        +0.00
    smoothing: none -> exp                  +0.00
    reference_length: shortest -> closest  -18.13
    effective_order: no -> sentence         +0.00
    zero_score: empty -> no-match           +0.00
    sacrebleu                              -18.13   81.87
    """
    fixed = with_tokenizer(options)  # here, so that it warns only once
    corpus, start = prepare(predictions, references, from_dialect, fixed)
    end = fit_to_kind(config_of(to_dialect, fixed), corpus.layout.kind)
    require_one_score(start, "a difference is explained for")
    changes = changes_between(start, end)
    if in_order:
        scores = score_configs(corpus, change_one_by_one(start, changes))
        steps = steps_in_order(changes, scores)
    else:
        scores = score_configs(corpus, change_in_all_ways(start, changes))
        contributions = [shapley_value(scores, number) for number in range(len(changes))]
        steps = [change.step(share) for change, share in zip(changes, contributions, strict=True)]
    return Explanation(str(from_dialect), str(to_dialect), scores[0], scores[-1], steps)


def shapley_value(scores: Sequence[float], option: int) -> float:
    """Return the mean effect of an option over all orders of changing the options.

    `scores`: the score of each state. The bits of a state's index show which options have been changed.

    >>> shapley_value([0.1, 0.4, 0.2, 0.6], option=0)
    0.35
    """
    options = len(scores).bit_length() - 1
    effects = []
    for before, score_before in enumerate(scores):
        after = before | 1 << option
        if before == after:
            continue
        # In so many orders, the options of `before` come first, then this option, then all others
        orders = factorial(before.bit_count()) * factorial(options - after.bit_count())
        effects.append(orders / factorial(options) * (scores[after] - score_before))
    return fsum(effects)  # the sum is exact, so that the order of the terms does not matter


class Change(NamedTuple):
    """One option that differs between two configurations, with the option that depends on it, if there is one."""

    old: dict[str, Any]  # option -> value
    new: dict[str, Any]

    def step(self, change: float, after: float | None = None) -> Step:
        """Return the step of this change. `change` and `after`: as in `Step`."""
        option = next(iter(self.new))
        return Step(option, _joined(self.old), _joined(self.new), change, after)


def changes_between(start: BleuConfig, end: BleuConfig) -> list[Change]:
    """Return the options that differ, in the order of the options of `BleuConfig`."""
    changes = []
    for option in OPTIONS:
        if option in _LEADERS:
            continue
        dependents = [dependent for dependent, leader in _LEADERS.items() if leader == option]
        names = [option, *dependents]
        old = {name: getattr(start, name) for name in names}
        new = {name: getattr(end, name) for name in names}
        if old != new:
            changes.append(Change(old, new))
    return changes


def _joined(values: Mapping[str, Any]) -> Any:
    """Return the value of an option. If a dependent option has a value, return both as text, e.g. "floor 0.1"."""
    value, *dependents = values.values()
    if dependents and dependents[0] is not None:
        return f"{value} {dependents[0]}"
    return value


def _changed(start: BleuConfig, changes: Iterable[Change]) -> BleuConfig:
    values: dict[str, Any] = {}
    for change in changes:
        values |= change.new
    return start.with_options(values)


def change_in_all_ways(start: BleuConfig, changes: Sequence[Change]) -> list[BleuConfig]:
    """Return a configuration for each set of changes. The bits of its index show which changes are made."""
    configs = []
    for state in range(1 << len(changes)):
        made = [change for number, change in enumerate(changes) if state >> number & 1]
        configs.append(_changed(start, made))
    return configs


def change_one_by_one(start: BleuConfig, changes: Sequence[Change]) -> list[BleuConfig]:
    """Return the configurations before the first change and after each change, if one is made after another."""
    return [_changed(start, changes[:number]) for number in range(len(changes) + 1)]


def steps_in_order(changes: Sequence[Change], scores: Sequence[float]) -> list[Step]:
    """Return the steps of `change_one_by_one`, whose configurations have these scores."""
    pairs = zip(changes, pairwise(scores), strict=True)
    return [change.step(after - before, after) for change, (before, after) in pairs]


def score_configs(corpus: Corpus, configs: Sequence[BleuConfig]) -> list[float]:
    """Score a corpus in each configuration. Configurations with equal counts are counted only once.

    The counts have one row per segment only if one of their configurations needs it.
    """
    keys: list[Any] = []  # no dict, because tokenizers may be unhashable
    counted = []
    for config in sorted(configs, key=lambda config: config.average != "sentence"):  # those that need rows come first
        if _counting_key(config) not in keys:
            keys.append(_counting_key(config))
            counted.append(config)
    counts = count_corpus(corpus, counted, keep_rows=False)
    scores = []
    for config in configs:
        shared = counts[keys.index(_counting_key(config))]
        scores.append(float(score(replace(shared, config=config))))
    return scores


def _counting_key(config: BleuConfig) -> tuple[Any, ...]:
    """Return a key that is equal for configurations with equal counts."""
    return config._tokenization, config._columns, config.reference_length

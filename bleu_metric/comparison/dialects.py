"""Explanations of why the scores of two dialects differ. Options are changed one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Unpack

from .._bleu import prepare, score_corpus
from .._config import OPTIONS, BleuConfig, BleuOptions, fit_to_kind, require_one_score
from .._dialects import Dialect, config_of
from .._display import Readable, Summary

# Option -> the option that it depends on. Both are changed in the same step.
_TOGETHER = {"weights": "max_order", "smoothing_value": "smoothing"}


@dataclass(frozen=True)
class Step:
    """One changed option, with the scores before and after the change, on a scale of 0 to 1."""

    option: str
    old: Any
    new: Any
    before: float
    after: float

    @property
    def change(self) -> float:
        """Return the change of the score that the new value causes."""
        return self.after - self.before


@dataclass(frozen=True, repr=False)
class Explanation(Readable):
    """The steps from one dialect's score to another's, on a scale of 0 to 1. ``print`` shows a table, in percent.

    >>> step = Step("smoothing", "none", "exp", before=0.25, after=0.5)
    >>> print(Explanation("default", "sacrebleu", 0.25, 0.5, [step]))
    default                             25.00
    smoothing: none -> exp    +25.00    50.00
    sacrebleu                 +25.00    50.00
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

        >>> Explanation("nltk", "evaluate", 0.5, 0.25, [Step("strip", True, False, 0.5, 0.25)]).rows()
        [{'option': 'strip', 'old': True, 'new': False, 'before': 0.5, 'after': 0.25, 'change': -0.25}]
        """
        return [{**asdict(step), "change": step.change} for step in self.steps]

    def _summary(self) -> Summary:
        ends = f"{self.from_dialect} {100 * self.start:.2f} -> {self.to_dialect} {100 * self.end:.2f}"
        return Summary(ends, ends, [], ["setting", "change", "BLEU"], self._cells())

    def __str__(self) -> str:
        """Return one line per step, with the change of the score and the score in percent."""
        cells = self._cells()
        width = max(len(name) for name, _, _ in cells)
        return "\n".join(f"{name:<{width}}  {change:>8}  {score:>7}" for name, change, score in cells)

    def _cells(self) -> list[list[str]]:
        """Return the cells of each line: the dialect or the changed option, the change of the score, and the score."""
        cells = [[self.from_dialect, "", f"{100 * self.start:.2f}"]]
        for step in self.steps:
            change = f"{step.option}: {_value_text(step.old)} -> {_value_text(step.new)}"
            cells.append([change, f"{100 * step.change:+.2f}", f"{100 * step.after:.2f}"])
        whole_change = f"{100 * (self.end - self.start):+.2f}"
        return [*cells, [self.to_dialect, whole_change, f"{100 * self.end:.2f}"]]


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def explain_difference(
    predictions: Any, references: Any, from_dialect: Dialect, to_dialect: Dialect, **options: Unpack[BleuOptions]
) -> Explanation:
    """Explain why the scores of two dialects differ: change one option at a time, and compute the effect of each.

    Args:
        predictions: as for `corpus_bleu`.
        references: as for `corpus_bleu`.
        from_dialect: the first dialect, as for `corpus_bleu`.
        to_dialect: the second dialect, as for `corpus_bleu`.
        **options: override the settings of both dialects.

    Returns:
        One step per changed option, in the order of the options in `BleuConfig`. An option that cannot be changed yet,
        because the configuration would be invalid, is changed later. The score after the last step is that of
        `to_dialect`. The effect of an option can depend on the options changed before it.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`. ValueError: `weights` is a list of lists.

    >>> print(explain_difference(["a b c d e"], [["a b", "a b c d e f"]], "evaluate", "sacrebleu"))
    evaluate                                          100.00
    strip: no -> yes                          +0.00   100.00
    smoothing: none -> exp                    +0.00   100.00
    reference_length: shortest -> closest    -18.13    81.87
    effective_order: no -> sentence           +0.00    81.87
    zero_score: empty -> no-match             +0.00    81.87
    sacrebleu                                -18.13    81.87
    """
    corpus, start = prepare(predictions, references, from_dialect, options)
    end = fit_to_kind(config_of(to_dialect, options), corpus.layout.kind)
    require_one_score(start, "a difference is explained for")
    configs, changed = change_one_by_one(start, end)
    scores = [float(score.bleu) for score in score_corpus(corpus, configs)]
    steps = []
    scored = list(zip(configs, scores, strict=True))
    for option, (old, before), (new, after) in zip(changed, scored[:-1], scored[1:], strict=True):
        steps.append(Step(option, option_value(old, option), option_value(new, option), before, after))
    return Explanation(str(from_dialect), str(to_dialect), scores[0], scores[-1], steps)


def change_one_by_one(start: BleuConfig, end: BleuConfig) -> tuple[list[BleuConfig], list[str]]:
    """Change one option at a time from `start` to `end`. Postpone a change until the result is a valid configuration.

    Return all configurations from `start` to `end`, and the name of the option changed in each step.
    """
    configs = [start]
    changed: list[str] = []
    waiting = [option for option in OPTIONS if option not in _TOGETHER and _differs(option, start, end)]
    while waiting:
        option, config = _change_one(configs[-1], end, waiting)
        configs.append(config)
        changed.append(option)
        waiting.remove(option)
    return configs, changed


def _change_one(config: BleuConfig, end: BleuConfig, waiting: Sequence[str]) -> tuple[str, BleuConfig]:
    """Set the first option of `waiting` that can be set to its value in `end`. Return it and the new options."""
    for option in waiting:
        with suppress(ValueError):
            return option, config.with_options(_with_dependents(end, option))
    raise ValueError(f"none of these options can be changed alone: {', '.join(waiting)}")


def _differs(option: str, start: BleuConfig, end: BleuConfig) -> bool:
    return _with_dependents(start, option) != _with_dependents(end, option)


def _with_dependents(config: BleuConfig, option: str) -> dict[str, Any]:
    """Return the values of an option and of the options that are changed together with it."""
    dependents = [dependent for dependent, leader in _TOGETHER.items() if leader == option]
    return {name: getattr(config, name) for name in (option, *dependents)}


def option_value(config: BleuConfig, option: str) -> Any:
    """Return the value of an option. If a dependent option has a value, return both as text, e.g. "floor 0.1"."""
    value, *dependents = _with_dependents(config, option).values()
    if dependents and dependents[0] is not None:
        return f"{value} {dependents[0]}"
    return value

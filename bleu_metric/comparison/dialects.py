"""Explain why the scores of two dialects differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import factorial, fsum
from typing import Any, Unpack

from .._bleu import prepare
from .._config import BleuConfig, BleuOptions, Dialect, columns_of, config_of, fit_to_kind, tokenization_of
from .._corpus import Corpus
from .._counting import count_corpus
from .._display import percent, printable
from .._languages import with_tokenizer
from .._options import OPTIONS
from .._result import Column, Result, Row, typed_word
from .._statistics import score

# Option -> its dependent option. Both change in the same step
_DEPENDENTS = {"max_order": "weights", "smoothing": "smoothing_value"}


@dataclass(frozen=True)
class Step:
    """One changed option, and its effect on the score. A score of 50 BLEU is 0.5."""

    option: str
    old: Any
    new: Any
    change: float
    """The new value's contribution to the difference of the scores."""


@dataclass(frozen=True, repr=False)
class Explanation(Result):
    """The contribution of each setting to the difference between two dialects. ``print`` shows a table, in percent.

    >>> step = Step("smoothing", "none", "exp", change=0.25)
    >>> print(Explanation("papineni", "sacrebleu", 0.25, 0.5, [step]))
    setting                 change   BLEU
    papineni                        25.00
    smoothing: none -> exp  +25.00
    sacrebleu               +25.00  50.00
    """

    from_dialect: str
    to_dialect: str
    start: float
    end: float
    steps: list[Step]

    def facts(self) -> Row:
        """Return the two dialects and their scores, from 0 to 1."""
        return {name: value for name, value in vars(self).items() if name != "steps"}

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per step, as plain Python values, e.g. for pandas.

        >>> Explanation("nltk", "evaluate", 0.5, 0.25, [Step("strip", True, False, -0.25)]).rows()
        [{'option': 'strip', 'old': True, 'new': False, 'change': -0.25}]
        """
        scale = 100 if in_percent else 1
        return [{**asdict(step), "change": scale * step.change} for step in self.steps]

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per step, between the rows of the dialects."""
        steps = [f"{step.option}: {typed_word(step.old)} -> {typed_word(step.new)}" for step in self.steps]
        changes = [_signed(step.change) for step in self.steps]
        return [
            Column("setting", [self.from_dialect, *steps, self.to_dialect], is_text=True),
            Column("change", ["", *changes, _signed(self.end - self.start)]),
            Column("BLEU", [percent(self.start, 2), *[""] * len(steps), percent(self.end, 2)]),
        ]

    def __repr__(self) -> str:
        """Return a string with the two scores."""
        line = f"{self.from_dialect} {percent(self.start, 2)} -> {self.to_dialect} {percent(self.end, 2)}"
        return f"<Explanation {printable(line)}>"


def _signed(change: float) -> str:
    """Return a change of the score in percent: -0.1813 -> "-18.13", 0 -> "+0.00"."""
    # "z" prevents "-0.00"
    return f"{100 * change:+z.2f}"


def explain_difference(
    predictions: Any, references: Any, from_dialect: Dialect, to_dialect: Dialect, **options: Unpack[BleuOptions]
) -> Explanation:
    """Explain why the scores of two dialects differ: compute what each setting contributes to the difference.

    The effect of a setting depends on which settings were changed before it. The contribution is therefore the Shapley
    value: the mean of the setting's effects over all orders of changing the settings (Shapley 1953). The contributions
    add up to the difference. If the dialects are swapped, only the signs of the contributions change.

    Args:
        predictions: as for `corpus_bleu`.
        references: as for `corpus_bleu`.
        from_dialect: the first dialect, as for `corpus_bleu`.
        to_dialect: the second dialect, as for `corpus_bleu`.
        **options: override the settings of both dialects.

    Returns:
        One step per option that differs. The time doubles with each option, because 2^n combinations of n options are
            scored.

    Raises:
        TypeError, ValueError: for the same reasons as `corpus_bleu`.

    >>> print(explain_difference(["a b c d e"], [["a b", "a b c d e f"]], "evaluate", "sacrebleu"))
    setting                                change    BLEU
    evaluate                                       100.00
    strip: no -> yes                        +0.00
    smoothing: none -> exp                  +0.00
    reference_length: shortest -> closest  -18.13
    effective_order: no -> sentence         +0.00
    zero_score: empty -> no-match           +0.00
    sacrebleu                              -18.13   81.87
    """
    common_options = with_tokenizer(options)  # called once for both dialects, because it may warn
    corpus, from_config = prepare(predictions, references, from_dialect, common_options)
    to_config = fit_to_kind(config_of(to_dialect, common_options), corpus.kind)

    changes = changes_between(from_config, to_config)
    # configs[0] has no change, and configs[-1] has all changes
    configs = change_in_all_ways(from_config, changes)
    scores = score_configs(corpus, configs)

    steps = []
    for index, names in enumerate(changes):
        option, *_ = names
        old, new = _shown_value(from_config, names), _shown_value(to_config, names)
        steps.append(Step(option, old, new, change=shapley_value(scores, option=index)))
    return Explanation(str(from_dialect), str(to_dialect), start=scores[0], end=scores[-1], steps=steps)


def shapley_value(scores: Sequence[float], option: int) -> float:
    """Return the mean effect of one option on the score, over all orders of changing the options.

    `scores` has 2^n scores for n options: ``scores[0b101]`` is the score after options 0 and 2 have been changed.
    `option` is the index of the option.

    In the example, changing option 0 first adds 0.4 - 0.1. Changing option 0 after option 1 adds 0.6 - 0.2. The mean is
    0.35:

    >>> shapley_value([0.1, 0.4, 0.2, 0.6], option=0)
    0.35
    """
    n_options = len(scores).bit_length() - 1  # because there are 2^n_options scores
    bit = 1 << option
    effects = []
    for changed_bits, score_before in enumerate(scores):
        if changed_bits & bit:
            continue  # the option has already been changed
        score_after = scores[changed_bits | bit]
        n_before = changed_bits.bit_count()
        n_after = n_options - n_before - 1
        # Number of orders in which only the changed options precede this option
        n_orders = factorial(n_before) * factorial(n_after)
        share_of_orders = n_orders / factorial(n_options)
        effects.append(share_of_orders * (score_after - score_before))
    return fsum(effects)  # an exact sum does not depend on the order of its terms


def changes_between(start: BleuConfig, end: BleuConfig) -> list[dict[str, Any]]:
    """Return the new value of each option that differs, together with the value of its dependent option, if any.

    For example: ``[{"strip": False}, {"smoothing": "floor", "smoothing_value": 0.1}]``, in the order of `BleuConfig`.
    """
    changes = []
    for option in OPTIONS:
        if option in _DEPENDENTS.values():
            continue  # a dependent option changes together with another option
        names = [option, *filter(None, [_DEPENDENTS.get(option)])]
        if any(getattr(start, name) != getattr(end, name) for name in names):
            changes.append({name: getattr(end, name) for name in names})
    return changes


def _shown_value(config: BleuConfig, names: Iterable[str]) -> Any:
    """Return what a `Step` shows for an option and its dependent option: 4, True or "floor 0.1".

    A value of None is not shown. A tokenizer function is shown by its name.
    """
    values = [value for value in (getattr(config, name) for name in names) if value is not None]
    display_values = [getattr(value, "__qualname__", value) for value in values]
    if len(display_values) == 1:
        return display_values[0]  # not as a string, so that True stays True
    return " ".join(map(str, display_values))


def change_in_all_ways(start: BleuConfig, changes: Iterable[Mapping[str, Any]]) -> list[BleuConfig]:
    """Return one configuration for each subset of n changes. Bit k of an index is 1 if change k is made.

    For two changes: [`start`, change 0 only, change 1 only, both changes].
    """
    configs = [start]
    for change in changes:
        with_change = [config.with_options(change) for config in configs]
        configs += with_change  # the second half, whose indices have the bit of this change
    return configs


def score_configs(corpus: Corpus, configs: Sequence[BleuConfig]) -> list[float]:
    """Score a corpus in each configuration.

    Configurations with equal `_counting_key` share one table of counts, because 2^n tables may not fit into memory.
    Only the first of these configurations, the representative, is counted.
    """
    keys: list[Any] = []  # the key of each representative; no dict, because tokenizers may be unhashable
    representatives = []
    for config in configs:
        key = _counting_key(config)
        if key not in keys:
            keys.append(key)
            representatives.append(config)

    needs_segments = any(config.average == "sentence" for config in configs)
    counts = count_corpus(corpus, representatives, keep_rows=needs_segments)

    scores = []
    for config in configs:
        statistics = counts[keys.index(_counting_key(config))]._changed(config=config)
        scores.append(score(statistics).bleu)
    return scores


def _counting_key(config: BleuConfig) -> tuple[Any, ...]:
    """Return the settings that determine the counts."""
    return tokenization_of(config), columns_of(config), config.reference_length, config.empty_references

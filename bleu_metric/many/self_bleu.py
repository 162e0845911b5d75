"""Self-BLEU: how much the texts of a set resemble one another, by the definition that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._config import BleuOptions, fit_to_kind, require_one_score
from .._counting import apply_config
from .._counts import orders_to_count
from .._dialects import config_of
from .._labels import Label, factorize_labels
from .._statistics import BleuStatistics, merge_statistics, score, score_sentences
from .._validation import Floats, Ints, Progress, short_repr
from ..comparison.dialects import Explanation, Step, change_one_by_one, option_value
from .definitions import SelfBleuDefinition, definition_named
from .leave_one_out import count_against_each_other, count_against_others
from .pairwise import pair_counts
from .texts import Segments, chunk_bounds, flat_texts, read_texts, tokenize_texts
from .tiles import Sides, tiles

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class SelfBleu:
    """A Self-BLEU and the definition it follows; scores on a scale of 0 to 1, higher for less diverse texts.

    >>> self_bleu(["a b c", "a b d", "x y"], max_order=2)  # doctest: +ELLIPSIS
    SelfBleu(0.3849, definition='zhu-2018', 3 texts, signature='selfbleu:others-score|nrefs:2|tok:whitespace|...')
    """

    bleu: float
    """The score of all texts."""
    definition: str
    """The name of the definition; `signature` says what was changed in it."""
    groups: dict[Label, float] | None = field(repr=False)
    """Label -> score of the group, in order of first appearance; ``None`` without `groups`."""
    text_scores: Floats | None = field(repr=False)
    """Score of each text against all others of its group, shape (texts,); NaN where it was left out or has no other.
    ``None`` where the definition does not score each text against all others."""
    texts: int
    """How many texts were compared."""
    signature: str
    """Every choice that made the score: what is compared and averaged, how many references each comparison has, how
    many groups there are, and how a comparison is scored."""

    def __repr__(self) -> str:
        """Show the score and what it means."""
        groups = f", {len(self.groups)} groups" if self.groups is not None else ""
        sizes = f"{self.texts} texts{groups}"
        return f"SelfBleu({self.bleu:.4}, definition={self.definition!r}, {sizes}, signature={self.signature!r})"


def self_bleu(
    texts: Any,
    definition: str = "zhu-2018",
    *,
    groups: Any = None,
    dialect: str | None = None,
    progress: Progress | None = None,
    **options: Unpack[BleuOptions],
) -> SelfBleu:
    """Score each text of a set against the others of the set: the less diverse the texts, the higher.

    Definitions differ, and their numbers do not compare: see `SELF_BLEU_DEFINITIONS`. Time grows with the number of
    texts, but for ``"diffuseq"``, which needs each pair of a group.

    Args:
        texts: N strings, or N lists of tokens, or N lists of token ids.
        definition: name in `SELF_BLEU_DEFINITIONS`.
        groups: one label per text, e.g. its prompt: texts of different groups are not compared.
        dialect: name in `DIALECTS`, to score a text in another way than the definition does.
        progress: called with the texts done and all texts, now and then.
        **options: override the choices of the definition or the dialect: any field of `BleuConfig`.

    Returns:
        The score, the scores of the groups and of the texts, and the signature.

    Raises:
        TypeError: a text, a label, or an option, of a wrong type.
        ValueError: fewer than two texts in a group, where the definition has no score for one; an unknown definition;
            a list of lists of weights.

    >>> self_bleu(["the cat sat", "the cat ran", "a dog ran"], "helm", max_order=2).text_scores.round(3)
    array([0.577, 0.707, 0.289])
    """
    chosen = customized(definition_named(definition), dialect, options)
    rows = flat_texts(texts, "texts")
    chosen = replace(chosen, config=fit_to_kind(chosen.config, rows.kind))
    return _self_bleu(rows, definition, chosen, groups, progress)


def customized(definition: SelfBleuDefinition, dialect: str | None, options: Any) -> SelfBleuDefinition:
    """Override a definition's way to score a text."""
    config = config_of(dialect, options) if dialect is not None else definition.config.with_options(dict(options))
    require_one_score(config, "Self-BLEU is")
    return replace(
        definition, config=config.with_options({"average": "corpus"})
    )  # the definition says what is averaged


def _self_bleu(
    texts: Segments, name: str, definition: SelfBleuDefinition, groups: Any, progress: Progress | None
) -> SelfBleu:
    number = len(texts.texts)
    labels, group_of_text = (
        factorize_labels(groups, number) if groups is not None else ([0], np.zeros(number, np.int64))
    )
    used = _used_texts(texts, group_of_text, definition)
    sizes = np.bincount(group_of_text[used], minlength=len(labels))
    _refuse_texts_alone(sizes, labels, groups is not None, name, definition)
    compared = used[sizes.take(group_of_text[used]) > 1]
    collected = _Collected(len(labels), definition)
    scores = np.full(number, np.nan)
    order = compared[np.argsort(group_of_text[compared], kind="stable")]
    for chunk, part in _count(texts, order, group_of_text, definition, progress):
        values = collected.add(part)
        if values is not None and definition.against == "others":
            scores[chunk] = values
    has_text_scores = definition.against == "others" and definition.average == "score"
    return SelfBleu(
        collected.overall(),
        name,
        collected.by_group(labels) if groups is not None else None,
        scores if has_text_scores else None,
        len(compared),
        _signature(definition, collected, groups is not None),
    )


def _used_texts(texts: Segments, group: Ints, definition: SelfBleuDefinition) -> Ints:
    """Indices of the texts that the definition looks at."""
    used = np.arange(len(texts.texts))
    if definition.drop_blank:
        blank = [(isinstance(text, str) and not text.strip()) or len(text) == 0 for text in texts.texts]
        used = used[~np.array(blank, bool)]
    if definition.first is not None:
        order = used[np.argsort(group[used], kind="stable")]
        starts = np.flatnonzero(np.diff(group[order], prepend=-1))
        rank = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
        used = np.sort(order[rank < definition.first])
    return used


def _refuse_texts_alone(
    sizes: Ints, labels: Sequence[Label], has_groups: bool, name: str, definition: SelfBleuDefinition
) -> None:
    if definition.alone is not None or sizes.min() > 1:
        return
    where = f"group {short_repr(labels[int(np.argmin(sizes))])} has" if has_groups else "there"
    verb = "" if has_groups else (" is" if sizes.min() == 1 else " are")
    count = "one text" if sizes.min() == 1 else "no text"
    raise ValueError(
        f"{where}{verb} {count} to compare: definition {name!r} compares each text with others, so it "
        "needs at least two"
    )


class Part(NamedTuple):
    """Counts of some comparisons, and the group of each."""

    groups: Ints
    statistics: BleuStatistics


def _count(
    texts: Segments, order: Ints, group_of_text: Ints, definition: SelfBleuDefinition, progress: Progress | None
) -> Iterator[tuple[Ints, Part]]:
    """Count the comparisons of whole groups at a time; `order`: the texts, group by group."""
    groups = group_of_text[order]
    sizes = np.bincount(groups)
    present = np.flatnonzero(sizes)
    arranged = texts._replace(texts=[texts.texts[index] for index in order.tolist()], sizes=sizes[present].tolist())
    ends = np.append(0, np.cumsum(sizes[present]))
    for first, last in chunk_bounds(arranged.sizes):
        chunk = slice(ends[first], ends[last])
        own = np.repeat(np.arange(last - first), sizes[present[first:last]])
        tokens = tokenize_texts(*read_texts(arranged, first, last), own, texts.kind, definition.config)
        if definition.against == "others":
            yield order[chunk], Part(groups[chunk], count_against_others(tokens, own, definition.config))
        elif definition.against == "each-other" and definition.average == "counts":
            yield order[chunk], Part(groups[chunk], count_against_each_other(tokens, own, definition.config))
        else:
            of_group = sizes[present[first:last]]
            sides = Sides(tokens, of_group, of_group, True)
            for part in _count_pairs(sides, definition):
                yield order[chunk], part._replace(groups=present[first:last].take(part.groups))
        if progress:
            progress(int(ends[last]), len(order))


def _count_pairs(sides: Sides, definition: SelfBleuDefinition) -> Iterator[Part]:
    """Count each text with each other one, or with each later one, of its group."""
    starts = np.cumsum(sides.hypotheses) - sides.hypotheses
    for tile in tiles(sides, orders_to_count(definition.config)):
        rows = np.arange(tile.rows.start, tile.rows.stop)[:, np.newaxis]
        columns = np.arange(tile.columns.start, tile.columns.stop)
        row, column = (rows < columns if definition.against == "later" else rows != columns).nonzero()
        if len(row):
            lengths = sides.tokens.lengths[starts[tile.segment] :]
            counts = pair_counts(
                tile.matches[:, row, column],
                lengths.take(row + tile.rows.start),
                lengths.take(column + tile.columns.start),
            )
            yield Part(np.full(len(row), tile.segment), apply_config(counts, definition.config))


class _Collected:
    """Sums of the scores, or of the counts, of each group."""

    def __init__(self, groups: int, definition: SelfBleuDefinition) -> None:
        self.definition = definition
        self.sums = np.zeros(groups)
        self.comparisons = np.zeros(groups, np.int64)
        self.totals: dict[Label, BleuStatistics] = {}
        self.nrefs: set[tuple[int, int]] = set()

    def add(self, part: Part) -> Floats | None:
        """Take some comparisons; returns their scores, if these are averaged."""
        self.nrefs.add(part.statistics.nrefs)
        self.comparisons += np.bincount(part.groups, minlength=len(self.sums))
        if self.definition.average == "score":
            scores = score_sentences(part.statistics)
            self.sums += np.bincount(part.groups, weights=scores, minlength=len(self.sums))
            return scores
        for group, total in part.statistics.by(part.groups).items():
            self.totals[group] = merge_statistics([self.totals[group], total]) if group in self.totals else total
        return None

    def scores(self) -> Floats:
        """One score per group."""
        alone = 0.0 if self.definition.alone is None else self.definition.alone
        if self.definition.average == "score":
            has_any = self.comparisons > 0
            means: Floats = np.divide(self.sums, self.comparisons, out=np.full(len(self.sums), alone), where=has_any)
            return means
        scores = np.full(len(self.sums), alone)
        for group, total in self.totals.items():
            scores[int(group)] = score(total).bleu
        return scores

    def by_group(self, labels: Sequence[Label]) -> dict[Label, float]:
        """One score per label."""
        return dict(zip(labels, self.scores().tolist(), strict=True))

    def overall(self) -> float:
        """The score of all groups together."""
        if self.definition.over_groups == "mean" or not self.comparisons.any():
            return float(self.scores().mean())
        if self.definition.average == "score":
            return float(self.sums.sum() / self.comparisons.sum())
        return float(score(merge_statistics(list(self.totals.values()))).bleu)


def _signature(definition: SelfBleuDefinition, collected: _Collected, has_groups: bool) -> str:
    parts = [f"selfbleu:{definition.against}-{definition.average}"]
    if has_groups:
        parts.append(f"groups:{definition.over_groups}")
    if definition.first is not None:
        parts.append(f"first:{definition.first}")
    if definition.drop_blank:
        parts.append("blank:dropped")
    numbers = {number for both in collected.nrefs for number in both}
    parts.append(f"nrefs:{numbers.pop() if len(numbers) == 1 else 'var'}")
    return "|".join([*parts, definition.config.signature()])


_CHOICES = ("first", "drop_blank", "against", "average", "over_groups", "alone")


def explain_self_bleu(
    texts: Any, from_definition: str, to_definition: str, *, groups: Any = None, **options: Unpack[BleuOptions]
) -> Explanation:
    """Change one choice at a time from one definition's to the other's, and see what each does to the score.

    Args:
        texts: as for `self_bleu`.
        from_definition: name in `SELF_BLEU_DEFINITIONS` to start from.
        to_definition: name in `SELF_BLEU_DEFINITIONS` to arrive at.
        groups: as for `self_bleu`.
        **options: override the choices of both.

    Returns:
        The steps; the score after the last is the other definition's. What a choice does can depend on the choices
        changed before it.

    Raises:
        TypeError, ValueError: as for `self_bleu`.

    >>> texts = ["the cat sat on the mat", "the cat is on the mat", "a dog sat on the log"]
    >>> print(explain_self_bleu(texts, "zhu-2018", "shen-2019", max_order=2))
    zhu-2018                                   68.29
    against: others -> each-other    -21.21    47.08
    average: score -> counts          +0.06    47.14
    over_groups: mean -> pool         +0.00    47.14
    tokenizer: whitespace -> none     +0.00    47.14
    smoothing: none -> exp            +0.00    47.14
    shen-2019                        -21.15    47.14
    """
    rows = flat_texts(texts, "texts")
    start, end = (
        replace(chosen, config=fit_to_kind(chosen.config, rows.kind))
        for chosen in (customized(definition_named(name), None, options) for name in (from_definition, to_definition))
    )
    definitions, changed = _change_definition(start, end)
    scores = [_self_bleu(rows, to_definition, each, groups, None).bleu for each in definitions]
    steps = []
    for place, choice in enumerate(changed):
        old, new = _shown(definitions[place], choice), _shown(definitions[place + 1], choice)
        steps.append(Step(choice, old, new, before=scores[place], after=scores[place + 1]))
    return Explanation(from_definition, to_definition, scores[0], scores[-1], steps)


def _change_definition(
    start: SelfBleuDefinition, end: SelfBleuDefinition
) -> tuple[list[SelfBleuDefinition], list[str]]:
    """Go from one definition to the other one choice at a time: the definitions, and the choices changed between."""
    definitions, changed = [start], []
    for choice in _CHOICES:
        new = getattr(end, choice)
        if getattr(start, choice) != new:
            definitions.append(replace(definitions[-1], **{choice: new}))
            changed.append(choice)
    configs, options = change_one_by_one(start.config, end.config)
    definitions += [replace(definitions[-1], config=config) for config in configs[1:]]
    return definitions, changed + options


def _shown(definition: SelfBleuDefinition, choice: str) -> Any:
    value = getattr(definition, choice) if choice in _CHOICES else option_value(definition.config, choice)
    return getattr(value, "__qualname__", value)

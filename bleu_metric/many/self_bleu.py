"""Self-BLEU: the similarity of the texts in a set, by a chosen definition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Unpack

import numpy as np

from .._config import BleuConfig, BleuOptions, fit_to_kind, require_one_score
from .._dialects import Dialect, config_of
from .._labels import Label
from .._score import signature_of
from .._statistics import BleuStatistics, merge_statistics, score, score_sentences
from .._validation import Floats, Ints, Progress, short_repr, unknown_message
from ..comparison.dialects import Explanation, Step, change_one_by_one, steps_in_order
from .definitions import SELF_BLEU_DEFINITIONS, SelfBleuDefinition
from .leave_one_out import count_against_each_other, count_against_others
from .pairwise import count_pairs
from .texts import Segments, flat_texts, in_chunks, number_groups, tokenize_segments
from .tiles import Sides, tiles


@dataclass(frozen=True)
class SelfBleu:
    """A Self-BLEU score and its definition. Scores are on a scale of 0 to 1. Less diverse texts have higher scores.

    >>> self_bleu(["a b c", "a b d", "x y"], max_order=2)  # doctest: +ELLIPSIS
    SelfBleu(0.3849, definition='zhu-2018', 3 texts, signature='selfbleu:others-score|nrefs:2|tok:whitespace|...')
    """

    bleu: float
    """The score of all texts."""
    definition: str
    """The name of the definition. If options change its settings, only `signature` shows them."""
    groups: dict[Label, float] | None = field(repr=False)
    """Label -> score of the group, in order of first appearance; ``None`` without `groups`."""
    text_scores: Floats | None = field(repr=False)
    """Score of each text against all others of its group, shape (texts,); NaN if the text was left out or is alone in
    its group. ``None`` if the definition does not score each text against all others."""
    texts: int
    """Number of texts that were compared."""
    signature: str
    """Every setting of the score: which texts are compared, how the groups' scores are combined, the number of
    references in each comparison, and the configuration that scores a comparison."""

    def __repr__(self) -> str:
        """Return the score and its definition as text."""
        groups = f", {len(self.groups)} groups" if self.groups is not None else ""
        sizes = f"{self.texts} texts{groups}"
        return f"SelfBleu({self.bleu:.4}, definition={self.definition!r}, {sizes}, signature={self.signature!r})"


def self_bleu(
    texts: Any,
    definition: str = "zhu-2018",
    *,
    groups: Any = None,
    dialect: Dialect | None = None,
    progress: Progress | None = None,
    **options: Unpack[BleuOptions],
) -> SelfBleu:
    """Score each text of a set against the other texts of the set. Less diverse texts have higher scores.

    Scores of different definitions are not comparable: see `SELF_BLEU_DEFINITIONS`. Time is proportional to the number
    of texts. Exception: ``"diffuseq"`` scores every pair of texts in a group, which takes longer.

    Args:
        texts: N strings, or N lists of tokens, or N lists of token ids.
        definition: name in `SELF_BLEU_DEFINITIONS`.
        groups: one label per text, e.g. its prompt. Texts of different groups are not compared.
        dialect: name in `DIALECTS`, `BleuConfig` or signature. It replaces the definition's configuration.
        progress: called at intervals as ``progress(done, total)``, with numbers of texts.
        **options: override the settings of the definition or the dialect: any field of `BleuConfig`.

    Returns:
        The score, the scores of the groups and of the texts, and the signature.

    Raises:
        TypeError: a text, a label or an option has the wrong type.
        ValueError: a group has fewer than two texts and the definition has no score for it, the definition is unknown,
            or `weights` is a list of lists.

    >>> self_bleu(["the cat sat", "the cat ran", "a dog ran"], "helm", max_order=2).text_scores.round(3)
    array([0.577, 0.707, 0.289])
    """
    rows = flat_texts(texts, "texts")
    chosen = customized(definition, dialect, options, rows.kind)
    return _self_bleu(rows, definition, chosen, groups, progress)


def customized(name: str, dialect: Dialect | None, options: Any, kind: str) -> SelfBleuDefinition:
    """Return a definition with the caller's dialect and options. `kind`: kind of the texts, e.g. ``"tokens"``."""
    if not isinstance(name, str) or name not in SELF_BLEU_DEFINITIONS:
        raise ValueError(unknown_message("definition", name, SELF_BLEU_DEFINITIONS))
    definition = SELF_BLEU_DEFINITIONS[name]
    config = config_of(definition.config if dialect is None else dialect, options)
    require_one_score(config, "Self-BLEU is")
    config = config.with_options({"average": "corpus"})  # `_Collected` computes the means of scores
    return replace(definition, config=fit_to_kind(config, kind))


def _self_bleu(
    texts: Segments, name: str, definition: SelfBleuDefinition, groups: Any, progress: Progress | None
) -> SelfBleu:
    labels, group_of_text = number_groups(groups, len(texts.texts))
    order = _used_texts(texts, group_of_text, definition)
    sizes = np.bincount(group_of_text[order], minlength=len(labels))
    if definition.alone is None and sizes.min() < 2:
        of_group = f" of group {short_repr(labels[int(np.argmin(sizes))])}" if groups is not None else ""
        raise ValueError(
            f"too few texts{of_group} to compare: {sizes.min()}; definition {name!r} compares each text with others, "
            "so give at least two texts"
        )
    order = order[sizes.take(group_of_text[order]) > 1]
    compared = np.flatnonzero(sizes > 1)
    by_group = texts.by_group(order, sizes[compared])
    collected = _Collected(len(labels), definition)
    text_scores = np.full(len(texts.texts), np.nan) if definition.against == "others" else None
    done = 0
    for (chunk,) in in_chunks(by_group):
        for segments, statistics in _count(chunk, definition):
            scores = collected.add(compared.take(segments), statistics)
            if text_scores is not None:
                text_scores[chunk.order] = scores
        done += len(chunk.texts)
        if progress:
            progress(done, len(order))
    nrefs = min(collected.nrefs, default=0), max(collected.nrefs, default=1)
    comparison = _comparison(definition, groups is not None)
    signature = f"selfbleu:{comparison}|{signature_of(definition.config, nrefs)}"
    of_groups = None if groups is None else dict(zip(labels, collected.scores().tolist(), strict=True))
    return SelfBleu(collected.overall(), name, of_groups, text_scores, len(order), signature)


def _used_texts(texts: Segments, group: Ints, definition: SelfBleuDefinition) -> Ints:
    """Return the indices of the texts that the definition uses, group by group."""
    order = np.argsort(group, kind="stable")
    if definition.drop_blank:
        is_blank = [not (text.strip() if isinstance(text, str) else len(text)) for text in texts.texts]
        order = order[~np.array(is_blank, bool)[order]]
    if definition.first is not None:
        groups = group[order]
        starts = np.searchsorted(groups, groups)
        order = order[np.arange(len(order)) - starts < definition.first]
    return order


def _count(texts: Segments, definition: SelfBleuDefinition) -> Iterator[tuple[Ints, BleuStatistics]]:
    """Count the comparisons of some groups. Yield the group number of each row of counts, and the counts."""
    config = definition.config
    tokens = tokenize_segments([texts], config)
    group = texts.segment_of_text()
    if definition.against == "others":
        yield group + texts.first, count_against_others(tokens, group, config)
    elif definition.against == "each-other":
        yield group + texts.first, count_against_each_other(tokens, group, config)
    else:
        yield from _count_later(Sides(texts, texts, tokens), config)


def _count_later(sides: Sides, config: BleuConfig) -> Iterator[tuple[Ints, BleuStatistics]]:
    """Count each text with each later text of its group as its only reference. Yield group numbers and counts."""
    for tile in tiles(sides, config.columns.highest_order):
        texts = np.arange(tile.rows.start, tile.rows.stop)[:, np.newaxis]
        others = np.arange(tile.columns.start, tile.columns.stop)
        row, column = (texts < others).nonzero()
        if len(row):
            lengths, reference_lengths = tile.lengths.take(row), tile.reference_lengths.take(column)
            statistics = count_pairs(tile.matches[:, row, column], lengths, reference_lengths, config)
            yield np.full(len(row), tile.segment), statistics


class _Collected:
    """The sum of scores of each group. If the definition adds up counts, the counts of each group instead."""

    def __init__(self, groups: int, definition: SelfBleuDefinition) -> None:
        self.definition = definition
        self.sums = np.zeros(groups)
        self.comparisons = np.zeros(groups, np.int64)
        self.totals: dict[Label, list[BleuStatistics]] = defaultdict(list)
        self.nrefs: set[int] = set()

    def add(self, groups: Ints, statistics: BleuStatistics) -> Floats | None:
        """Add rows of counts, given each row's group. Return their scores, or None if the definition adds up counts."""
        self.nrefs.update(statistics.nrefs)
        if self.definition.against == "each-other":
            for group, total in statistics.by(groups).items():
                self.totals[group].append(total)
            return None
        scores = score_sentences(statistics)
        self.sums += np.bincount(groups, weights=scores, minlength=len(self.sums))
        self.comparisons += np.bincount(groups, minlength=len(self.sums))
        return scores

    def scores(self) -> Floats:
        """Compute one score per group."""
        scores: Floats = np.full(len(self.sums), self.definition.alone or 0.0)
        np.divide(self.sums, self.comparisons, out=scores, where=self.comparisons > 0)
        for group, totals in self.totals.items():
            scores[int(group)] = score(merge_statistics(totals)).bleu
        return scores

    def overall(self) -> float:
        """Compute the score of all groups together."""
        totals = list(chain.from_iterable(self.totals.values()))
        return float(score(merge_statistics(totals)).bleu if totals else self.scores().mean())


def _comparison(definition: SelfBleuDefinition, has_groups: bool) -> str:
    """Return the part of the signature that names the comparisons and means of a definition."""
    adds_counts = definition.against == "each-other"
    parts = [f"{definition.against}-{'counts' if adds_counts else 'score'}"]
    if has_groups:
        parts.append("groups:pool" if adds_counts else "groups:mean")
    if definition.first is not None:
        parts.append(f"first:{definition.first}")
    if definition.drop_blank:
        parts.append("blank:dropped")
    return "|".join(parts)


def explain_self_bleu(
    texts: Any, from_definition: str, to_definition: str, *, groups: Any = None, **options: Unpack[BleuOptions]
) -> Explanation:
    """Explain why two definitions give different scores: change one into the other step by step, and score each step.

    The first step changes which texts are compared and how scores are combined. Each further step changes one option.

    Args:
        texts: as for `self_bleu`.
        from_definition: the first definition, a name in `SELF_BLEU_DEFINITIONS`.
        to_definition: the last definition, a name in `SELF_BLEU_DEFINITIONS`.
        groups: as for `self_bleu`.
        **options: override the settings of both definitions.

    Returns:
        The steps with their effects. The score after the last step is that of `to_definition`. The effect of an option
        can depend on the options that were changed before it.

    Raises:
        TypeError, ValueError: as for `self_bleu`.

    >>> texts = ["the cat sat on the mat", "the cat is on the mat", "a dog sat on the log"]
    >>> print(explain_self_bleu(texts, "zhu-2018", "shen-2019", max_order=2))
    zhu-2018                                                   68.29
    comparison: others-score -> each-other-counts    -21.15    47.14
    tokenizer: whitespace -> none                     +0.00    47.14
    smoothing: none -> exp                            +0.00    47.14
    shen-2019                                        -21.15    47.14
    """
    rows = flat_texts(texts, "texts")
    start = customized(from_definition, None, options, rows.kind)
    end = customized(to_definition, None, options, rows.kind)
    configs = change_one_by_one(start.config, end.config)

    def scored(definition: SelfBleuDefinition) -> float:
        return _self_bleu(rows, to_definition, definition, groups, None).bleu

    first_score = scored(start)
    scores = [scored(replace(end, config=config)) for config in configs]
    steps = []
    old_comparison = _comparison(start, groups is not None)
    new_comparison = _comparison(end, groups is not None)
    if old_comparison != new_comparison:
        steps.append(Step("comparison", old_comparison, new_comparison, scores[0] - first_score, scores[0]))
    changes = steps_in_order(start.config, end.config, scores)
    steps += [replace(step, old=_shown(step.old), new=_shown(step.new)) for step in changes]
    return Explanation(from_definition, to_definition, first_score, scores[-1], steps)


def _shown(value: Any) -> Any:
    """Return the name of a function, or any other value as it is."""
    return getattr(value, "__qualname__", value)

"""Self-BLEU: the BLEU of each text in a set against other texts of the set, by a chosen definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple, Unpack

import numpy as np

from .._config import BleuConfig, BleuOptions, Dialect, config_of, fit_to_kind
from .._corpus import Corpus, Kind, Label, is_blank
from .._counting import count_corpus
from .._display import amount, percent
from .._ngrams import Tokens
from .._result import Column, Result, Row
from .._score import signature_of
from .._statistics import (
    ONE_REFERENCE,
    merge_statistics,
    references_of,
    score,
    score_sentences,
)
from .._validation import Bools, Floats, Ints, Progress, short_repr, unknown_message
from .definitions import SELF_BLEU_DEFINITIONS, SelfBleuDefinition
from .others import count_against_each_other, count_against_others
from .texts import Segments, flat_texts, number_groups, refuse_missing_references


@dataclass(frozen=True, repr=False)
class SelfBleu(Result):
    """A Self-BLEU score and its definition. Scores are on a scale of 0 to 1. Less diverse texts have higher scores.

    >>> self_bleu(["a b c", "a b d", "x y"], max_order=2)
    <SelfBleu Self-BLEU 38.5>
    """

    bleu: float
    """The overall score. With `groups`, the definition determines how it is computed from the groups."""
    definition: str
    """The name of the definition. If options override its settings, only `signature` shows the new settings."""
    groups: dict[Label, float] | None = field(repr=False)
    """Label -> score of the group, in the order in which the labels first occur. ``None`` without `groups`."""
    text_scores: Floats | None = field(repr=False)
    """Score of each text with all others of its group as references, shape (texts,). NaN if the definition omits the
    text, or if the group has no other text. ``None`` if the definition's `against` is not ``"others"``."""
    texts: int
    """Number of texts that were compared."""
    signature: str
    """All settings that determine the score: which texts are compared, how the groups' scores are combined, the number
    of references in each comparison, and the fields of the `BleuConfig`."""

    def facts(self) -> Row:
        """Return all fields except the scores of groups and of texts, as plain Python values."""
        return {name: value for name, value in vars(self).items() if name not in ("groups", "text_scores")}

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per group."""
        scale = 100 if in_percent else 1
        return [{"group": label, "bleu": scale * bleu} for label, bleu in (self.groups or {}).items()]

    def title(self, digits: int = 1) -> str:
        """Return the score in percent."""
        return f"Self-BLEU {percent(self.bleu, digits)}"

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per group."""
        groups = self.groups or {}
        scores = [percent(bleu, digits) for bleu in groups.values()]
        return [Column("group", list(map(str, groups)), is_text=True), Column("Self-BLEU", scores, metric="Self-BLEU")]

    def notes(self) -> list[str]:
        """Return the definition and the signature."""
        return [f"{amount(self.texts, 'text')}, definition {self.definition}", self.signature]


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

    Do not compare scores of different definitions: `SELF_BLEU_DEFINITIONS` shows how they differ. Time is
    proportional to the number of texts, except with ``"diffuseq"``, which scores every pair of texts in a group.

    Args:
        texts: a list of strings, of lists of tokens, or of lists of token ids.
        definition: name in `SELF_BLEU_DEFINITIONS`.
        groups: one label per text, e.g. its prompt. Texts of different groups are not compared.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature, to replace the definition's `BleuConfig`.
        progress: a function, called at intervals as ``progress(done, total)``, with numbers of texts.
        **options: override the settings of the definition or the dialect: any field of `BleuConfig` except `average`,
            which the definition determines.

    Returns:
        The score, the scores of the groups and of the texts, and the signature.

    Raises:
        TypeError: a text, a label or an option has the wrong type.
        ValueError: the definition is unknown, `average` is passed, or a group has fewer
            than two texts and the definition has no `single_text_score`.

    >>> self_bleu(["the cat sat", "the cat ran", "a dog ran"], "helm", max_order=2).text_scores.round(3)
    array([0.577, 0.707, 0.289])
    """
    segment = flat_texts(texts)
    chosen = _customized(definition, dialect, options, segment.kind)
    labels, group_of_text = number_groups(groups, n_texts=len(segment.texts))

    used = _used_texts(segment, group_of_text, chosen)
    group_of_used = group_of_text[used]
    sizes = np.bincount(group_of_used, minlength=len(labels))
    if chosen.single_text_score is None:
        _require_two_texts(definition, sizes, None if groups is None else labels)

    is_compared = sizes > 1  # one flag per group
    compared_sizes = sizes[is_compared]
    compared = used[is_compared.take(group_of_used)]
    by_group = segment.by_group(compared, compared_sizes)
    refuse_missing_references(chosen.config)
    tokens = by_group.tokens(chosen.config)
    scores = _SCORES[chosen.against](tokens, chosen.config)
    if progress:
        progress(len(compared), len(compared))

    group_scores = _place(scores.groups, is_compared, len(labels), elsewhere=chosen.single_text_score)
    text_scores = None
    if scores.texts is not None:
        text_scores = _place(scores.texts, compared, len(segment.texts), elsewhere=np.nan)
    return SelfBleu(
        bleu=float(group_scores.mean()) if scores.pooled is None else scores.pooled,
        definition=definition,
        groups=None if groups is None else dict(zip(labels, group_scores.tolist(), strict=True)),
        text_scores=text_scores,
        texts=len(compared),
        signature=_signature(chosen, compared_sizes, has_groups=groups is not None),
    )


def _place(values: list[float], where: Ints | Bools, size: int, elsewhere: float | None) -> Floats:
    """Return an array of `size` numbers: `values` at the indices or flags `where`, and `elsewhere` at other indices.

    >>> _place([0.5, 0.7], np.array([3, 0]), size=4, elsewhere=0.0)
    array([0.7, 0. , 0. , 0.5])
    """
    array = np.full(size, elsewhere, np.float64)
    array[where] = values
    return array


def _customized(name: str, dialect: Dialect | None, options: Any, kind: Kind) -> SelfBleuDefinition:
    """Return the definition called `name` with the caller's dialect and options. `kind`: the kind of the texts."""
    if not isinstance(name, str) or name not in SELF_BLEU_DEFINITIONS:
        raise ValueError(unknown_message("definition", name, SELF_BLEU_DEFINITIONS))
    if "average" in options:
        raise ValueError(
            "Self-BLEU does not accept average: the definition decides whether counts are added up ('shen-2019') or "
            "scores are averaged (all others)"
        )

    definition = SELF_BLEU_DEFINITIONS[name]
    chosen_dialect = definition.config if dialect is None else dialect
    config = config_of(chosen_dialect, options)
    # Ignore the dialect's `average`, because the definition decides how scores are combined
    config = config.with_options({"average": "corpus"})
    return replace(definition, config=fit_to_kind(config, kind))


def _require_two_texts(definition: str, sizes: Ints, labels: Sequence[Label] | None) -> None:
    """Raise ``ValueError`` if a group has fewer than two texts.

    `sizes`: number of texts in each group. `labels`: None if the caller passed no groups.
    """
    smallest = int(np.argmin(sizes))
    if sizes[smallest] < 2:
        of_group = "" if labels is None else f" of group {short_repr(labels[smallest])}"
        raise ValueError(
            f"too few texts{of_group} to compare: {sizes[smallest]}; definition {definition!r} compares each text with "
            "others, so give at least two texts"
        )


def _used_texts(texts: Segments, group: Ints, definition: SelfBleuDefinition) -> Ints:
    """Return the indices of the texts that the definition uses, sorted by group.

    If `group` is [0, 1, 0] and the definition uses all texts, the indices are [0, 2, 1].
    """
    used = np.argsort(group, kind="stable")
    if definition.drop_blank:
        has_words = np.array([not is_blank(text) for text in texts.texts])
        used = used[has_words[used]]
    if definition.max_texts is not None:
        n_seen: Counter[int] = Counter()
        kept = []
        for index in used.tolist():
            n_seen[group[index]] += 1
            if n_seen[group[index]] <= definition.max_texts:
                kept.append(index)
        used = np.array(kept, np.int64)
    return used


class _Scores(NamedTuple):
    """Scores of the groups with at least two texts."""

    groups: list[float]  # (groups,)
    texts: list[float] | None = None  # (texts,), sorted by group; None if only groups have scores
    pooled: float | None = None  # the overall score; None if it is the mean of the groups' scores


Groups = Sequence[Sequence[Tokens]]


def _score_against_others(groups: Groups, config: BleuConfig) -> _Scores:
    """Score each text with all other texts of its group as references. A group's score is the mean."""
    of_groups = [score_sentences(count_against_others(texts, config)) for texts in groups]
    all_scores = [score for scores in of_groups for score in scores.tolist()]
    return _Scores([float(scores.mean()) for scores in of_groups], all_scores)


def _score_against_later(groups: Groups, config: BleuConfig) -> _Scores:
    """Score each text with each later text of its group as its only reference. A group's score is the mean."""
    for_tokens = config.with_options({"tokenizer": "none", "lowercase": False, "normalization": "none"})
    means = []
    for texts in groups:
        pairs = list(combinations(texts, 2))
        first, later = map(list, zip(*pairs, strict=True))
        kind: Kind = "ids" if _are_ids(texts) else "tokens"
        corpus = Corpus((first,), later, kind, nested=False, findings=set())
        (statistics,) = count_corpus(corpus, [for_tokens])
        means.append(float(score_sentences(statistics).mean()))
    return _Scores(means)


def _are_ids(texts: Sequence[Tokens]) -> bool:
    return any(isinstance(token, int) for text in texts for token in text[:1])


def _score_each_other(groups: Groups, config: BleuConfig) -> _Scores:
    """Score each text with each other text of its group as its only reference, and add up the counts."""
    totals = [count_against_each_other(texts, config).sum() for texts in groups]
    group_scores = [score(total).bleu for total in totals]
    return _Scores(group_scores, pooled=score(merge_statistics(totals)).bleu)


# `SelfBleuDefinition.against` -> function that scores the groups
_SCORES = {"others": _score_against_others, "later": _score_against_later, "each-other": _score_each_other}


def _signature(definition: SelfBleuDefinition, sizes: Ints, has_groups: bool) -> str:
    """Return the signature, such as ``selfbleu:others-score|groups:mean|first:500|nrefs:…``.

    `sizes`: number of texts in each group, without groups of fewer than two.
    """
    adds_counts = definition.against == "each-other"
    unit = "counts" if adds_counts else "score"
    parts = [f"selfbleu:{definition.against}-{unit}"]
    if has_groups:
        parts.append("groups:pool" if adds_counts else "groups:mean")
    if definition.max_texts is not None:
        parts.append(f"first:{definition.max_texts}")
    if definition.drop_blank:
        parts.append("blank:dropped")

    references_per_text = ONE_REFERENCE
    if definition.against == "others" and len(sizes):
        references_per_text = references_of(sizes - 1)  # without the text itself
    parts.append(signature_of(definition.config, references_per_text))
    return "|".join(parts)

"""Self-BLEU: the BLEU of each text in a set against other texts of the set, by a chosen definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from typing import Any, NamedTuple, Unpack

import numpy as np

from .._config import BleuConfig, BleuOptions, Dialect, config_of, fit_to_kind, tokenization_of
from .._corpus import Corpus, Kind, Label, is_blank, rows_by_group
from .._counting import count_corpus
from .._display import amount, percent
from .._names import SelfBleuName
from .._ngrams import Tokens
from .._result import Column, Result, Row
from .._score import signature_of
from .._statistics import ONE_REFERENCE, merge_statistics, score, score_sentences
from .._tokens import tokenize
from .._validation import Floats, Progress, short_repr, unknown_message
from .definitions import SELF_BLEU_DEFINITIONS, SelfBleuDefinition
from .others import count_against_each_other, count_against_others
from .texts import as_segments, refuse_missing_references


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
        """Return one row per group; without groups, the overall score."""
        scale = 100 if in_percent else 1
        if self.groups is None:
            return [{"bleu": scale * self.bleu}]
        return [{"group": label, "bleu": scale * bleu} for label, bleu in self.groups.items()]

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
    definition: SelfBleuName = "zhu-2018",
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
        **options: override the settings of the definition or the dialect: any field of `BleuConfig` except `unit`,
            `empty_references`, and `average`, which the definition determines.

    Returns:
        The score, the scores of the groups and of the texts, and the signature.

    Raises:
        TypeError: a text, a label or an option has the wrong type.
        ValueError: the definition is unknown, `average` is passed, or a group has fewer
            than two texts and the definition has no `single_text_score`.

    >>> self_bleu(["the cat sat", "the cat ran", "a dog ran"], "helm", max_order=2).text_scores.round(3)
    array([0.577, 0.707, 0.289])
    """
    segment = as_segments(texts, "texts", accepts_batch=False)
    chosen = _customized(definition, dialect, options, segment.kind)
    [checked] = segment.checked()
    rows_of_groups = rows_by_group([0] * len(checked) if groups is None else groups, len(checked))

    used: dict[Label, list[int]] = {}  # the rows of each group that the definition uses
    for label, rows in rows_of_groups.items():
        kept = [row for row in rows.tolist() if not (chosen.drop_blank and is_blank(checked[row]))]
        used[label] = kept[: chosen.max_texts]
    smallest = min(used, key=lambda label: len(used[label]))
    if chosen.single_text_score is None and len(used[smallest]) < 2:
        of_group = "" if groups is None else f" of group {short_repr(smallest)}"
        raise ValueError(
            f"too few texts{of_group} to compare: {len(used[smallest])}; definition {definition!r} compares each text "
            "with others, so give at least two texts"
        )
    refuse_missing_references(chosen.config)
    segment.warn(chosen.config)
    compared = {label: kept for label, kept in used.items() if len(kept) > 1}
    tokenization = tokenization_of(chosen.config)
    tokens = [tokenize([checked[row] for row in kept], segment.kind, tokenization) for kept in compared.values()]
    scores = _SCORES[chosen.against](tokens, chosen.config)
    n_compared = sum(map(len, tokens))
    if progress:
        progress(n_compared, n_compared)

    group_scores: dict[Label, Any] = dict.fromkeys(used, chosen.single_text_score)
    group_scores |= zip(compared, scores.groups, strict=True)
    text_scores = None
    if scores.texts is not None:
        text_scores = np.full(len(checked), np.nan)
        text_scores[list(chain.from_iterable(compared.values()))] = scores.texts
    return SelfBleu(
        bleu=float(np.mean(list(group_scores.values()))) if scores.pooled is None else scores.pooled,
        definition=definition,
        groups=None if groups is None else group_scores,
        text_scores=text_scores,
        texts=n_compared,
        signature=_signature(chosen, list(map(len, tokens)), has_groups=groups is not None),
    )


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
        kind: Kind = "ids" if isinstance(next(chain.from_iterable(texts), ""), int) else "tokens"
        corpus = Corpus((first,), later, kind, nested=False, findings=set())
        (statistics,) = count_corpus(corpus, [for_tokens])
        means.append(float(score_sentences(statistics).mean()))
    return _Scores(means)


def _score_each_other(groups: Groups, config: BleuConfig) -> _Scores:
    """Score each text with each other text of its group as its only reference, and add up the counts."""
    totals = [count_against_each_other(texts, config).sum() for texts in groups]
    group_scores = [score(total).bleu for total in totals]
    return _Scores(group_scores, pooled=score(merge_statistics(totals)).bleu)


# `SelfBleuDefinition.against` -> function that scores the groups
_SCORES = {"others": _score_against_others, "later": _score_against_later, "each-other": _score_each_other}


def _signature(definition: SelfBleuDefinition, sizes: Sequence[int], has_groups: bool) -> str:
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
    if definition.against == "others" and sizes:
        references_per_text = min(sizes) - 1, max(sizes) - 1  # without the text itself
    parts.append(signature_of(definition.config, references_per_text))
    return "|".join(parts)

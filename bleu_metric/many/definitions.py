"""Definitions of Self-BLEU, as data: one row per paper or library, with the options in which they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .._config import BleuConfig
from .._dialects import DIALECTS


@dataclass(frozen=True, kw_only=True)
class SelfBleuDefinition:
    """One way to score a set of texts against itself.

    >>> SELF_BLEU_DEFINITIONS["shen-2019"].against
    'each-other'
    """

    config: BleuConfig
    """How a text is scored."""
    against: str
    """``"others"``: each text, with all others as its references. ``"later"``: each text with each text that is listed
    after it as its only reference. Their score is the mean of the sentence scores of a group, and then of the groups.
    ``"each-other"``: each text with each other text as its only reference. Its score is one corpus score of the counts
    of all groups."""
    first: int | None = None
    """How many texts of a group are looked at; ``None``: all."""
    drop_blank: bool = False
    """Whether texts of white space alone are left out."""
    alone: float | None = None
    """Score of a group with fewer than two texts; ``None``: an error."""
    source: str
    """Where it comes from, and what it leaves open."""


def word_tokenize(text: str) -> list[str]:
    """Tokenize as Texygen does, with NLTK's ``word_tokenize``; ``ImportError`` without NLTK or its data."""
    try:
        from nltk import word_tokenize as tokenize

        return list(tokenize(text))
    except (ImportError, LookupError) as error:
        raise ImportError(
            "definition='texygen' tokenizes with NLTK and its data: pip install nltk, and then python -m "
            "nltk.downloader punkt_tab, or pass tokenizer=…"
        ) from error


SELF_BLEU_DEFINITIONS: Mapping[str, SelfBleuDefinition] = MappingProxyType(
    {
        "zhu-2018": SelfBleuDefinition(
            config=DIALECTS["default"].with_options({"tokenizer": "whitespace"}),
            against="others",
            source="Zhu et al. 2018, section 2.2.2, as published; tokens and smoothing, which it leaves open, are "
            "white space and none, as in Papineni et al. 2002",
        ),
        "texygen": SelfBleuDefinition(
            config=DIALECTS["nltk"].with_options(
                {"tokenizer": word_tokenize, "strip": False, "smoothing": "method1", "max_order": 3}
            ),
            against="others",
            first=500,
            source="Texygen, utils/metrics/SelfBleu.py, its defaults: the first 500 lines, 3-grams",
        ),
        "fast-bleu": SelfBleuDefinition(
            config=DIALECTS["fast-bleu"],
            against="others",
            alone=0.0,
            source="fast-bleu 0.0.90, SelfBLEU.get_score, the mean of its list; Alihosseini et al. 2019 use it",
        ),
        "helm": SelfBleuDefinition(
            config=DIALECTS["sacrebleu"].with_options({"effective_order": True}),
            against="others",
            drop_blank=True,
            alone=0.0,
            source="HELM 63754d0, _self_bleu; there on a scale of 0 to 100",
        ),
        "diffuseq": SelfBleuDefinition(
            config=DIALECTS["nltk"].with_options({"smoothing": "method4"}),
            against="later",
            alone=0.0,
            source="DiffuSeq f78945d, diversityOfSet: the mean over sources; the order of the texts matters",
        ),
        "shen-2019": SelfBleuDefinition(
            config=DIALECTS["sacrebleu"].with_options({"tokenizer": "none", "effective_order": False}),
            against="each-other",
            source="Shen et al. 2019, pairwise BLEU; fairseq, examples/translation_moe/score.py",
        ),
    }
)

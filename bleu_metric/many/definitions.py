"""Definitions of Self-BLEU: one entry per paper or library, with the options that it uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .._config import BleuConfig
from .._dialects import DIALECTS


@dataclass(frozen=True, kw_only=True)
class SelfBleuDefinition:
    """One way to score the texts of a set against other texts of the same set.

    >>> SELF_BLEU_DEFINITIONS["shen-2019"].against
    'each-other'
    """

    config: BleuConfig
    """Configuration that scores each comparison."""
    against: str
    """The references of a text. ``"others"``: all other texts together. ``"later"``: each later text by itself. With
    both values, a group's score is the mean of its sentence scores, and the overall score is the mean of the groups'
    scores. ``"each-other"``: each other text by itself. With this value, the overall score is one corpus score,
    computed from the counts of all groups."""
    max_texts: int | None = None
    """Maximum number of texts to use from each group, starting with the first text. ``None``: no maximum."""
    drop_blank: bool = False
    """Whether to leave out texts that are empty or only whitespace."""
    single_text_score: float | None = None
    """Score of a group with fewer than two texts. ``None``: such a group raises ``ValueError``."""
    source: str
    """Paper or code that defines the score, and the settings that we chose where the paper leaves them open."""


def word_tokenize(text: str) -> list[str]:
    """Return the tokens of NLTK's ``word_tokenize``, as in Texygen. Raise ``ImportError`` without NLTK or its data."""
    try:
        from nltk import word_tokenize as tokenize

        return list(tokenize(text))
    except (ImportError, LookupError) as error:
        raise ImportError(
            "definition='texygen' tokenizes with NLTK and its data: run pip install nltk, and then python -m "
            "nltk.downloader punkt_tab; or pass another tokenizer, e.g. tokenizer='whitespace'"
        ) from error


SELF_BLEU_DEFINITIONS: Mapping[str, SelfBleuDefinition] = MappingProxyType(
    {
        "zhu-2018": SelfBleuDefinition(
            config=DIALECTS["papineni"].with_options({"tokenizer": "whitespace"}),
            against="others",
            source="Zhu et al. 2018, section 2.2.2, as published. The paper leaves two settings open: we split at "
            "whitespace and do not smooth, as in Papineni et al. 2002",
        ),
        "texygen": SelfBleuDefinition(
            config=DIALECTS["nltk"].with_options(
                {"tokenizer": word_tokenize, "strip": False, "smoothing": "method1", "max_order": 3}
            ),
            against="others",
            max_texts=500,
            source="Texygen, utils/metrics/SelfBleu.py, its defaults: the first 500 lines, 3-grams",
        ),
        "fast-bleu": SelfBleuDefinition(
            config=DIALECTS["fast-bleu"],
            against="others",
            single_text_score=0.0,
            source="fast-bleu 0.0.90: mean of the list from SelfBLEU.get_score, but without its read beyond an array, "
            "which can remove the brevity penalty of short texts; used by Alihosseini et al. 2019",
        ),
        "helm": SelfBleuDefinition(
            config=DIALECTS["sacrebleu"].with_options({"effective_order": True}),
            against="others",
            drop_blank=True,
            single_text_score=0.0,
            source="HELM 63754d0, _self_bleu, which returns scores on a scale of 0 to 100",
        ),
        "diffuseq": SelfBleuDefinition(
            config=DIALECTS["nltk"].with_options({"smoothing": "method4"}),
            against="later",
            single_text_score=0.0,
            source="DiffuSeq f78945d, diversityOfSet: the mean over sources; the order of the texts matters",
        ),
        "shen-2019": SelfBleuDefinition(
            config=DIALECTS["sacrebleu"].with_options({"tokenizer": "none", "effective_order": False}),
            against="each-other",
            source="Shen et al. 2019, pairwise BLEU; fairseq, examples/translation_moe/score.py",
        ),
    }
)

"""Definitions of Self-BLEU: one entry per paper or library, with the options that it uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .._config import DIALECTS, BleuConfig
from .._validation import typed


@dataclass(frozen=True, kw_only=True)
class SelfBleuDefinition:
    """One way to score the texts of a set against other texts of the same set.

    >>> SELF_BLEU_DEFINITIONS["shen-2019"].against
    'each-other'
    """

    config: BleuConfig
    """Configuration that scores each comparison."""
    against: str
    """Which texts of its group are the references of a text. ``"others"``: all other texts together. ``"later"``: each
    later text alone. ``"each-other"``: each other text alone.

    With ``"others"`` and ``"later"``, a group's score is the mean of its sentence scores. The overall score is the mean
    of the groups' scores. With ``"each-other"``, a group's score is the corpus score of the group's summed counts. The
    overall score is the corpus score of the summed counts of all groups."""
    max_texts: int | None = None
    """Number of texts to use from the start of each group. ``None``: use all texts."""
    drop_blank: bool = False
    """Whether to omit texts that are empty or only whitespace."""
    single_text_score: float | None = None
    """Score of a group with fewer than two texts. ``None``: such a group raises ``ValueError``."""
    source: str
    """The paper or code that computes this score. If it does not specify a setting, our setting is stated here."""


def word_tokenize(text: str) -> list[str]:
    """Tokenize with NLTK's ``word_tokenize``, as Texygen does. Raise ``ImportError`` if NLTK or its data is missing."""
    try:
        from nltk import word_tokenize as tokenize

        return list(tokenize(text))
    except (ImportError, LookupError) as error:
        raise ImportError(
            f"{typed('definition', 'texygen')} needs NLTK and its tokenizer data: run pip install nltk, and then "
            "python -m nltk.downloader punkt_tab; or pass another tokenizer, e.g. "
            f"{typed('tokenizer', 'whitespace')}"
        ) from error


SELF_BLEU_DEFINITIONS: Mapping[str, SelfBleuDefinition] = MappingProxyType(
    {
        "zhu-2018": SelfBleuDefinition(
            config=DIALECTS["papineni"].with_options({"tokenizer": "whitespace"}),
            against="others",
            source="Zhu et al. 2018, section 2.2.2: the paper that defines Self-BLEU. It does not specify the "
            "tokenizer and the smoothing: we split at whitespace and do not smooth, as in Papineni et al. 2002",
        ),
        "texygen": SelfBleuDefinition(
            config=DIALECTS["nltk"].with_options(
                {"tokenizer": word_tokenize, "strip": False, "smoothing": "method1", "max_order": 3}
            ),
            against="others",
            max_texts=500,
            source="Texygen, utils/metrics/SelfBleu.py, with its defaults: the first 500 lines, n-grams up to order 3. "
            "Papers on text generation with GANs copied this file",
        ),
        "helm": SelfBleuDefinition(
            config=DIALECTS["sacrebleu"].with_options({"effective_order": True}),
            against="others",
            drop_blank=True,
            single_text_score=0.0,
            source="HELM, commit 63754d0, function _self_bleu, which its DisinformationMetric reports. HELM's scores "
            "are on a scale of 0 to 100",
        ),
        "diffuseq": SelfBleuDefinition(
            config=DIALECTS["nltk"].with_options({"smoothing": "method4"}),
            against="later",
            single_text_score=0.0,
            source="DiffuSeq, commit f78945d, function diversityOfSet, which other text diffusion models use as well: "
            "the mean over the source sentences. The order of the texts matters, because each text is compared only "
            "with later texts",
        ),
        "shen-2019": SelfBleuDefinition(
            config=DIALECTS["sacrebleu"].with_options({"tokenizer": "none", "effective_order": False}),
            against="each-other",
            source="Shen et al. 2019, pairwise BLEU of translations; fairseq, examples/translation_moe/score.py",
        ),
    }
)

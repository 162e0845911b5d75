"""The number your other library gave: one row of data per library. PEERS are named with the version read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ._config import BleuConfig
from ._names import unknown

DIALECTS: Mapping[str, BleuConfig] = MappingProxyType(
    {
        # What the paper says, on 13a tokens.
        "default": BleuConfig(),
        # nltk 3.10.4: corpus_bleu, sentence_bleu
        "nltk": BleuConfig(tokenizer="whitespace", smoothing="method0", total_floor="segment", zero_precision="skip"),
        # sacrebleu 2.6.0: corpus_bleu, sentence_bleu (which has effective_order on)
        "sacrebleu": BleuConfig(smoothing="exp", effective_order="sentence"),
        # evaluate 0.4.6: bleu, the formula of tensorflow/nmt; smooth=True is smoothing="add-one"
        "evaluate": BleuConfig(strip=False, reference_length="shortest", zero_score="empty"),
    }
)


def config_of(dialect: str, options: Mapping[str, Any]) -> BleuConfig:
    """Take the dialect's row and override it by the caller's options.

    >>> config_of("nltk", {"smoothing": "method1"}).smoothing_value
    0.1
    """
    if not isinstance(dialect, str) or dialect not in DIALECTS:
        raise ValueError(unknown("dialect", dialect, DIALECTS))
    return DIALECTS[dialect].with_options(options) if options else DIALECTS[dialect]

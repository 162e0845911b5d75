"""The dialects: named configurations, each of which computes the scores of one library.

The comment above a configuration contains the library, its version and its function. If an argument of that function
corresponds to an option of this package, the comment contains both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ._config import BleuConfig
from ._languages import with_tokenizer
from ._signature import from_signature, is_signature
from ._tokenizers import names_a_model
from ._validation import unknown_message

Dialect = str | BleuConfig  # a name in `DIALECTS`, a signature, or a configuration
DEFAULT = "sacrebleu"  # the dialect if the caller passes none; its settings are the defaults of `BleuConfig`

# BLEU as in the paper (Papineni et al., 2002), on 13a tokens
_PAPINENI = BleuConfig(smoothing="none", effective_order=False)
# As in the paper, on words that are separated by whitespace
_WORDS = replace(_PAPINENI, tokenizer="whitespace")
# As in the paper, but whitespace at the end of a text is kept
_UNSTRIPPED = replace(_PAPINENI, strip=False)
# Like _UNSTRIPPED, with Unicode's definition of whitespace, which Rust and Perl use
_UNICODE = replace(_UNSTRIPPED, whitespace="unicode")

_DIALECTS: dict[str, BleuConfig] = {
    # sacrebleu 2.6.0: corpus_bleu; also sentence_bleu with its default use_effective_order=True
    DEFAULT: BleuConfig(),
    "papineni": _PAPINENI,
    # nltk 3.10.4: corpus_bleu, sentence_bleu. nltk 3.5 has the same settings, but three of its smoothing methods
    # differ: its method2 is smoothing="add-one" here, its method4 is "method4-3.5", its method7 is "method7-3.5"
    "nltk": replace(_WORDS, smoothing="method0", total_floor="segment", zero_precision="skip"),
    # evaluate 0.4.6: bleu, which computes BLEU as tensorflow/nmt does; its smooth=True is smoothing="add-one" here
    "evaluate": replace(_UNSTRIPPED, reference_length="shortest", zero_score="empty"),
    # bleuscore 0.2.0: compute; its smooth=True is smoothing="add-one" here
    "bleuscore": replace(_UNICODE, reference_length="shortest", zero_score="never"),
    # torchtext 0.18.0: bleu_score; here it is computed in float64
    "torchtext": replace(_WORDS, reference_length="closest-first", zero_score="any-order"),
    # torchmetrics 1.9.0: bleu_score; here it is computed in float64. For sacre_bleu_score, pass tokenizer="13a".
    # For smooth=True, pass smoothing="method2"
    "torchmetrics": replace(_WORDS, strip=False, reference_length="closest-first", zero_score="any-order"),
    # torcheval 0.0.7: bleu_score; here it is computed in float64, also for texts that torcheval rejects as too short
    "torcheval": replace(_WORDS, reference_length="shortest", zero_score="any-order"),
    # pytorch-ignite 0.5.5: Bleu() with its default average="macro"
    "ignite": replace(_WORDS, smoothing="none-float32", total_floor="corpus", average="sentence"),
    # pytorch-ignite 0.5.5: Bleu(average="micro")
    "ignite-micro": replace(_WORDS, total_floor="corpus"),
    # pycocoevalcap 1.2: Bleu. For BLEU-1 to BLEU-3, call score(statistics, max_order=1), and so on
    "pycocoevalcap": replace(_WORDS, smoothing="add-tiny", zero_score="never"),
    # keras-hub 0.32.0: Bleu; here it is computed in float64, and its smooth=True is smoothing="add-one"
    "keras-hub": replace(
        _UNSTRIPPED, tokenizer="13a-unpadded", whitespace="ascii", reference_length="shortest", zero_score="empty"
    ),
    # CodeXGLUE ac74a62: bleuFromMaps of evaluator.py, called with the result of computeMaps. Its scores are from 0
    # to 100, but here they are from 0 to 1
    "codexglue": replace(
        _PAPINENI,
        tokenizer="words-and-signs",
        lowercase=True,
        smoothing="codexglue",
        reference_length="shortest",
        zero_score="never",
        average="sentence",
    ),
    # LLaMA-Factory ff6d4d12: the result bleu-4 of its metric.py, before it is rounded. LLaMA-Factory computes it with
    # NLTK's sentence_bleu and smoothing method 3, on characters
    "llama-factory": replace(
        _UNSTRIPPED,
        tokenizer="char-and-space",
        smoothing="method3",
        total_floor="segment",
        zero_precision="skip",
        average="sentence",
    ),
    # Moses 34452895: multi-bleu.perl; its -lc is lowercase="ascii" here
    "multi-bleu": replace(_WORDS, whitespace="ascii", reference_length="closest-below-9999", zero_score="empty"),
    # Moses 34452895: multi-bleu-detok.perl; its -lc is lowercase=True here
    "multi-bleu-detok": replace(_UNICODE, reference_length="closest-below-9999", zero_score="empty"),
    # Moses 34452895: mteval-v13a.pl; its -c is lowercase=False here, and its --no-smoothing is smoothing="none" with
    # zero_score="any-order". If all references are empty, the script computes the segment scores, but fails at the
    # corpus score
    "mteval-v13a": replace(
        _UNICODE, lowercase="ascii", smoothing="exp", zero_score="empty-prediction", zero_precision="skip-absent"
    ),
}
DIALECTS: Mapping[str, BleuConfig] = MappingProxyType(_DIALECTS)  # read-only, so that no caller can change a dialect


def unknown_dialect(name: object) -> str:
    """Return the error message for an unknown dialect."""
    return unknown_message("dialect", name, DIALECTS)


def config_of(dialect: Dialect, options: Mapping[str, Any]) -> BleuConfig:
    """Return the configuration of a dialect, in which the caller's options override the dialect's settings.

    The option ``target_language`` is replaced by the tokenizer for that language.

    >>> config_of("nltk", {"smoothing": "method1"}).smoothing_value
    0.1
    """
    if "target_language" in options:
        options = with_tokenizer(options)
    if not options:
        return _config_named_by(dialect)

    is_cacheable = isinstance(dialect, str) and all(map(_is_plain, options.values()))
    override = _override_cached if is_cacheable else _override
    return override(dialect, **options)


def _config_named_by(dialect: Dialect, tokenizer: Any = None) -> BleuConfig:
    """Return the configuration of a dialect, which is a name, a signature or a configuration.

    `tokenizer`: replaces the tokenizer in a signature, because not every tokenizer can be read from a signature. None:
    read the tokenizer from the signature.
    """
    if isinstance(dialect, BleuConfig):
        return dialect
    if isinstance(dialect, str):
        if dialect in DIALECTS:
            return DIALECTS[dialect]
        if is_signature(dialect):
            return BleuConfig(**from_signature(dialect, tokenizer))

    raise ValueError(f"{unknown_dialect(dialect)}, a signature, or a BleuConfig")


def _is_plain(value: Any) -> bool:
    """Return whether an option value can be a cache key.

    0.0 cannot: it equals -0.0, but has another signature. A model's name cannot: the file can be replaced.
    """
    is_number = type(value) is int or (type(value) is float and value != 0)
    return is_number or (type(value) in (str, bool, type(None)) and not names_a_model(value))


def _override(dialect: Dialect, /, **options: Any) -> BleuConfig:
    """Return the configuration of a dialect with other values for some options."""
    config = _config_named_by(dialect, options.get("tokenizer"))
    return config.with_options(options)


_override_cached = lru_cache(maxsize=256, typed=True)(_override)  # `typed`, because 1 == True

"""The dialects: one configuration per library. Comments name the library's version, function and other options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ._config import BleuConfig
from ._validation import unknown_message

Dialect = str | BleuConfig  # a name in `DIALECTS`, a signature, or a configuration

DIALECTS: Mapping[str, BleuConfig] = MappingProxyType(
    {
        # BLEU as in the paper (Papineni et al., 2002), on 13a tokens
        "default": BleuConfig(),
        # nltk 3.10.4: corpus_bleu, sentence_bleu
        "nltk": BleuConfig(tokenizer="whitespace", smoothing="method0", total_floor="segment", zero_precision="skip"),
        # nltk up to 3.5, whose smoothing methods 2, 4 and 7 differ: see _OWN_SMOOTHINGS
        "nltk-3.5": BleuConfig(
            tokenizer="whitespace", smoothing="method0", total_floor="segment", zero_precision="skip"
        ),
        # sacrebleu 2.6.0: corpus_bleu, and sentence_bleu, whose default is use_effective_order=True
        "sacrebleu": BleuConfig(smoothing="exp", effective_order="sentence"),
        # evaluate 0.4.6: bleu, with the formula of tensorflow/nmt; smooth=True is smoothing="add-one" here
        "evaluate": BleuConfig(strip=False, reference_length="shortest", zero_score="empty"),
        # bleuscore 0.2.0: compute; smooth=True is smoothing="add-one" here
        "bleuscore": BleuConfig(strip=False, whitespace="unicode", reference_length="shortest", zero_score="never"),
        # torchtext 0.18.0: bleu_score, but computed in float64
        "torchtext": BleuConfig(tokenizer="whitespace", reference_length="closest-first", zero_score="any-order"),
        # torchmetrics 1.9.0: bleu_score, but computed in float64. Its sacre_bleu_score is tokenizer="13a" here, and
        # smooth=True is smoothing="method2"
        "torchmetrics": BleuConfig(
            tokenizer="whitespace", strip=False, reference_length="closest-first", zero_score="any-order"
        ),
        # torcheval 0.0.7: bleu_score, but in float64; torcheval refuses texts too short for the longest n-gram
        "torcheval": BleuConfig(tokenizer="whitespace", reference_length="shortest", zero_score="any-order"),
        # pytorch-ignite 0.5.5: Bleu() with its default average="macro"
        "ignite": BleuConfig(
            tokenizer="whitespace", smoothing="none-float32", total_floor="corpus", average="sentence"
        ),
        # pytorch-ignite 0.5.5: Bleu(average="micro")
        "ignite-micro": BleuConfig(tokenizer="whitespace", total_floor="corpus"),
        # fast-bleu 0.0.90: BLEU.get_score returns one score per sentence, of which this is the mean; smoothing_func=0
        # is smoothing="none" here
        "fast-bleu": BleuConfig(
            tokenizer="whitespace",
            smoothing="method1",
            total_floor="segment",
            zero_precision="long-double",
            weight_precision="float32",
            average="sentence",
        ),
        # pycocoevalcap 1.2: Bleu returns the scores of weights=[[1], [1/2] * 2, [1/3] * 3, [1/4] * 4]
        "pycocoevalcap": BleuConfig(tokenizer="whitespace", smoothing="add-tiny", zero_score="never"),
        # keras-hub 0.32.0: Bleu, but computed in float64; smooth=True is smoothing="add-one" here
        "keras-hub": BleuConfig(
            tokenizer="13a-unpadded", strip=False, whitespace="ascii", reference_length="shortest", zero_score="empty"
        ),
        # CodeXGLUE ac74a62: bleuFromMaps of smooth_bleu.py, on the result of computeMaps, but from 0 to 1, not 100
        "codexglue": BleuConfig(
            tokenizer="words-and-signs",
            lowercase=True,
            smoothing="codexglue",
            reference_length="shortest",
            zero_score="never",
            average="sentence",
        ),
        # LLaMA-Factory ff6d4d12: bleu-4 of its metric.py before rounding, which is NLTK's method 3 on characters
        "llama-factory": BleuConfig(
            tokenizer="char-and-space",
            strip=False,
            smoothing="method3",
            total_floor="segment",
            zero_precision="skip",
            average="sentence",
        ),
        # Moses 34452895: multi-bleu.perl; -lc is lowercase="ascii" here
        "multi-bleu": BleuConfig(
            tokenizer="whitespace", whitespace="ascii", reference_length="closest-below-9999", zero_score="empty"
        ),
        # Moses 34452895: mteval-v13a.pl; -c is lowercase=False here, and --no-smoothing is smoothing="none",
        # zero_score="any-order". If no reference has a word, the script fails for the corpus score, but not for the
        # segment scores
        "mteval-v13a": BleuConfig(
            lowercase="ascii",
            strip=False,
            whitespace="unicode",
            smoothing="exp",
            zero_score="empty-prediction",
            zero_precision="skip-absent",
        ),
    }
)


# Dialect -> smoothing that a user names -> the formula that this version of the library means by it
_OWN_SMOOTHINGS = {"nltk-3.5": {"method2": "add-one", "method4": "method4-3.5", "method7": "method7-3.5"}}


def config_of(dialect: Dialect, options: Mapping[str, Any]) -> BleuConfig:
    """Return the configuration of a dialect, overridden by the caller's options.

    >>> config_of("nltk", {"smoothing": "method1"}).smoothing_value
    0.1
    """
    if isinstance(dialect, str) and "|" in dialect:
        dialect = BleuConfig.from_signature(dialect)
    if isinstance(dialect, BleuConfig):
        return dialect.with_options(options) if options else dialect
    if not isinstance(dialect, str) or dialect not in DIALECTS:
        raise ValueError(f"{unknown_message('dialect', dialect, DIALECTS)}, a signature, or a BleuConfig")
    if not options:
        return DIALECTS[dialect]
    if dialect in _OWN_SMOOTHINGS and isinstance(options.get("smoothing"), str):
        name = options["smoothing"]
        options = {**options, "smoothing": _OWN_SMOOTHINGS[dialect].get(name, name)}
    if all(map(_is_plain, options.values())):
        types = tuple(map(type, options.values()))  # the cache must distinguish 1 from True, which equals it
        return _checked_config(dialect, tuple(options.items()), types)
    return DIALECTS[dialect].with_options(dict(options))


def _is_plain(value: Any) -> bool:
    """Return whether an option value can be a cache key. 0.0 cannot: it equals -0.0, whose signature is different."""
    return type(value) in (str, int, bool, type(None)) or (type(value) is float and value != 0)


@lru_cache(maxsize=256)
def _checked_config(dialect: str, options: tuple[tuple[str, Any], ...], _types: tuple[type, ...]) -> BleuConfig:
    return DIALECTS[dialect].with_options(dict(options))

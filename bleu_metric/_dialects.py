"""The dialects: one configuration per library. A comment names the version of the library that was read."""

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
        # The paper (Papineni et al., 2002), on 13a tokens
        "default": BleuConfig(),
        # nltk 3.10.4: corpus_bleu, sentence_bleu
        "nltk": BleuConfig(tokenizer="whitespace", smoothing="method0", total_floor="segment", zero_precision="skip"),
        # nltk 3.5 and before: its methods 2, 4 and 7 differ, see _OWN_SMOOTHINGS
        "nltk-3.5": BleuConfig(
            tokenizer="whitespace", smoothing="method0", total_floor="segment", zero_precision="skip"
        ),
        # sacrebleu 2.6.0: corpus_bleu, sentence_bleu (which has effective_order on)
        "sacrebleu": BleuConfig(smoothing="exp", effective_order="sentence"),
        # evaluate 0.4.6: bleu, the formula of tensorflow/nmt; smooth=True is smoothing="add-one"
        "evaluate": BleuConfig(strip=False, reference_length="shortest", zero_score="empty"),
        # bleuscore 0.2.0: compute; smooth=True is smoothing="add-one"
        "bleuscore": BleuConfig(strip=False, whitespace="unicode", reference_length="shortest", zero_score="never"),
        # torchtext 0.18.0: bleu_score, in float64
        "torchtext": BleuConfig(tokenizer="whitespace", reference_length="closest-first", zero_score="any-order"),
        # torchmetrics 1.9.0: bleu_score, in float64; sacre_bleu_score is tokenizer="13a";
        # smooth=True is smoothing="method2"
        "torchmetrics": BleuConfig(
            tokenizer="whitespace", strip=False, reference_length="closest-first", zero_score="any-order"
        ),
        # torcheval 0.0.7: bleu_score, in float64; it refuses texts that are too short for the longest n-gram
        "torcheval": BleuConfig(tokenizer="whitespace", reference_length="shortest", zero_score="any-order"),
        # pytorch-ignite 0.5.5: Bleu(average="macro"), its default
        "ignite": BleuConfig(
            tokenizer="whitespace", smoothing="none-float32", total_floor="corpus", average="sentence"
        ),
        # pytorch-ignite 0.5.5: Bleu(average="micro")
        "ignite-micro": BleuConfig(tokenizer="whitespace", total_floor="corpus"),
        # fast-bleu 0.0.90: BLEU.get_score returns a score per sentence, this is their mean; smoothing_func=0 is
        # smoothing="none"
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
        # keras-hub 0.32.0: Bleu, in float64; smooth=True is smoothing="add-one"
        "keras-hub": BleuConfig(
            tokenizer="13a-unpadded", strip=False, whitespace="ascii", reference_length="shortest", zero_score="empty"
        ),
        # CodeXGLUE ac74a62: bleuFromMaps of smooth_bleu.py, after its computeMaps; 0-100 there
        "codexglue": BleuConfig(
            tokenizer="words-and-signs",
            lowercase=True,
            smoothing="codexglue",
            reference_length="shortest",
            zero_score="never",
            average="sentence",
        ),
        # LLaMA-Factory ff6d4d12: bleu-4 of its metric.py, not rounded; NLTK's method 3 on characters
        "llama-factory": BleuConfig(
            tokenizer="char-and-space",
            strip=False,
            smoothing="method3",
            total_floor="segment",
            zero_precision="skip",
            average="sentence",
        ),
        # Moses 34452895: multi-bleu.perl; -lc is lowercase="ascii"
        "multi-bleu": BleuConfig(
            tokenizer="whitespace", whitespace="ascii", reference_length="closest-below-9999", zero_score="empty"
        ),
        # Moses 34452895: mteval-v13a.pl; -c is lowercase=False;
        # --no-smoothing is smoothing="none", zero_score="any-order". Without reference words the script fails for the
        # corpus score, but not for the segment scores
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


# Smoothing names that mean another formula in this version of a library
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
        types = tuple(map(type, options.values()))  # 1 and True are equal, but an option accepts only one
        return _checked_config(dialect, tuple(options.items()), types)
    return DIALECTS[dialect].with_options(dict(options))


def _is_plain(value: Any) -> bool:
    """Return whether equal values of this type are the same setting. 0.0 and -0.0 are equal but written differently."""
    return type(value) in (str, int, bool, type(None)) or (type(value) is float and value != 0)


@lru_cache(maxsize=256)
def _checked_config(dialect: str, options: tuple[tuple[str, Any], ...], _types: tuple[type, ...]) -> BleuConfig:
    return DIALECTS[dialect].with_options(dict(options))

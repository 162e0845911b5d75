"""Options are checked once, by name and value; a signature names all of them and reads back."""

from __future__ import annotations

import dataclasses
import decimal
import enum
from typing import Any

import numpy as np
import pytest
from corpora import nested_lists
from inner_doors import CHOICES, OPTIONS, SMOOTHINGS

from bleu_metric import (
    DIALECTS,
    Accumulator,
    BleuConfig,
    bootstrap,
    corpus_bleu,
    corpus_statistics,
    explain_difference,
    reward,
    score_dialects,
)

NUMBERS = r"weights must be a list of numbers, got "
BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"dialect": "nlkt"}, ValueError, r"unknown dialect 'nlkt' \(did you mean 'nltk'\?\); accepted: 'sacrebleu',"),
    ({"dialect": None}, ValueError, r"unknown dialect None; accepted: .*, a signature, or a BleuConfig"),
    ({"tokenizer": "13b"}, ValueError, r"unknown tokenizer '13b' \(did you mean '13a'\?\); accepted: '13a', 'intl'"),
    ({"tokenizer": "x" * 10_000}, ValueError, r"unknown tokenizer 'x{20,40}\.\.\.x{20,40}'; accepted: '13a'"),
    ({"smoothing": "method9"}, ValueError, r"unknown smoothing 'method9'; accepted: 'none'"),
    ({"smoothing": 10**5000}, ValueError, r"unknown smoothing .*; accepted: .none."),
    ({"smoothing": 4}, ValueError, r'unknown smoothing 4; did you mean smoothing="method4"\? accepted: .none.'),
    ({"smoothing": nested_lists(100_000)}, ValueError, r"unknown smoothing \[\[\[\[\.\.\.\]\]\]\]; accepted"),
    ({"smooth": True}, TypeError, r"unknown option 'smooth'; did you mean smoothing=.add-one. .*\? accepted: 'tok"),
    ({"lowercase": 1}, ValueError, r"unknown lowercase 1; accepted: False, True, 'after', 'ascii'"),
    ({"max_order": 0}, ValueError, r"max_order must be at least 1, got 0"),
    ({"max_order": 10_001}, ValueError, r"max_order must be at most 10000, got 10001"),
    ({"max_order": -(10**5000)}, ValueError, r"max_order must be .* got <int of 16610 bits>"),
    ({"max_order": 2.5}, TypeError, r"max_order must be an integer, got 2.5"),
    ({"max_order": np.True_}, TypeError, rf"max_order must be an integer, got {np.True_!r}"),
    ({"max_order": np.array([4])}, TypeError, r"max_order must be an integer, got array\(\[4\]\)"),
    ({"weights": [1.0] * 10_001}, ValueError, r"weights has 10001 numbers, one per order, but the highest order is"),
    ({"weights": []}, ValueError, r"weights is empty; give one weight per order"),
    ({"weights": "0.5"}, TypeError, NUMBERS + "'0.5'"),
    ({"weights": {0: 0.5}}, TypeError, NUMBERS + r"\{0: 0.5"),
    ({"weights": np.array(0.5)}, TypeError, NUMBERS + r"array\(0.5\)"),
    ({"weights": [0.5, "x"]}, TypeError, r"weights accepts only numbers, got 'x'"),
    ({"weights": [0.5, True]}, TypeError, r"weights accepts only numbers, got True"),
    ({"weights": [np.timedelta64(1, "s")]}, TypeError, r"weights accepts only numbers, got (np|numpy)\.timedelta64"),
    ({"weights": [decimal.Decimal("sNaN")]}, TypeError, r"weights accepts only numbers, got Decimal\('sNaN'\)"),
    ({"weights": [0.5, float("nan")]}, ValueError, r"weights accepts only finite numbers, got nan"),
    ({"weights": [10**400]}, ValueError, r"weights accepts only finite numbers"),
    ({"weights": [[0.5], 0.5]}, TypeError, r"one list .*, got \[\[0.5\], 0.5\]; .* score\(statistics, weights="),
    ({"weights": np.ones((2, 2))}, TypeError, r"weights must be one list of numbers, got array"),
    ({"weights": [0.5, 0.5], "max_order": 3}, ValueError, r"max_order=3, but weights has 2 numbers; pass only weights"),
    ({"smoothing": "exp", "smoothing_value": 1.0}, ValueError, r"smoothing='exp' takes no smoothing_value, got 1.0"),
    ({"smoothing": "floor", "smoothing_value": "1"}, TypeError, r"smoothing_value accepts only numbers, got '1'"),
    ({"smoothing": "method4", "smoothing_value": 0}, ValueError, r"of 'method4' must be above 0, got 0"),
    ({"smoothing": "add-k", "smoothing_value": -1}, ValueError, r"of 'add-k' must be at least 0, got -1"),
]


@pytest.mark.parametrize(("options", "error", "text"), BAD)
def test_bad_option(options: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        corpus_bleu(["a"], ["a"], **options)


def test_a_config_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        BleuConfig().max_order = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        DIALECTS["mine"] = BleuConfig()  # type: ignore[index]


def test_weights_decide_the_order() -> None:
    assert BleuConfig().max_order == 4
    assert BleuConfig(weights=[1e-4] * 10_000).max_order == 10_000  # type: ignore[arg-type]
    assert BleuConfig(weights=[0.5, 0.3]).max_order == 2  # type: ignore[arg-type]
    assert BleuConfig(weights=np.array([0.5, 0.3])).weights == (0.5, 0.3)  # type: ignore[arg-type]
    assert BleuConfig(weights=[0.5, 0.5]).with_options({"max_order": 3}).weights is None  # type: ignore[arg-type]


def test_default_value_of_a_smoothing_is_its_sources() -> None:
    config = BleuConfig(smoothing="floor", smoothing_value=0.5)
    assert config.with_options({"smoothing": "add-k"}).smoothing_value == 1.0
    assert config.with_options({"lowercase": True}).smoothing_value == 0.5


def test_numbers_of_other_kinds() -> None:
    config = BleuConfig(weights=(decimal.Decimal("0.5"), np.float32(0.5)), max_order=np.int8(2))  # type: ignore[arg-type]
    assert (config.weights, config.max_order) == ((0.5, 0.5), 2)
    rows = corpus_statistics(["a b c", "d"], ["a b d", "d"], max_order=2)
    half = decimal.Decimal("0.5")
    assert bootstrap(rows, 5, confidence=half).low == bootstrap(rows, 5, confidence=0.5).low  # type: ignore[arg-type]


class Word(str, enum.Enum):  # noqa: UP042 - str() of a StrEnum would be its value
    """Options as a program may hold them."""

    INTL = "intl"
    EXP = "exp"


def test_options_that_are_enums() -> None:
    config = BleuConfig(tokenizer=Word.INTL, smoothing=Word.EXP)
    assert config == BleuConfig(tokenizer="intl", smoothing="exp")
    assert BleuConfig.from_signature(config.signature()) == config


def random_options(rng: np.random.Generator) -> dict[str, Any]:
    options: dict[str, Any] = {name: choices[int(rng.integers(len(choices)))] for name, choices in CHOICES.items()}
    if SMOOTHINGS[options["smoothing"]].value is not None:
        options["smoothing_value"] = float(rng.choice([rng.uniform(0, 9), 0.1, 1e-300]))
    if rng.integers(2):
        options["max_order"] = int(rng.integers(3, 50))
    else:
        options["weights"] = (*rng.uniform(-1, 2, int(rng.integers(3, 9))).tolist(), 1e-17)
    return options


def test_signature_round_trip() -> None:
    drawn = [BleuConfig(**random_options(np.random.default_rng(seed))) for seed in range(1000)]
    for config in (*DIALECTS.values(), *drawn):
        if config.tokenizer in ("flores101", "flores200", "spBLEU-1K", "spm"):  # sacrebleu downloads their models
            continue
        assert BleuConfig.from_signature(config.signature()) == config
    assert len({config.signature() for config in drawn}) == len(set(drawn))


def test_every_option_changes_the_signature() -> None:
    """Two configurations that differ anywhere have different signatures."""
    base = BleuConfig(smoothing="floor", smoothing_value=0.3)
    others = {name: [value for value in choices if value != getattr(base, name)] for name, choices in CHOICES.items()}
    others |= {"max_order": [3], "weights": [(0.5, 0.5)], "smoothing_value": [0.4]}
    assert set(others) == set(OPTIONS)
    changed = [base.with_options({name: value}) for name, values in others.items() for value in values]
    assert len({config.signature() for config in (base, *changed)}) == len(changed) + 1


@pytest.mark.parametrize("form", [BleuConfig.signature, lambda config: config, "nrefs:1|{}|bs:1000|seed:1".format])
def test_a_configuration_and_a_signature_are_dialects(form: Any) -> None:
    predictions, references = ["The cat sat. Down"], ["the cat sat down here"]
    expected = corpus_bleu(predictions, references, "nltk", smoothing="method4", lowercase=True)
    dialect = form(BleuConfig.from_signature(expected.signature))
    assert corpus_bleu(predictions, references, dialect) == expected
    assert Accumulator(dialect).statistics.config.signature() in expected.signature
    assert list(score_dialects(predictions, references, [dialect]).values()) == [expected]
    explained = explain_difference(predictions, references, dialect, "sacrebleu")
    assert explained.start == expected.bleu
    assert str(dialect) in str(explained)
    overridden = corpus_bleu(predictions, references, dialect, lowercase=False)
    assert overridden == corpus_bleu(predictions, references, "nltk", smoothing="method4")
    assert reward(dialect=dialect).__name__ == f"bleu_references_{dialect}"  # type: ignore[attr-defined]

"""Texts and tokens are converted to a form of Unicode before anything else, on each road to the counts."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pyarrow as pa
import pytest
from inner_doors import by_arrays_alone

from bleu_metric import BleuConfig, corpus_bleu, score_dialects

FORMS = {
    "NFC": ("Zo\u00eb's caf\u00e9", "Zoe\u0308's cafe\u0301"),
    "NFKC": ("\uff22\uff2c\uff25\uff35 \u2460\uff12", "BLEU 12"),
}
ROADS = {"lists": (nullcontext, list), "arrow": (nullcontext, pa.array), "arrays": (by_arrays_alone, list)}


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("lowercase", [False, True, "after", "ascii"])
@pytest.mark.parametrize("form", FORMS)
def test_two_forms_are_equal(form: str, lowercase: bool | str, road: str) -> None:
    context, container = ROADS[road]
    first, second = ([f"{text} a b c", "d"] for text in FORMS[form])
    tokens = [[text.split() for text in texts] for texts in (first, second)]
    options: Any = {"normalization": form, "lowercase": lowercase}
    with context():
        for tokenizer in ("13a", "intl", "char", "whitespace", str.split):
            assert corpus_bleu(container(first), container(second), tokenizer=tokenizer, **options).bleu == 1
        assert corpus_bleu(*map(container, tokens), **options).bleu == 1
        assert corpus_bleu(container(first), container(second), lowercase=lowercase).bleu < 1


def test_normalization_comes_first() -> None:
    """NFKC makes spaces and signs, at which texts are split. Dialects that normalize are counted on their own."""
    texts = ["a\u00a0b\uff1c c d"], ["a b < c d"]
    configs = [BleuConfig(normalization=form, tokenizer=name) for form in ("NFKC", "none") for name in ("13a", "none")]
    scores = [score.bleu for score in score_dialects(*texts, configs).values()]
    assert scores[0] == 1
    assert scores == [corpus_bleu(*texts, config).bleu for config in configs]

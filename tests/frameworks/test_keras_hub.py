"""The dialect against keras-hub itself, in float64: in the other tests its source is restated, as it needs TensorFlow."""

from __future__ import annotations

import numpy as np
import pytest
from corpora import NASTY, WORDS, random_corpus
from inner_doors import tokens_of

from bleu_metric import corpus_bleu

keras_hub = pytest.importorskip("keras_hub", reason="pip install keras-hub tensorflow-cpu")
tf = pytest.importorskip("tensorflow", reason="pip install keras-hub tensorflow-cpu")
pytestmark = pytest.mark.filterwarnings("ignore")


def theirs(predictions: list[str], references: list[list[str]], max_order: int, smooth: bool) -> float:
    bleu = keras_hub.metrics.Bleu(max_order=max_order, smooth=smooth, dtype="float64")
    bleu.update_state(tf.ragged.constant(references), tf.constant(predictions))
    return float(bleu.result())


@pytest.mark.parametrize("start", range(0, 500, 100))
def test_random_corpora(start: int) -> None:
    compared = 0
    for seed in range(start, start + 100):
        rng = np.random.default_rng(seed)
        predictions, references = random_corpus(rng, "text")
        order, smooth = int(rng.integers(1, 7)), bool(rng.integers(2))
        options = {"max_order": order, "smoothing": "add-one" if smooth else "none"}
        score = corpus_bleu(predictions, references, "keras-hub", **options)
        if score.translation_length and score.reference_length:  # else a division by 0 there
            expected = theirs(predictions, references, order, smooth)
            assert score.bleu == pytest.approx(expected, rel=1e-12, abs=0), seed
            compared += 1
    assert compared > 50


def test_tokens() -> None:
    rng = np.random.default_rng(1)
    pieces = [*NASTY, *WORDS, *"  12.,-"]
    lines = ["".join(rng.choice(pieces, int(rng.integers(1, 9)))) for _ in range(2000)]
    lines += ["5.", "a 5.", "a.", "5,", ".5", "5. ", ".5 a", "-\n.5", "5.\n", "5.<skipped>", "5.$", "é.5", "5.é"]
    tokens = keras_hub.metrics.Bleu()._tokenizer(tf.constant(lines)).to_list()
    ready = [[token.decode() for token in of_line] for of_line in tokens]
    assert tokens_of(lines, "13a-unpadded", strip=False, whitespace="ascii") == ready

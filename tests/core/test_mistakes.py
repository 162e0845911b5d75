"""Input that is passed in a wrong shape is rejected or warned of; input that is right is not."""

from __future__ import annotations

from typing import Any

import evaluate
import numpy as np
import pyarrow as pa
import pytest
from containers import CONTAINERS
from corpora import PREDICTIONS, REFERENCES

import bleu_metric
from bleu_metric import Accumulator, corpus_bleu, pairwise_bleu, reward, score_dialects, sentence_bleu
from bleu_metric.compat import sacrebleu as compat_sacrebleu

TEXTS = ["the cat sat on the mat", "a dog ran through our garden today"]
STREAMS = [[text.replace("the", "a") for text in TEXTS], [text.replace("today", "yesterday") for text in TEXTS]]
PER_SEGMENT = [list(of_segment) for of_segment in zip(*STREAMS, strict=True)]
WORDS = [text.split() for text in TEXTS]

SWAPPED = "pass the predictions first"
SWAPPED_OF_NLTK = "as in NLTK, the arguments are swapped"
CHANGED_PLACES: list[tuple[Any, Any, str]] = [
    (PER_SEGMENT, TEXTS, SWAPPED),
    ([[text] for text in TEXTS], TEXTS, SWAPPED),
    ([[words] for words in WORDS], WORDS, SWAPPED),
    ([[words, words] for words in WORDS], WORDS, SWAPPED),
    ([[[1, 2, 3], [1, 2, 4]], [[5]]], [[1, 2, 3], [5, 6]], SWAPPED),
    (np.array([[[1, 2, 3]]]), np.array([[1, 2, 3]]), SWAPPED),
    # The references of one sentence
    (WORDS, "the cat sat on".split(), SWAPPED_OF_NLTK),
    (WORDS[:1], WORDS[1], SWAPPED_OF_NLTK),
    (WORDS, ["cat", "dog"], SWAPPED_OF_NLTK),
    (TEXTS, TEXTS[0], SWAPPED_OF_NLTK),
]


@pytest.mark.parametrize(("references", "predictions", "message"), CHANGED_PLACES)
def test_references_first(references: Any, predictions: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        sentence_bleu(references, predictions)
    if message == SWAPPED:
        corpus_bleu(predictions, references)


class Tokenizer:
    """Like those of transformers, which return ids when they are called."""

    def __call__(self, text: str) -> Any:
        return {"input_ids": [1]}

    def tokenize(self, text: str) -> list[str]:
        return text.split()


NO_TEXTS: list[tuple[Any, Any, dict[str, Any], str]] = [
    (["42"], [42], {}, r"references\[0\] holds 42 \(int\) .* pass a string, as in str\(42\)"),
    ([4.5], ["4.5"], {}, r"pass a string, as in str\(4.5\)"),
    (["42"], pa.array([42]), {}, r"references\[0\] holds 42 .* pass a string, as in str\(42\)"),
    (np.ones((1, 2, 3)), [[1, 2]], {}, r"if these are logits, pass logits.argmax\(-1\), or preprocess_logits_for_"),
    ([[np.float64(0.5)]], [[1]], {}, r"if these are logits, pass logits.argmax\(-1\)"),
    ([[np.array(1)]], [[1]], {}, r"pass each row as row.tolist\(\)"),
    (TEXTS, TEXTS, {"tokenizer": Tokenizer()}, "returned {'input_ids': .*; pass its method tokenizer.tokenize"),
    (TEXTS, TEXTS, {"tokenizer": str.maketrans("", "")}, "pass a function that returns a list of tokens, or a name"),
]


@pytest.mark.parametrize(("predictions", "references", "options", "message"), NO_TEXTS)
def test_what_to_pass_in_place_of_other_types(predictions: Any, references: Any, options: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        bleu_metric.load().compute(predictions=predictions, references=references, **options)


def test_streams_for_as_many_segments() -> None:
    for score in (corpus_bleu, sentence_bleu, score_dialects):
        with pytest.warns(UserWarning, match=r"look transposed.*as in list\(zip\(\*references\)\)") as warned:
            score(TEXTS, STREAMS)
        assert warned[0].filename == __file__
    metric = evaluate.load(bleu_metric.PATH)
    with pytest.warns(UserWarning, match="look transposed"):
        metric.compute(predictions=TEXTS, references=STREAMS)


def test_references_that_are_lists_of_words() -> None:
    with pytest.warns(UserWarning, match=r"references\[0\] is a list of 6 single words"):
        corpus_bleu(TEXTS, WORDS)


RIGHT: list[tuple[Any, Any]] = [
    (TEXTS, PER_SEGMENT),
    (PREDICTIONS, REFERENCES),
    (WORDS, [[words, words] for words in WORDS]),
    (["Paris is the capital of France"], [["Paris", "paris", "PARIS"]]),  # spellings of an answer
    (["it is blue, I think"], [["azure", "cyan", "navy"]]),
    (
        ["我们今天去公园散步", "他昨天读了一本书"],
        [["我们今天去公园走走", "今天我们去公园"], ["他昨天看了一本书", "昨天他读书"]],
    ),
    (["a"], [["a", "b", "c", "d"]]),
    (["same text here", "same text here"], [["same text here"] * 2] * 2),
]


@pytest.mark.filterwarnings("error", "ignore:BLEU is 0.00", "ignore:the references are Chinese")
@pytest.mark.parametrize(("predictions", "references"), RIGHT)
def test_right_input_is_not_warned_of(predictions: Any, references: Any) -> None:
    sentence_bleu(predictions, references)


@pytest.mark.filterwarnings("error")
def test_empty_predictions() -> None:
    """A score per sentence shows its zeros. Rewards, hooks and the functions of other libraries are called in loops."""
    texts = ["", "a b c d", "  \t"], ["a b c d"] * 3
    metric = evaluate.load(bleu_metric.PATH)
    for score in (
        corpus_bleu,
        score_dialects,
        lambda *pair: corpus_bleu([text.split() for text in pair[0]], pa.array([[text.split()] for text in pair[1]])),
        lambda *pair: metric.compute(predictions=pair[0], references=pair[1]),
    ):
        with pytest.warns(UserWarning, match=r"2 of 3 predictions are empty; the first is predictions\[0\]") as warned:
            score(*texts)
        assert [each.filename for each in warned] == [__file__]
    sentence_bleu(*texts)
    corpus_bleu(texts[0][:1], texts[1][:1])
    compat_sacrebleu.corpus_bleu(texts[0], [texts[1]])
    reward()(completions=texts[0], references=texts[1])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("container", ["list", "numpy in numpy", "pandas", "arrow"])
def test_empty_references(container: str) -> None:
    """They are warned of, unless they count as missing; then the counts are those of the other references."""
    predictions, references = ["a", "a", "a b", "a"], [["a b c", ""], ["a c", None], [" \t", "b"], ["a b", "b c d e"]]
    tokens_of = [[None if text is None else text.split() for text in row] for row in references]
    tokens = [text.split() for text in predictions], tokens_of
    for kind, rows in (("text", (predictions, references)), ("tokens", tokens)):
        pair = [CONTAINERS[container](side, kind, nested) for nested, side in enumerate(rows)]
        with pytest.warns(UserWarning, match=r"2 of 7 references are empty; the first is references\[0\]") as warned:
            assert corpus_bleu(*pair, max_order=1).reference_length == 5
        assert [each.filename for each in warned] == [__file__]
        score = corpus_bleu(*pair, max_order=1, empty_references="missing")
        assert (score.counts, score.totals, score.reference_length) == ([4], [5], 3 + 2 + 1 + 2)
        assert score.signature.startswith("nrefs:var|")
        assert "|emptyrefs:missing|" in score.signature


def test_segments_whose_only_reference_is_empty() -> None:
    predictions, references = ["a b", "b"], ["a b", ""]
    with pytest.warns(UserWarning, match=r"1 of 2 references is empty; the first is references\[1\]"):
        corpus_bleu(predictions, references, max_order=1)
    for rows in (references, [["a b"], ["", None, " "]]):
        with pytest.raises(ValueError, match=r"references\[1\] has no reference"):
            corpus_bleu(predictions, rows, empty_references="missing")
    accumulator = Accumulator(empty_references="missing")
    accumulator.update(["a b"], [["a b", ""]])
    assert "nrefs:1|" in accumulator.score().signature
    with pytest.raises(ValueError, match=r"references\[1\] has 1 reference, but the first segment of its document"):
        corpus_bleu(predictions, [["a", "b"], ["", "b"]], documents=[0, 0], empty_references="missing")
    with pytest.raises(ValueError, match="empty_references"):
        pairwise_bleu(predictions, predictions, empty_references="missing")


def test_references_of_tokens_with_spaces() -> None:
    """They look like texts that were not split. As lists of references, they are tokens."""
    tokens, flat = [["New", "York"], ["a"]], [["New York", "is big"], ["a"]]
    for predictions in (tokens, pa.array(tokens)):
        for references in (flat, pa.array(flat)):
            with pytest.raises(TypeError, match=r"pass references=\[\[tokens\] for tokens in references\]"):
                corpus_bleu(predictions, references)
    corpus_bleu(tokens, [[each] for each in flat], max_order=1)

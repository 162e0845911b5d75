"""The hook in a real Seq2SeqTrainer, alone and under two processes; its memory."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from corpora import Decoder
from torch_run import run_script

from bleu_metric import compute_metrics, corpus_bleu, preprocess_logits_for_metrics


class Strict(Decoder):
    def batch_decode(self, ids: Any, skip_special_tokens: bool) -> list[str]:
        assert all(min(row) >= 0 for row in ids)  # real ones raise OverflowError
        return super().batch_decode(ids, skip_special_tokens)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.heavy
def test_a_real_trainer(tmp_path: Path) -> None:
    """Both modes, with labels and with a column of references, generating and not; then by two processes."""
    pytest.importorskip("transformers", reason="pip install '.[trainer]'")
    alone, together = (run_script("tiny_seq2seq.py", processes, str(tmp_path)) for processes in (1, 2))
    assert alone["whole"] == alone["batched"]
    assert alone["whole, references"] == alone["batched, references"]
    assert alone["whole, logits"] == alone["batched, logits"]
    assert 0 < alone["whole"]["eval_bleu"] < 1
    assert alone["whole"]["eval_bleu"] != alone["whole, references"]["eval_bleu"]
    assert alone["whole"]["eval_bleu"] != alone["whole, logits"]["eval_bleu"]
    assert together == alone


def _batches(samples: int, size: int = 100) -> Any:
    rng = np.random.default_rng(0)
    for _ in range(samples // size):
        ids = rng.integers(1, 50, (size, 12))
        labels = np.where(rng.random(ids.shape) < 0.8, ids, -100)
        yield SimpleNamespace(predictions=ids, label_ids=labels)


@pytest.mark.heavy
def test_memory_does_not_grow_with_the_evaluation_set() -> None:
    """Evaluations in batches, as Trainer drives them."""
    peaks = []
    for samples in (200, 1000, 100_000):  # the first one makes tables and imports modules
        hook = compute_metrics(Strict())
        gc.freeze()  # what was there before is not looked through again after each batch
        tracemalloc.start()
        for batch in _batches(samples):
            hook(batch, compute_result=False)
            gc.collect()  # when Python does it by itself varies
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        gc.unfreeze()
    assert peaks[2] < 1.2 * peaks[1]


def _prediction(ids: Any, labels: Any) -> SimpleNamespace:
    return SimpleNamespace(predictions=ids, label_ids=labels)


def test_ids_are_decoded() -> None:
    ids, labels = np.array([[1, 2, 3, 4, -100], [5, 6, 7, 0, 0]]), np.array([[1, 2, 3, 5, -100], [5, 6, 7, -100, -100]])
    expected = corpus_bleu(["w1 w2 w3 w4", "w5 w6 w7"], ["w1 w2 w3 w5", "w5 w6 w7"], "sacrebleu")
    assert compute_metrics(Strict())((ids, labels))["bleu"] == expected.bleu
    for predictions in (ids, (ids, "encoder states"), [ids], ids.tolist(), list(ids)):
        processor: Any = SimpleNamespace(tokenizer=Strict())
        result = compute_metrics(processor)(_prediction(predictions, labels))
        assert compute_metrics(processor)(_prediction(predictions, labels.tolist())) == result
        assert result["bleu"] == expected.bleu
        assert result["bleu_precision_1"] == expected.precisions[0]
        assert {type(value) for value in result.values()} == {float}
    with_orders = compute_metrics(Strict(), all_orders=True, max_order=2)(_prediction(ids, labels))
    assert with_orders["bleu_1"] == expected.precisions[0]
    assert with_orders["bleu_2"] == with_orders["bleu"]


def test_padding_is_the_tokenizers_own() -> None:
    decoder = Strict()
    decoder.pad_token_id = 9
    ids = np.array([[0, 1, 2, 3, -100], [0, 1, 2, 3, 9]])
    assert compute_metrics(decoder, max_order=4)(_prediction(ids, ids[::-1]))["bleu_length_ratio"] == 1
    shorter = np.where(ids == 3, -100, ids)
    assert compute_metrics(decoder)(_prediction(shorter, ids))["bleu_length_ratio"] == 6 / 8


def test_a_broken_evaluation_leaves_nothing_to_the_next() -> None:
    hook, ids, wrong = compute_metrics(Strict()), np.array([[1, 2, 3, 4]]), np.array([[1, 2, 3, 5]])
    # White space around decoded texts is stripped
    unstripped = compute_metrics(Strict(), tokenizer=lambda text: text.split(" "), strip=False)
    assert unstripped(_prediction(ids, wrong))["bleu_precision_1"] == 3 / 4
    hook(_prediction(wrong, ids), compute_result=False)
    with pytest.raises(TypeError, match=r"must be token ids of shape"):
        hook(_prediction(ids / 2, ids), compute_result=False)
    assert hook(_prediction(ids, ids))["bleu"] == 1


def test_logits_are_argmaxed() -> None:
    logits = np.eye(8)[[[1, 2, 3, 4]]]
    labels = np.array([[1, 2, 3, 4]])
    hook = compute_metrics(Strict())
    with pytest.warns(UserWarning, match="teacher-forced.*not comparable.*predict_with_generate=True"):
        assert hook(_prediction(logits, labels))["bleu"] == pytest.approx(1)
    assert hook(_prediction(logits, labels))["bleu"] == pytest.approx(1)  # no second warning, which would be an error
    with pytest.warns(UserWarning, match="teacher-forced"):
        assert preprocess_logits_for_metrics((logits, "more"), labels).tolist() == [[1, 2, 3, 4]]
    assert preprocess_logits_for_metrics(labels, labels) is labels  # generated ids, without a warning


@pytest.mark.filterwarnings("ignore:these predictions are teacher-forced")
def test_predictions_for_padding_do_not_count() -> None:
    logits, labels = np.eye(8)[[[1, 2, 3, 4, 5, 6]]], np.array([[1, 2, 3, 4, -100, -100]])
    assert compute_metrics(Strict())(_prediction(logits, labels))["bleu"] == 1
    torch = pytest.importorskip("torch", reason="pip install '.[trainer]'")
    assert preprocess_logits_for_metrics(torch.tensor(logits), torch.tensor(labels)).tolist() == [
        [1, 2, 3, 4, -100, -100]
    ]
    assert preprocess_logits_for_metrics(logits, labels[:, :4]).tolist() == [[1, 2, 3, 4, 5, 6]]


def test_mean_of_sentences_in_batches() -> None:
    hook = compute_metrics(Strict(), average="sentence", smoothing="add-one")
    batches = list(_batches(300))
    assert hook(batches[0], compute_result=False) == hook(batches[1], compute_result=False) == {}
    batched = hook(batches[2])
    ids = np.concatenate([batch.predictions for batch in batches])
    whole = hook(_prediction(ids, np.concatenate([batch.label_ids for batch in batches])))
    assert batched == whole


def test_wrong_use_of_the_hook() -> None:
    with pytest.raises(TypeError, match=r"processing_class must be a tokenizer with a batch_decode method, .* got str"):
        compute_metrics("a tokenizer")
    uncalled: Any = compute_metrics  # as Trainer calls it
    with pytest.raises(TypeError, match=r"compute_metrics=compute_metrics\(tokenizer\)"):
        uncalled(_prediction(np.array([[1]]), np.array([[1]])), compute_result=True)
    with pytest.raises(ValueError, match=r"unknown dialect 'sacreblue' \(did you mean 'sacrebleu'\?\)"):
        compute_metrics(Strict(), "sacreblue")
    with pytest.raises(TypeError, match=r"expected an EvalPrediction or a pair \(predictions, labels\), got \{'a': 1"):
        compute_metrics(Strict())({"a": 1})
    with pytest.raises(ValueError, match="all_orders has equal weights"):
        compute_metrics(Strict(), all_orders=True, weights=[1.0])
    hook = compute_metrics(Strict(), references=["w1", "w2"])
    with pytest.raises(ValueError, match=r"has 2 references, but the evaluation set has more samples"):
        hook(_prediction(np.array([[1], [2], [3]]), None))
    hook.reset()
    with pytest.raises(ValueError, match=r"gave 1 prediction for 2 samples"):
        hook(_prediction(np.array([[1]]), None))
    assert hook(_prediction(np.array([[1], [2]]), None))["bleu_precision_1"] == 1.0
    with pytest.raises(ValueError, match=r"gave 0 predictions for 0 samples of the evaluation set"):
        compute_metrics(Strict())(_prediction(np.zeros((0, 2), int), np.zeros((0, 2), int)))
    with pytest.raises(TypeError, match=r"must be token ids of shape .*, got 0\.1 \(float\); set"):
        compute_metrics(Strict())(_prediction(np.array([[0.1, 0.2]]), np.array([[1]])))
    with pytest.raises(TypeError, match=r"must be of shape \(samples, length\), got shape \(1, 1, 2\)"):
        compute_metrics(Strict())(_prediction(np.array([[[1, 2]]]), np.array([[1]])))
    with pytest.warns(UserWarning, match=r"no prediction has 3 tokens, so no 3-gram can match"):
        assert compute_metrics(Strict())(_prediction(np.array([[1, 2]]), np.array([[1, 2]])))["bleu"] == 0


@pytest.mark.parametrize("listed", [False, True])
def test_samples_in_another_order_than_the_references(listed: bool) -> None:
    ids = np.array([[1, 2], [3, 4], [5, 6], [7, 8]])
    texts = ["w1 w2", "w3 w4", "w5 w6", "w7 w8"]
    references = [[text, "another"] for text in texts] if listed else texts
    hook = compute_metrics(Strict(), references=references, max_order=1)
    assert hook(_prediction(ids, ids))["bleu"] == 1.0
    with pytest.raises(ValueError, match="have different orders: the label 'w7 w8' is a reference of"):
        hook(_prediction(ids[::-1], ids[::-1]))
    paraphrases = [[f"{text} indeed"] for text in texts] if listed else [f"{text} indeed" for text in texts]
    hook = compute_metrics(Strict(), references=paraphrases, max_order=1)
    assert hook(_prediction(ids, ids))["bleu"] > 0.5
    with pytest.warns(UserWarning, match="have different orders: the label 'w7 w8' is like a reference of"):
        hook(_prediction(ids[::-1], ids[::-1]))
    hook = compute_metrics(Strict(), references=references, max_order=1)
    one_differs = np.array([[3, 4], [3, 4], [5, 6], [7, 8]])
    for labels in (one_differs, np.full((4, 2), 9), np.full(4, 0.5)):  # truncated or other labels are no mistake
        assert hook(_prediction(ids, labels))["bleu"] == 1.0


def test_labels_with_braces_in_another_order() -> None:
    class Braces(Strict):
        def batch_decode(self, ids: Any, skip_special_tokens: bool) -> list[str]:
            return [text.strip().replace(" ", " {x} {} ") for text in super().batch_decode(ids, skip_special_tokens)]

    ids = np.array([[1, 2], [3, 4], [5, 6], [7, 8]])
    hook = compute_metrics(Braces(), references=Braces().batch_decode(ids.tolist(), True), max_order=1)
    with pytest.raises(ValueError, match=r"the label 'w7 \{x\} \{\} w8' is a reference of another"):
        hook(_prediction(ids[::-1], ids[::-1]))


def test_repeated_samples_of_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = SimpleNamespace(is_available=lambda: True, is_initialized=lambda: True, get_world_size=lambda: 2)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(distributed=distributed))
    ids = np.array([[1, 2], [3, 4], [1, 2]])
    hook = compute_metrics(Strict(), samples=2, max_order=1)
    assert hook(_prediction(ids, np.array([[1, 2], [3, 4], [9, 9]])))["bleu"] == 1.0
    with pytest.warns(UserWarning, match=r"pass samples=len\(eval_dataset\) to compute_metrics"):
        compute_metrics(Strict(), max_order=1)(_prediction(ids, ids))
    distributed.get_world_size = lambda: 1
    assert compute_metrics(Strict(), max_order=1)(_prediction(ids, ids))["bleu"] == 1.0


@pytest.mark.filterwarnings("ignore:these predictions are teacher-forced")
def test_batches_that_trainer_did_not_concatenate() -> None:
    first, second = np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), np.array([[9, 1, 2, 3, 4]])
    labels = [np.array([[1, 2, 3, 4], [5, 6, 7, 9]]), np.array([[9, 1, 2, 3, -100]])]
    expected = corpus_bleu(
        ["w1 w2 w3 w4", "w5 w6 w7 w8", "w9 w1 w2 w3 w4"], ["w1 w2 w3 w4", "w5 w6 w7 w9", "w9 w1 w2 w3"]
    )
    for batches in ([first, second], [(first, "states"), (second, "states")]):
        found = compute_metrics(Decoder(), "papineni")(SimpleNamespace(predictions=batches, label_ids=labels))
        assert found["bleu"] == expected.bleu
    several_labels = SimpleNamespace(predictions=np.eye(10)[second], label_ids=(labels[1], labels[1]))
    assert compute_metrics(Decoder())(several_labels)["bleu"] == 1.0
    with_an_inner_part: Any = Decoder()
    with_an_inner_part.tokenizer = object()  # as Mistral's, whose own tokenizer decodes no batch
    assert compute_metrics(with_an_inner_part)(SimpleNamespace(predictions=first, label_ids=first))["bleu"] == 1.0

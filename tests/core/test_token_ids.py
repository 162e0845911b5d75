"""Token ids as users have them: lists of tensors, padded arrays, -100; none of it is silently scored as a token."""

from __future__ import annotations

from collections import namedtuple
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from corpora import nested_lists

import bleu_metric
from bleu_metric import corpus_bleu, corpus_statistics, remove_padding, sentence_bleu

IDS = [[1, 2, 3, 4, 5], [6, 7, 8, 9], [10, 11, 12, 13, 14, 15]]
REFERENCES = [[1, 2, 3, 4, 6], [6, 7, 8, 9, 1], [10, 11, 12, 13]]
EXPECTED = corpus_bleu(IDS, REFERENCES).bleu


class Tensor:
    """What is used of a tensor of torch: it has to leave its graph and its device before NumPy reads it."""

    def __init__(self, values: Any, device: str = "gpu", graph: bool = True) -> None:
        self._values, self._device, self._graph = np.asarray(values), device, graph
        self.ndim = self._values.ndim

    def detach(self) -> Tensor:
        return Tensor(self._values, self._device, graph=False)

    def cpu(self) -> Tensor:
        return Tensor(self._values, "cpu", self._graph)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, place: int) -> Any:
        return Tensor(self._values[place], self._device, self._graph)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self._graph or self._device != "cpu":
            raise TypeError("a tensor of a graph, or on a GPU")
        return self._values


def _padded(rows: list[list[int]], pad: int) -> np.ndarray[Any, Any]:
    longest = max(map(len, rows))
    return np.array([row + [pad] * (longest - len(row)) for row in rows])


PADDED: dict[str, Any] = {"Tensor": Tensor, "numpy": np.array}
if find_spec("torch"):
    import torch

    PADDED["torch"] = torch.tensor
ROWS = {**PADDED, "pandas": pd.Series}  # a Series has one dimension


@pytest.mark.parametrize("make", ROWS.values(), ids=ROWS)
def test_lists_of_tensors(make: Any) -> None:
    predictions, references = list(map(make, IDS)), list(map(make, REFERENCES))
    assert corpus_bleu(predictions, references).bleu == EXPECTED
    assert corpus_bleu(predictions, [[one] for one in references]).bleu == EXPECTED
    assert corpus_bleu(tuple(predictions), [(one, one) for one in references]).bleu == EXPECTED
    assert corpus_bleu(IDS, references).bleu == EXPECTED


@pytest.mark.parametrize("make", PADDED.values(), ids=PADDED)
def test_padded_rows(make: Any) -> None:
    predictions, labels = make(_padded(IDS, 0)), make(_padded(REFERENCES, -100))
    assert remove_padding(predictions, pad_id=0) == IDS
    assert remove_padding(labels) == REFERENCES
    assert remove_padding(list(map(make, IDS))) == IDS
    assert corpus_bleu(remove_padding(predictions, pad_id=0), remove_padding(labels)).bleu == EXPECTED


def test_several_ids_are_left_out() -> None:
    assert remove_padding([[1, 5, 6, 2, 0, 0], (7, 2), []], pad_id=[0, 1, 2]) == [[5, 6], [7], []]
    assert remove_padding([[[1, 0], [2, -100]], [[3, 0]]], pad_id=0) == [[[1], [2]], [[3]]]
    assert remove_padding(np.zeros((0, 4), int)) == []
    assert remove_padding([np.array([np.int64(3), -100])]) == [[3]]
    assert remove_padding([[np.int32(3), np.int8(-100)]]) == [[3]]


@pytest.mark.parametrize(
    ("ids", "pad_id", "message"),
    [
        ([[[1, 0], 2]], 0, r"ids must be rows of token ids, .*, got 2"),
        ([1, 2], 0, r"ids must be rows of token ids, e.g. \[\[5, 6, 0\], \[7, 0, 0\]\], got 1"),
        ([[1.5]], 0, r"token ids must be integers, got 1.5 \(float\)"),
        ([[True]], 0, r"token ids must be integers, got True \(bool\)"),
        ([[1, [2, 3]]], 0, r"token ids must be integers, got \[2, 3\] \(list\)"),
        ([pd.DataFrame({"a": [1]})], 0, "ids must be rows of token ids"),
        (np.ma.masked, 0, "ids must be rows of token ids"),
        (nested_lists(50_000), 0, "token ids must be integers, got "),
        ([np.ma.array([5, 6], mask=[False, True])], 0, "token ids must be integers, got None"),
        ([[1]], np.ma.masked, "pad_id must be a token id or a list of token ids"),
        ([[1]], "0", "pad_id must be a token id or a list of token ids, e.g. tokenizer.pad_token_id, got '0'"),
    ],
)
def test_what_is_not_ids(ids: Any, pad_id: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        remove_padding(ids, pad_id)


def test_a_negative_id_is_not_a_token() -> None:
    labels = _padded(REFERENCES, -100).tolist()
    for column in (labels, pa.array(labels)):
        message = r"references\[2\] holds -100, which is not a token id; to score texts, pass tokenizer.batch"
        with pytest.raises(ValueError, match=message):
            corpus_bleu(IDS, column)
    with pytest.raises(ValueError, match=r"references\[1\] holds -1, .*bleu_metric.remove_padding\(references,"):
        sentence_bleu(IDS, [REFERENCES[0], [-1], [3]])


def test_padding_is_warned_of() -> None:
    with pytest.warns(UserWarning, match=r"predictions look like padded rows: the id 0 .*remove_padding\(predictions"):
        corpus_bleu(_padded([*IDS[:2], [3]], 0), REFERENCES)
    with pytest.warns(UserWarning, match=r"references look like padded rows: the id 9 occurs only at their ends"):
        corpus_bleu(IDS, list(map(Tensor, _padded([[1, 2, 3, 4], [5], [6, 7]], 9))))
    with pytest.warns(UserWarning, match=r"predictions look like padded rows: the id 0"):  # T5 begins with 0, too
        corpus_bleu([[0, 5, 6, 7, 8, 1, 0, 0], [0, 5, 6, 1, 0, 0, 0, 0]], REFERENCES[:2])
    # Labels of Seq2SeqTrainer without -100
    labels = [[1, 2, 3, 4, 9, 9, 9], [5, 1, 9, 9], [6, 7, 1, 9, 9, 9]]
    with pytest.warns(UserWarning, match=r"references look like padded rows: the id 9 occurs only at their ends"):
        corpus_bleu(IDS, labels)


@pytest.mark.filterwarnings("error")
def test_rows_of_one_length_are_not_all_padded() -> None:
    corpus_statistics([[1, 2, 2, 2], [2, 3, 4, 5]], [[1], [2]])  # an id that is elsewhere, too
    corpus_statistics([[1, 0, 0, 0], [2, 0, 0, 0]], [[1], [2]])  # every text ends alike
    corpus_statistics([[1, 2, 2, 2]], [[1, 2, 2, 2]])
    corpus_statistics([["a", "b", "b", "b"], ["a", "c", "d", "e"]], [["a"], ["b"]])
    corpus_statistics([[1, 2, 2], [3, 4, 5]], [[1], [2]])  # too little to tell
    corpus_statistics([[0, 1, 0, 2], [0, 3, 0, 0]], [[1], [2]])  # an id that stands between others
    corpus_statistics([[1, 7], [3, 4, 7], [5, 6, 7, 7, 7]], [[1], [2], [3]])  # sentences end in ".", and one in "..."


def test_a_tensor_in_the_metric(own_cache: None) -> None:
    metric = bleu_metric.load("default", keep_in_memory=True)
    for prediction, reference in zip(IDS, REFERENCES, strict=True):
        metric.add(prediction=Tensor(prediction), reference=[Tensor(reference)])
    assert metric.compute()["bleu"] == EXPECTED
    assert metric.compute(predictions=list(map(Tensor, IDS)), references=REFERENCES)["bleu"] == EXPECTED


def test_outputs_of_a_model_are_named() -> None:
    logits, states = np.zeros((3, 4, 9)), np.zeros((3, 7, 8))
    with pytest.raises(ValueError, match=r"outputs of a model: pass predictions\[0\]\.argmax\(-1\)"):
        corpus_bleu((logits, states), IDS)
    output = namedtuple("PredictionOutput", "predictions label_ids metrics")
    with pytest.raises(ValueError, match="outputs of a Trainer: pass predictions"):
        corpus_bleu(output(IDS, IDS, {}), [*IDS, [1]])

"""Every documented bad row, by its error; every odd but good row, by its score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from corpora import nested_lists

from bleu_metric import corpus_bleu, corpus_statistics

NAN = float("nan")

LONE_SURROGATE = "a\ud800"
DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None]))
HUGE = 10**5000
FRAME = pd.DataFrame({"text": ["a b c d", "e"]})


# predictions, references, error, its text
BAD: list[tuple[Any, Any, type[Exception], str]] = [
    (["a", "b"], [["a"], [None]], ValueError, r"references\[1\] has no reference; every segment needs at least one"),
    (["a", "b"], [["a"], []], ValueError, r"references\[1\] has no reference"),
    (pa.array(["a", "b"]), pa.array([["a"], [None]]), ValueError, r"references\[1\] has no reference"),
    (pa.array(["a", "b"]), pa.array(["a", None]), ValueError, r"references\[1\] has no reference"),
    ([["a"], []], [[], []], ValueError, r"references\[0\] has no reference"),
    (["a"], ["a", "b"], ValueError, r"each prediction needs one entry .* pass references=\[references\]"),
    ([], [], ValueError, r"there are no predictions to score"),
    (["a", "b", "c"], [["a"], ["b"]], ValueError, r"3 predictions but 2 references; each prediction needs"),
    (
        *(["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]], ValueError),
        r"3 predictions but 2 references; each prediction needs one entry in references. If an entry is missing, add it"
        r". If each entry holds one reference of every segment, as in sacrebleu, pass references=list\(zip\(\*ref",
    ),
    (["a", "b"], pa.array([["a", "b"]]), ValueError, r"list\(zip\(\*references\)\)"),
    ("a b", ["a b"], TypeError, r"predictions must be a list.*got a string \('a b'\); try predictions=\[predictions\]"),
    (["a b"], "a b", TypeError, r"references must be a list.*got a string \('a b'\); try references=\[references\]"),
    ((text for text in ["a"]), ["a"], TypeError, r"predictions must be .* got generator; try"),
    ({"a"}, ["a"], TypeError, r"predictions must be .* got set; a set has no order"),
    (["a"], {0: "a"}, TypeError, r"references must be .* got dict; .* references=list\(references.values\(\)\)"),
    (b"a", ["a"], TypeError, r"got bytes; pass a single segment as a list with one entry: predictions=\[…\]"),
    (5, ["a"], TypeError, r"got int; pass a single segment as a list"),
    (["a", "b"], [NAN, ["a"]], ValueError, r"references\[0\] has no reference"),
    (["a", "b"], ["a", NAN], ValueError, r"references\[1\] has no reference"),
    (["a"], [["a", 1.5]], TypeError, r"references\[0\] holds 1.5 \(float\) where strings are expected"),
    (np.ma.masked_array([1, 2], [0, 1]), ["a", "b"], TypeError, r"predictions\[0\] holds 1 \(int\)"),
    (np.array("a"), ["a"], TypeError, r"predictions must be .* got ndarray"),
    ([1, 2], [1, 2], TypeError, r"predictions\[0\] holds 1 \(int\) where strings are expected"),
    (["a", ["b"]], ["a", "b"], TypeError, r"predictions\[1\] holds \['b'\] \(list\) where strings are expected"),
    ([["a"], "b"], [["a"], ["b"]], TypeError, r"predictions\[1\] holds 'b' \(str\) where lists of tokens"),
    ([["a"], ["b", 1]], [["a"], ["b"]], TypeError, r"predictions\[1\] holds 1 \(int\) where lists of tokens"),
    ([[1], [2, "b"]], [[1], [2]], TypeError, r"predictions\[1\] holds 'b' \(str\) where lists of token ids"),
    ([[1], [2, True]], [[1], [2]], TypeError, r"predictions\[1\] holds True \(bool\) where lists of token ids"),
    (["a", "b"], [["a"], "b"], TypeError, r"references\[1\] holds 'b' \(str\) where lists of references"),
    (["a", "b"], [["a"], ["b", ["c"]]], TypeError, r"references\[1\] holds \['c'\] \(list\) where strings"),
    ([["a"], ["b"]], [[["a"]], [["b"], ["c", 4]]], TypeError, r"references\[1\] holds 4 \(int\) where lists of tokens"),
    ([["a"]], [[1]], TypeError, r"references\[0\] holds 1 \(int\) where lists of tokens"),
    ([[1]], [["a"]], TypeError, r"references\[0\] holds 'a' \(str\) where lists of token ids"),
    (pd.Series(["a", None]), ["a", "b"], TypeError, r"predictions\[1\] holds"),
    (pa.array(["a", None]), ["a", "b"], TypeError, r"predictions\[1\] holds None \(NoneType\)"),
    (DICTIONARY, ["a", "b"], TypeError, r"predictions\[1\] holds None"),
    (["a", "b"], pa.ListArray.from_arrays([0, 1, 2], DICTIONARY), ValueError, r"references\[1\] has no reference"),
    (pa.ListArray.from_arrays([0, 2], DICTIONARY), [["a"]], TypeError, r"predictions\[0\] holds None"),
    (pa.array([[2**63 + 1]], pa.list_(pa.uint64())), [[1]], ValueError, r"predictions\[0\] holds the token id 92233"),
    (pa.array([1, 2]), ["a", "b"], TypeError, r"predictions\[0\] holds 1 \(int\) where strings"),
    (pa.array([{"a": "b"}]), ["a"], TypeError, r"predictions\[0\] holds .* as in item\['a'\]"),
    (["a"], pa.array([[["a"]]]), TypeError, r"references\[0\] holds \['a'\] \(list\) where strings"),
    (pa.array([[["a"]]]), pa.array([["a"]]), TypeError, r"so the arguments are swapped"),
    (["ok", LONE_SURROGATE], ["a", "b"], ValueError, r"predictions\[1\] is not valid Unicode: 'a\\ud800' .* surrogate"),
    (["ok", "b"], [["a"], ["b", LONE_SURROGATE]], ValueError, r"references\[1\] is not valid Unicode"),
    ([[1], [2**63]], [[1], [2]], ValueError, r"predictions\[1\] holds the token id 9223372036854775808, which does"),
    ([b"a"], ["a"], TypeError, r"decode it, as in text\.decode\(\)"),
    ([{"id": 1, "text": "a"}], ["a"], TypeError, r"as in item\['text'\]"),
    (["a"], [iter(["a"])], TypeError, r"pass a list instead"),
    (["a"], pd.DataFrame({"x": ["a"], "y": ["b"]}), TypeError, r"references\.to_numpy\(\)\.tolist\(\)"),
    # Each column of a table was a token
    (FRAME, FRAME, TypeError, r"predictions is a table \(DataFrame\); give one column of it"),
    (pa.table(FRAME), FRAME, TypeError, r"predictions is a table \(Table\)"),
    # "iteration over a 0-d array", "object of type 'float' has no len()"
    ([np.array("a")], ["a"], TypeError, r"predictions\[0\] holds array\('a', dtype='<U1'\) \(ndarray\)"),
    ([["a"]], [[["a"], np.array(0.5)]], TypeError, r"references\[0\] holds 0.5 \(float\)"),
    ([np.array([1.5])], [[1]], TypeError, r"predictions\[0\] holds 1.5 \(float\) where lists of token ids"),
    # pyarrow's "object of type 'NoneType' has no len()"
    (["a", "b"], pa.array([None], pa.list_(pa.string())), ValueError, r"2 predictions but 1 reference;"),
    # RecursionError
    ([nested_lists(100_000)], ["a"], TypeError, r"predictions\[0\] holds "),
    (["a", nested_lists(100_000)], ["a", "a"], TypeError, r"predictions\[1\] holds \[\[\[\[\.\.\.\]\]\]\]"),
    ([["a", nested_lists(100_000)]], [["a b"]], TypeError, r"predictions\[0\] is a list of tokens, but"),
    # "Exceeds the limit (4300 digits) for integer string conversion"
    (["a", HUGE], ["a", "b"], TypeError, r"predictions\[1\] holds <int of 16610 bits> \(int\)"),
    ([[1], [HUGE]], [[1], [2]], ValueError, r"predictions\[1\] holds the token id <int of 16610 bits>, which does"),
    # NumPy's timedelta64 is an integer to NumPy
    ([[np.timedelta64(3, "D")]], [[3]], TypeError, r"predictions\[0\] holds (np|numpy)\.timedelta64\(3,'D'\)"),
]


@pytest.mark.parametrize(("predictions", "references", "error", "text"), BAD)
def test_bad_input(predictions: Any, references: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text) as raised:
        corpus_bleu(predictions, references)
    assert type(raised.value) is error


@pytest.mark.parametrize("missing", [NAN, np.float64("nan"), np.float32("nan"), pd.NA], ids=repr)
def test_a_missing_reference_of_pandas(missing: Any) -> None:
    for text, other in (("a b c d", "a x"), (["a", "b"], ["c"]), ([1, 2], [3])):
        expected = corpus_statistics([text] * 2, [[other], [other] * 2]).table.tolist()
        for references in ([other, missing], [missing, other]):
            assert corpus_statistics([text] * 2, [references, [other] * 2]).table.tolist() == expected
    frame = pd.DataFrame({"one": ["a b c d", "e f g h"], "two": ["a b c d", missing]})
    expected = corpus_bleu(["a b c d", "e f g h"], [["a b c d"] * 2, ["e f g h"]])
    assert corpus_bleu(frame["one"], frame.values.tolist()) == expected


def test_empty_predictions_take_the_kind_of_the_references() -> None:
    for predictions in ([[], []], np.zeros((2, 0), int), pa.array([[], []])):
        score = corpus_bleu(predictions, [[[1, 2]], [[3]]])
        assert (score.bleu, score.reference_length) == (0.0, 3)
    assert corpus_bleu(pa.array([[1, 2]]), pa.array([[[]]])).bleu == 0.0

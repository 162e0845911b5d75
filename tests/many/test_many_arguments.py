"""Wrong arguments of the functions that compare many texts: errors and warnings name the text, list or option."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from bleu_metric import mbr, pairwise_bleu, self_bleu

Wrong = list[tuple[Callable[[], Any], type[Exception], str]]
TEXTS: Wrong = [
    (partial(pairwise_bleu, []), ValueError, r"hypotheses is empty; give at least one text"),
    (partial(pairwise_bleu, [["a"], []]), ValueError, r"hypotheses\[1\] is empty; give at least one text"),
    (partial(pairwise_bleu, "a b"), TypeError, r"hypotheses must be a list, tuple, array or column .* got a string"),
    (partial(pairwise_bleu, [1, 2]), TypeError, r"hypotheses must be a list of strings or of lists of token ids"),
    (partial(pairwise_bleu, ["a", None]), TypeError, r"hypotheses\[1\] holds None"),
    (partial(pairwise_bleu, [["a"], ["b", 3]]), TypeError, r"hypotheses\[1\]\[1\] holds 3 \(int\)"),
    (partial(pairwise_bleu, [["a"], "b"]), TypeError, r"hypotheses\[1\] is 'b', but the other segments are lists"),
    (partial(pairwise_bleu, [["a", "b\ud800"]]), ValueError, r"hypotheses\[0\]\[1\] is not valid Unicode"),
    (partial(pairwise_bleu, [[[1], [2**70]]]), ValueError, r"hypotheses\[0\]\[1\] holds the token id"),
    (partial(pairwise_bleu, ["a"], ["b", None]), TypeError, r"references\[1\] holds None"),
    (partial(pairwise_bleu, ["a"], [["b"]]), TypeError, r"are a list of strings, but references are a batch of list"),
    (partial(pairwise_bleu, [["a"]], [["b"], ["c"]]), ValueError, r"1 segment of hypotheses but 2 of references"),
    (partial(self_bleu, ["a"]), ValueError, r"texts to compare: 1; definition 'zhu-2018' compares each text with"),
    (partial(self_bleu, []), ValueError, r"texts is empty; give at least one text"),
    (partial(self_bleu, ["a", "b", "c"], groups=["x", "x", "y"]), ValueError, r"too few texts of group 'y' .*: 1"),
    (partial(self_bleu, ["a", "b"], groups=["x"]), ValueError, r"groups has 1 label for 2 segments"),
    (partial(self_bleu, ["a", "b", 3, "d"], groups=["x", "y"] * 2), TypeError, r"texts\[2\] holds 3 \(int\)"),
    (
        partial(self_bleu, [1, 2]),
        TypeError,
        r"texts must be a list of strings, of lists of tokens or of lists of token",
    ),
]
OPTIONS: Wrong = [
    (partial(self_bleu, ["a", "b"], "zhu2018"), ValueError, r"unknown definition 'zhu2018' \(did you mean"),
    (partial(self_bleu, ["a", "b"], "shen-2019", smoothing="method5"), ValueError, r"need more than sums"),
    (partial(self_bleu, ["a", "b"], average="sentence"), ValueError, r"Self-BLEU does not accept average: the def"),
    (partial(mbr, ["a", "b"], None, [1.0]), ValueError, r"reference_weights has 1 entries for 2 references"),
    (partial(mbr, ["a", "b"], None, [1.0, float("nan")]), ValueError, r"_weights\[1\] accepts only finite .* got nan"),
    (partial(mbr, ["a", "b"], None, [1.0, float("inf")]), ValueError, r"_weights\[1\] accepts only finite .* got inf"),
    (partial(mbr, ["a", "b"], None, [-0.5, -1.0]), ValueError, r"weights\[0\] is -0.5; .* log-probabilities with exp"),
    (partial(mbr, ["a", "b"], None, [0, 0]), ValueError, r"reference_weights are all 0"),
    (partial(mbr, ["a", "b"], None, [1, "a"]), TypeError, r"reference_weights\[1\] accepts only numbers, got 'a'"),
    (partial(mbr, ["a", "b"], None, "ab"), TypeError, r"reference_weights must be a list, tuple, array or"),
    (partial(mbr, [["a"], ["b"]], None, [[1], [1, 1]]), ValueError, r"reference_weights\[1\] has 2 entries for 1"),
]


@pytest.mark.parametrize(("call", "error", "text"), [*TEXTS, *OPTIONS])
def test_wrong_arguments(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


CHINESE = ["我喜欢在下雨天看着窗外的猫", "我喜欢在下雨天看着窗外的狗"]
PADDED = [[5, 6, 0, 0, 0, 0], [7, 6, 8, 9, 5, 4]]
SENTENCES = [["the cat sat", "a dog barks"], ["the cat sits", "a dog barked"]]
MISTAKES: list[tuple[Callable[..., Any], Any, str]] = [
    (self_bleu, CHINESE, "the texts are Chinese .* pass tokenizer='zh'"),
    (pairwise_bleu, CHINESE, "the hypotheses are Chinese .* pass tokenizer='zh'"),
    (mbr, [CHINESE] * 200, "the candidates are Chinese .* pass tokenizer='zh'"),
    (self_bleu, PADDED, r"texts look like padded rows: the id 0 .*remove_padding\(texts"),
    (mbr, [PADDED], r"candidates look like padded rows: the id 0"),
    (self_bleu, SENTENCES, "counts as one token: pass each text as one string, all in one list, with groups"),
    (self_bleu, [row[:1] for row in SENTENCES], r"counts as one token: pass the strings, as in texts=\[row\[0\]"),
    (mbr, [SENTENCES], "counts as one token: pass each text as one string$"),
]


@pytest.mark.parametrize(("function", "argument", "message"), MISTAKES)
def test_likely_mistakes_are_warned_of_once(function: Callable[..., Any], argument: Any, message: str) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        function(argument)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("function", [self_bleu, pairwise_bleu, mbr])
def test_usual_texts_cause_no_warning(function: Callable[..., Any]) -> None:
    function(CHINESE, tokenizer="zh")
    function(["the cat sat", "the cat sits"])
    function([[5, 6, 7, 8], [7, 6, 5, 8]])

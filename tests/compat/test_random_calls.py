"""Every compat module against its live library: calls have the same answers, types, output and errors."""

from __future__ import annotations

import contextlib
import io
import math
import re
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pytest
from compat.calls import LIBRARIES, Call, Library

# Our warnings of input that looks like a mistake; tests/core/test_mistakes.py and test_modules.py have their tests
MISTAKES = re.compile(
    r"references\[0\] is a list of|references look transposed|the hypothesis is a string|"
    r"the first reference is a string|"
    r"preds is one|target has strings|\d+ predictions? but|reference streams have|"
    r"hypotheses is one string|references is a list of strings|predictions look like padded"
)


class Outcome(NamedTuple):
    """What a call gave: its value, or its error; what it printed, and the first lines of its warnings."""

    value: Any
    error: Exception | None
    printed: str
    warned: list[str]


def outcome(call: Call, module: Any) -> Outcome:
    value, error, printed = None, None, io.StringIO()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        try:
            value = call.make(module)
        except Exception as raised:  # noqa: BLE001 - any error is an outcome
            error = raised
    heads = [str(each.message).strip().split("\n")[0] for each in caught if each.category is UserWarning]
    return Outcome(value, error, printed.getvalue(), [head for head in heads if not MISTAKES.match(head)])


def leaves(value: Any) -> list[Any]:
    """Flatten a value into numbers and texts, with the types, sizes and shapes of what holds them."""
    if type(value).__name__ == "BLEUScore":
        value = vars(value)
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, len(value), *chain.from_iterable(map(leaves, value))]
    if hasattr(value, "dtype"):
        return [str(value.dtype), tuple(value.shape), *leaves(value.tolist())]
    return [value]


def are_same(ours: Any, theirs: Any, tolerance: float) -> bool:
    """Whether two values have the same type and are equal, floats to a relative tolerance. NaN equals NaN."""
    if type(ours).__name__ != type(theirs).__name__:
        return False
    if isinstance(ours, float):
        return math.isclose(ours, theirs, rel_tol=tolerance) or (ours != ours and theirs != theirs)
    return bool(ours == theirs)


def _compare(library: Library, call: Call, ours: Any, theirs: Any) -> str:
    """Compare one call; say what happened, for the count."""
    expected, answer = outcome(call, theirs), outcome(call, ours)
    about = f"{library.name}: {call.about}"
    if expected.error is None:
        assert answer.error is None, (about, answer.error)
        found, right = leaves(answer.value), leaves(expected.value)
        assert len(found) == len(right), (about, found, right)
        assert all(map(partial(are_same, tolerance=library.tolerance), found, right)), (about, found, right)
        assert answer.printed == expected.printed, about
        assert answer.warned == expected.warned, about
        return "equal"
    if type(expected.error) in library.reasons:
        assert type(answer.error) is type(expected.error), (about, expected.error, answer.error)
        return f"both raise {type(expected.error).__name__}"
    assert answer.error is not None, (about, expected.error)
    return f"{type(expected.error).__name__}, ours {type(answer.error).__name__}"


@pytest.mark.parametrize("name", LIBRARIES)
def test_random_calls(name: str, cases: Callable[[int], int], capsys: pytest.CaptureFixture[str]) -> None:
    library, calls = LIBRARIES[name], cases(100)
    theirs, ours = library.import_both()
    seen = Counter(_compare(library, library.draw(np.random.default_rng(seed)), ours, theirs) for seed in range(calls))
    with capsys.disabled():
        print(f"\n  compat.{name}: {calls} calls: {dict(seen)}")
    assert seen["equal"] >= calls / 2


# --- calls that are not drawn ------------------------------------------------------------------------------------

TEXTS = ["the cat sat on the mat", "a dog barks", "it rains"]
TOKENS = [text.split() for text in TEXTS]
REFERENCE_TOKENS = [[["the", "cat", "sat", "on", "a", "mat"]], [["the", "dog", "barks"]], [["it", "rained"]]]
IDS = np.array([[1, 2, 3, 4], [1, 2, 3, 9]]), [[[1, 2, 3, 5]], [[1, 2, 3, 9]]]
PAIR = [["let", "it", "go"]], ["let", "go"]


class Halves:
    """A smoother of ignite: all precisions are 0.5."""

    smooth = "halves"

    def __call__(self, matches: Any, totals: Any) -> list[float]:
        return [0.5] * len(totals)


def _ids_in_ignite(ignite: Any, average: str, rows: int) -> Any:
    metric = ignite.Bleu(ngram=2, average=average)
    metric.update(([[1, 2]], [[[1, 2]]]))
    metric.update((IDS[0][:rows], IDS[1][:rows]))
    return float(metric.compute())


def _changed_ignite(ignite: Any, average: str) -> list[float]:
    scores = []
    for name, value in (("weights", [0.7, 0.15, 0.15]), ("smoother", Halves())):
        metric = ignite.Bleu(ngram=3, smooth="smooth1", average=average)
        setattr(metric, name, value)
        metric.update((TOKENS, REFERENCE_TOKENS))
        scores.append(float(metric.compute()))
    return scores


def _counter_of_ignite(ignite: Any) -> Any:
    """Ignite's own tests count into dicts."""
    matches: Counter[int] = Counter()
    ngrams: Counter[int] = Counter()
    lengths = ignite.Bleu(2)._n_gram_counter([["a b c".split()]], ["a b d".split()], matches, ngrams)
    return lengths, dict(matches), dict(ngrams)


def _changed_sacrebleu(sacrebleu: Any) -> str:
    metric = sacrebleu.BLEU()
    metric._get_closest_ref_len = lambda _length, lengths: max(lengths)
    return str(metric.corpus_score(["a b c d e"], [["a b c d e"], ["a b c d e f g"]]))


def _changed_torchmetrics(torchmetrics: Any) -> list[Any]:
    metric = torchmetrics.SacreBLEUScore(n_gram=1, tokenize="char", lowercase=True)
    values = [metric.tokenizer("The cat."), metric.tokenizer.tokenize("The cat.", "13a")]
    metric.update(["The cat."], [["the cut."]])
    metric.tokenizer = str.split
    metric.update(["a B"], [["a b"]])
    metric.tokenizer = partial(str.split, sep="-")
    metric.update(["a-b"], [["a-c"]])
    metric.smooth = True
    return [*values, float(metric.compute()), metric.numerator.double()]


RARE: dict[str, tuple[str, Callable[[Any], Any]]] = {
    **{
        f"{rows} rows of ids, {average}": ("ignite", partial(_ids_in_ignite, average=average, rows=rows))
        for rows in (0, 2)
        for average in ("micro", "macro")
    },
    **{f"weights, smoother, {one}": ("ignite", partial(_changed_ignite, average=one)) for one in ("micro", "macro")},
    "dicts": ("ignite", _counter_of_ignite),
    "a method of one object": ("sacrebleu", _changed_sacrebleu),
    "tokenizers": ("torchmetrics", _changed_torchmetrics),
    "tokens for texts": ("torchmetrics", lambda module: module.bleu_score([["a", "b"]], [[["a", "b"]]])),
    "no weights": ("nltk", lambda module: module.corpus_bleu([[]], [("a",)], ())),
    # Only a tuple of quarters is reweighed
    "a tuple": ("nltk", lambda module: module.sentence_bleu(*PAIR, (0.25,) * 4, None, True)),
    "a list": ("nltk", lambda module: module.sentence_bleu(*PAIR, [0.25] * 4, None, True)),
}


@pytest.mark.parametrize("name", RARE)
def test_rare_calls(name: str) -> None:
    library, make = RARE[name]
    theirs, ours = LIBRARIES[library].import_both()
    found = _compare(LIBRARIES[library], Call(name, make), ours, theirs)
    assert re.fullmatch(r"equal|both raise \w+|(\w+), ours \1", found)

"""The kernel reads plain lists itself and declines all other rows: no number depends on who reads them."""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from inner_doors import KERNEL, by_arrays_alone, limit_batches, use_engine
from waiting import meanwhile

from bleu_metric import BleuStatistics, corpus_bleu, corpus_statistics, sentence_bleu

needs_kernel = pytest.mark.skipif(KERNEL is None, reason="the compiled kernel is not installed")
pytestmark = needs_kernel


@pytest.fixture(autouse=True)
def native(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel counts, also where the rest of the run is on the NumPy engine."""
    use_engine(monkeypatch, "native")


WORDS = [*"the cat sat on a mat 1.5 Ünder 中文 long-word-of-many-bytes it's &".split(), "x" * 70]
KINDS: dict[str, Callable[[list[int]], Any]] = {
    "text": lambda ids: " ".join(WORDS[number] for number in ids),
    "tokens": lambda ids: [WORDS[number] for number in ids],
    "ids": lambda ids: ids,
}


class Text(str):
    """A string that is not exactly a `str`."""


# A row -> an equal row that the kernel does not read: for each kind, other types of the same value
UNUSUAL: dict[str, Callable[[Any], Any]] = {
    "text": Text,
    "tokens": lambda tokens: np.array(tokens, object),
    "ids": lambda ids: np.array(ids, np.int32),
}


def draw_corpus(kind: str, rows: int, most_references: int, seed: int = 1) -> tuple[list[Any], list[list[Any]]]:
    rng = np.random.default_rng(seed)
    as_row = KINDS[kind]

    def text() -> Any:
        return as_row(rng.integers(len(WORDS), size=rng.integers(0, 12)).tolist())

    predictions = [text() for _ in range(rows)]
    references = [[text() for _ in range(rng.integers(1, most_references + 1))] for _ in range(rows)]
    predictions[0] = as_row([1, 2, 3])  # shows the kind
    return predictions, references


def assert_equal_statistics(left: BleuStatistics, right: BleuStatistics) -> None:
    np.testing.assert_array_equal(left.table, right.table)
    assert (left.nrefs, left.is_sum, left.config) == (right.nrefs, right.is_sum, right.config)


@pytest.mark.parametrize("place", [0, 14])  # in the first batch, and in the next
@pytest.mark.parametrize("side", ["predictions", "references"])
@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_the_kernel_declines(kind: str, side: str, place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions, references = draw_corpus(kind, 30, 2)
    expected = corpus_statistics(predictions, references)
    limit_batches(monkeypatch, 10)
    if side == "predictions":
        predictions[place] = UNUSUAL[kind](predictions[place])
    else:
        references[place] = [None, *map(UNUSUAL[kind], references[place])]
    assert_equal_statistics(corpus_statistics(predictions, references), expected)


@pytest.mark.parametrize("place", [0, 14])
@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        *(("text", wrong) for wrong in (5, None, "\ud800")),
        *(("tokens", wrong) for wrong in (["a", 5], "a")),
        *(("ids", wrong) for wrong in ([-100], [2**63], [True], [1.0])),
    ],
)
def test_errors_are_those_of_the_other_readers(
    kind: str, wrong: Any, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    predictions, references = draw_corpus(kind, 30, 2)
    predictions[0] = KINDS[kind]([1, 2, 3])
    references[place] = [wrong] if wrong is not None else [None]
    limit_batches(monkeypatch, 10)
    with pytest.raises((TypeError, ValueError)) as found:
        corpus_bleu(predictions, references)
    with by_arrays_alone(), pytest.raises((TypeError, ValueError)) as expected:
        corpus_bleu(predictions, references)
    assert (found.type, str(found.value)) == (expected.type, str(expected.value))


@pytest.mark.parametrize("kind", KINDS)
def test_lists_that_change_during_a_call_do_no_harm(kind: str) -> None:
    predictions, references = draw_corpus(kind, 400, 2)
    rng = np.random.default_rng(3)

    def change() -> None:
        row = int(rng.integers(len(predictions)))
        predictions[row], references[row] = (
            KINDS[kind](rng.integers(13, size=9).tolist()),
            [KINDS[kind]([1, 2, row % 13])],
        )
        references[row].append(KINDS[kind]([4, 5]))
        references[row].clear()
        references[row].append(KINDS[kind]([row % 13]))
        if row == 7:
            references[row] = [object()]

    with meanwhile(change):
        for _ in range(100):
            with contextlib.suppress(TypeError, ValueError, RuntimeError):  # errors about rows
                corpus_statistics(predictions, references)
    predictions, references = draw_corpus(kind, 400, 2)
    assert len(corpus_statistics(predictions, references)) == 400


def test_repeated_calls_leak_nothing() -> None:
    calls = {kind: draw_corpus(kind, 20, 2) for kind in KINDS}
    wrong: tuple[Any, Any] = (["a", "b"], ["a", 5])

    def call() -> None:
        for corpus in calls.values():
            corpus_bleu(*corpus)
            sentence_bleu(*corpus)
        with pytest.raises(TypeError):
            corpus_bleu(*wrong)

    # Caches of Python and of its adaptive interpreter grow in the first rounds. A leak grows in every round
    growths = []
    for _ in range(6):
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(100):
            call()
        gc.collect()
        growths.append(sys.getallocatedblocks() - before)
    assert min(growths) < 100


COLD = """
import sys
from bleu_metric import corpus_bleu
texts = ["the cat sat on the mat", "a dog"] * 100
words, ids = [text.split() for text in texts], [[1, 2, 3, 4, 5]] * 200
for rows in (texts, words, ids):
    assert corpus_bleu(rows, [[row] for row in rows]).bleu == 1
print([name for name in ("numpy", "pyarrow", "pandas", "importlib.metadata") if name in sys.modules])
"""


def test_a_corpus_score_of_lists_needs_no_arrays() -> None:
    environment = {**os.environ, "BLEU_METRIC_ENGINE": "native"}
    answer = subprocess.run([sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"

"""An accumulator gives the score of all batches together; in two processes of torch.distributed, too."""

from __future__ import annotations

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from corpora import PREDICTIONS, REFERENCES
from torch_run import run_script

from bleu_metric import Accumulator, corpus_bleu, corpus_statistics


def _updated(accumulator: Accumulator, times: int = 1) -> Accumulator:
    for _ in range(times):
        for prediction, references in zip(PREDICTIONS, REFERENCES, strict=True):
            accumulator.update([prediction], [references])
    return accumulator


OPTIONS: list[dict[str, Any]] = [{}, {"average": "sentence"}, {"smoothing": "method5"}]


@pytest.mark.parametrize("options", OPTIONS)
def test_batches_score_as_all_texts(options: dict[str, Any]) -> None:
    expected = corpus_bleu(PREDICTIONS, REFERENCES, **options)
    accumulator = _updated(Accumulator(**options))
    assert accumulator.score() == expected
    assert accumulator.score() == expected
    accumulator.reset()
    assert accumulator.statistics.nrefs == (0, 0)
    with pytest.raises(ValueError, match="these statistics have no segments to score"):
        accumulator.score()
    assert _updated(accumulator).score() == expected


def test_threads_lose_no_batch() -> None:
    accumulator, part, switch = Accumulator(max_order=1), Accumulator(max_order=1), sys.getswitchinterval()
    part.update(["a b"], ["a c"])

    def work(_thread: int) -> None:
        for _ in range(300):
            accumulator.update(["a b c"], ["a c"])
            accumulator.merge(part)

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
    finally:
        sys.setswitchinterval(switch)
    assert accumulator.score().translation_length == 8 * 300 * 5


@pytest.mark.parametrize("options", OPTIONS)
def test_merging_and_copies(options: dict[str, Any]) -> None:
    first, second = Accumulator(**options), Accumulator(**options)
    first.update(PREDICTIONS[:2], REFERENCES[:2])
    second.update(PREDICTIONS[2:], REFERENCES[2:])
    expected = corpus_bleu(PREDICTIONS, REFERENCES, **options)
    for own in (copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        own.merge(second)
        own.merge(Accumulator(**options))  # nothing, which has no last segment
        assert own.score() == expected
    own.merge(corpus_statistics(PREDICTIONS, REFERENCES, **options))
    assert own.score().counts == [2 * count for count in expected.counts]
    assert first.score() == corpus_bleu(PREDICTIONS[:2], REFERENCES[:2], **options)


def test_what_does_not_add_up() -> None:
    accumulator = _updated(Accumulator())
    before = accumulator.score()
    for wrong in (Accumulator("nltk"), corpus_statistics(["a"], ["a"], max_order=2)):
        with pytest.raises(ValueError, match="counted in different ways cannot be added"):
            accumulator.merge(wrong)
        with pytest.raises(ValueError, match="counted in different ways cannot be added"):
            Accumulator().merge(wrong)
    with pytest.raises(ValueError, match=r"different ways cannot be added: tokenizer: 13a != none"):
        accumulator.update([[1, 2]], [[1, 2]])
    with pytest.raises(TypeError, match=r"other must be an Accumulator or BleuStatistics, got 5 \(int\)"):
        accumulator.merge(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"references\[0\] has no reference"):
        accumulator.update(["a"], [[]])
    with pytest.raises(TypeError, match="unknown option 'smoth'"):
        Accumulator(smoth="exp")  # type: ignore[call-arg]
    assert accumulator.score() == before


@pytest.mark.heavy
def test_two_processes_count_as_one() -> None:
    pytest.importorskip("torch", reason='torch is not installed: pip install "bleu_metric[trainer]"')
    from tests.scale.two_accumulators import REFERENCES as MANY
    from tests.scale.two_accumulators import TEXTS

    alone, together = (run_script("scale/two_accumulators.py", processes) for processes in (1, 2))
    assert together.pop("error").startswith("the processes counted in different ways: give every Accumulator the same")
    assert together == alone
    expected = corpus_bleu(TEXTS, MANY, "sacrebleu")
    assert together["texts"][0] == expected.bleu
    assert together["texts"][2] == expected.signature
    assert together["one process"][0].startswith("nrefs:1|tok:none|")

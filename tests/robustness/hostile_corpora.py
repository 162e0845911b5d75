"""Corpora that anyone might pass, asked of every way to score a corpus and of the metric object."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pyarrow as pa
import pytest
from hostile import answers, corpora, expected, frozen, not_for_arrow, plain, refusal
from hypothesis import strategies as st
from inner_doors import textbook

import bleu_metric
from bleu_metric import (
    BleuScore,
    corpus_bleu,
    corpus_statistics,
    evaluate_dataset,
    explain_difference,
    score,
    score_dialects,
    score_systems,
    sentence_bleu,
    system_statistics,
)

Draw = Callable[[Any], Any]


FOLDER = Path(bleu_metric.__file__).parent


SPLIT: dict[str, Callable[[str], Any]] = {
    "none": str.split,
    "whitespace": str.split,
    "char": lambda text: list("".join(text.split())),
}


GOOD = ["the cat sat on the mat", "a b c d e"], [["the cat sat on a mat", "a cat"], ["a b c d"]]


def parts(result: BleuScore) -> tuple[Any, float]:
    return (result.counts, result.totals, result.translation_length, result.reference_length), float(result.bleu)


def same(found: tuple[Any, float], right: tuple[Any, float]) -> bool:
    return found[0] == right[0] and math.isclose(found[1], right[1], rel_tol=1e-12, abs_tol=0)


def one_of(draw: Draw, *values: Any) -> Any:
    return values[draw(st.integers(0, len(values) - 1))]


def ended_in(ask: Callable[[], object], right: Callable[[Any], bool] = lambda _: True) -> str:
    """Ask; the answer has to be right, or the error clear."""
    try:
        found = ask()
    except Exception as error:  # noqa: BLE001
        return refusal(error)
    assert right(found), found
    return "right number"


def _from_data_set(predictions: Any, references: Any, **options: Any) -> tuple[Any, float]:
    def column(rows: Any) -> Any:
        if not isinstance(rows, (list, tuple)):
            return rows
        in_arrow = pa.array(rows)
        assert repr(plain(in_arrow)) == repr(plain(rows))  # Arrow reads bytes beside strings as strings, and the like
        return in_arrow

    kinds = (list, tuple, pa.Array, pa.ChunkedArray)
    if not all(isinstance(rows, kinds) and not not_for_arrow(rows) for rows in (predictions, references)):
        return parts(corpus_bleu(predictions, references, **options))
    try:
        data = datasets.Dataset(pa.table({"p": column(predictions), "r": column(references)}))
        assert len(data)
        assert "double" not in str(
            data.features.arrow_schema
        )  # Arrow takes empty arrays of floats for a column of floats
    except Exception:  # noqa: BLE001
        return parts(corpus_bleu(predictions, references, **options))  # no data set has such columns
    return parts(evaluate_dataset(data, "p", "r", batch_size=2, **options))


def _explained(predictions: Any, references: Any, **options: Any) -> tuple[Any, float]:
    result = corpus_bleu(predictions, references, **options)
    return parts(result)[0], explain_difference(predictions, references, "sacrebleu", "nltk", **options).start


WAYS: dict[str, Callable[..., tuple[Any, float]]] = {
    "corpus_bleu": lambda p, r, **options: parts(corpus_bleu(p, r, **options)),
    "corpus_statistics": lambda p, r, **options: parts(score(corpus_statistics(p, r, **options))),
    "score_dialects": lambda p, r, **options: parts(
        score_dialects(p, r, ["nltk", "sacrebleu"], **options)["sacrebleu"]
    ),
    "score_systems": lambda p, r, **options: parts(score_systems({"A": p, "B": p}, r, **options)["B"]),
    "system_statistics": lambda p, r, **options: parts(score(system_statistics({"A": p}, r, **options)["A"])),
    "explain_difference": _explained,
    "evaluate_dataset": _from_data_set,
}


def ask_for_a_corpus(draw: Draw) -> str:
    predictions, references = draw(corpora())
    tokenizer, max_order = draw(st.sampled_from(sorted(SPLIT))), draw(st.sampled_from([1, 2, 4, 4, 9, 1000]))
    way = draw(st.sampled_from(sorted(WAYS)))
    should = expected(predictions, references, SPLIT[tokenizer])
    before = frozen(predictions), frozen(references)
    try:
        found = WAYS[way](predictions, references, tokenizer=tokenizer, max_order=max_order)
    except Exception as error:  # noqa: BLE001
        kind = refusal(error, should.rows)
        assert _may_be(error, should) or not should.readings, error  # noqa: PT017
        return kind
    finally:
        assert before == (frozen(predictions), frozen(references))
    right = list(answers(should.readings, max_order))
    assert any(same(found, one) for one in right), (found, right)
    return "right number"


def _may_be(error: Exception, should: Any) -> bool:
    """Whether rows that could be read may be refused; a first reference of tokens with spaces is taken for a mistake."""
    firsts = [references[0][0] for _, references in should.readings]
    spaced = any(all(isinstance(token, str) and " " in token for token in first) for first in firsts)
    return should.may_refuse or (spaced and "is a list of strings with spaces" in str(error))


def ask_for_sentences(draw: Draw) -> str:
    predictions, references = draw(corpora())
    should = expected(predictions, references, str.split)
    try:
        found = sentence_bleu(predictions, references, tokenizer="none", max_order=2)
    except Exception as error:  # noqa: BLE001
        kind = refusal(error, should.rows)
        assert _may_be(error, should) or not should.readings, error  # noqa: PT017
        return kind
    right = [
        [textbook.corpus_bleu([text], [texts], [0.5, 0.5]) for text, texts in zip(*reading, strict=True)]
        for reading in should.readings
    ]
    assert any(found.tolist() == pytest.approx(one, rel=1e-12, abs=0) for one in right), (found, right)
    return "right number"


def _metric(cache: Path) -> Any:
    return evaluate.load(str(FOLDER), cache_dir=str(cache))


def _fails(_: str) -> Any:
    raise LookupError("of the tokenizer's own")


LATE: list[dict[str, Any]] = [{"groups": ["a"] * 99}, {"groups": 5}, {"tokenizer": _fails}, {"tokenizer": len}]


SOON: list[dict[str, Any]] = [
    *[{"confidence": value} for value in (0, 95, "high", True, float("nan"))],
    *[{"smooth": True}, {"max_order": 0}, {"confidence": 0.9, "n_resamples": 0}, {"seed": -1}, {"sentence_scores": 1}],
]


class OneMetric:
    """One metric object that meets all cases, and has to score right after each."""

    def __init__(self, cache: Path) -> None:
        self.cache, self.metric = cache, _metric(cache)

    def ask(self, draw: Draw) -> str:
        """Stage good and bad batches in any order, score in good and bad ways; what was staged well must be scored."""
        metric, staged, ended = self.metric, ([], []), Counter[str]()
        if len(metric):
            metric.compute()  # Hypothesis broke off the case before
        for _ in range(draw(st.integers(1, 3))):
            step = draw(st.integers(0, 5))
            if step == 0:
                metric.add(prediction=GOOD[0][0], reference=GOOD[1][0])
                staged[0].append(GOOD[0][0].split()), staged[1].append([text.split() for text in GOOD[1][0]])
            elif step == 1:
                options = draw(st.sampled_from(SOON))
                ended[ended_in(lambda options=options: metric.compute(**options), lambda _: False)] += 1
            elif step == 2:
                options = draw(st.sampled_from(LATE))
                ended[self._late(options)] += 1
                staged = staged if "groups" in options else ([], [])
            else:
                ended[self._batch(draw, staged)] += 1
        metric.add_batch(predictions=GOOD[0], references=GOOD[1])
        staged[0].extend(text.split() for text in GOOD[0])
        staged[1].extend([text.split() for text in texts] for texts in GOOD[1])
        result = metric.compute(tokenizer="none")
        found = (result["counts"], result["totals"], result["translation_length"], result["reference_length"])
        assert same((found, result["bleu"]), next(answers([staged], 4)))
        assert self.left() == [], self.left()
        return max(ended, default="right number", key=lambda kind: (kind != "right number", kind))

    def _late(self, options: dict[str, Any]) -> str:
        """Ask for what cannot be done with the rows.

        Where that shows only while scoring, nothing stays staged, or what was staged before would be unknown.
        """
        try:
            self.metric.compute(predictions=GOOD[0], references=GOOD[1], **options)
        except LookupError:
            return "error of the tokenizer"
        except Exception as error:  # noqa: BLE001
            return refusal(error)
        raise AssertionError("no error")

    def _batch(self, draw: Draw, staged: Any) -> str:
        predictions, references = draw(corpora())
        should = expected(predictions, references, str.split)
        texts = [(own, refs) for own, refs in should.readings if self._are_texts(predictions)]
        try:
            self.metric.add_batch(predictions=predictions, references=references)
        except Exception as error:  # noqa: BLE001
            kind = refusal(error) if " were staged: one score" in str(error) else refusal(error, should.rows)
            assert _may_be(error, should) or not texts or staged[0], error  # noqa: PT017
            return kind
        if not texts:  # tokens or ids, which do not go with the texts of this test
            assert should.readings
            self.metric.compute()
            staged[0].clear(), staged[1].clear()
            return "right number"
        staged[0].extend(texts[0][0]), staged[1].extend(texts[0][1])
        return "right number"

    @staticmethod
    def _are_texts(predictions: Any) -> bool:
        rows = predictions.to_pylist() if isinstance(predictions, (pa.Array, pa.ChunkedArray)) else predictions
        return all(isinstance(row, str) for row in rows)

    def left(self) -> list[str]:
        """Files that are left of earlier scores, but for those that evaluate leaves after a good one."""
        return [path.name for path in self.cache.rglob("*.arrow")]

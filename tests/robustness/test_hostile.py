"""Whatever is passed to whatever is public ends in the right number, or in one clear error; nothing is left behind.

    pytest tests/robustness/test_hostile.py --cases 100000

Every entry of `ENTRIES` draws one case, asks the package, judges the answer by itself, and says how it ended. An error
is clear if a `raise` of the package made it, with a short text that names the row at fault (`hostile.refusal`).
"""

from __future__ import annotations

import math
import threading
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import evaluate
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hostile import CONTAINERS, answers, corpora, dressed, expected, frozen, junk, not_for_arrow, refusal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bleu_metric
from bleu_metric import (
    DIALECTS,
    BleuConfig,
    BleuScore,
    BleuStatistics,
    bootstrap,
    compute_metrics,
    corpus_bleu,
    corpus_statistics,
    evaluate_dataset,
    explain_difference,
    length_groups,
    load_groups,
    paired_bootstrap,
    paired_randomization,
    plot,
    preprocess_logits,
    ray_statistics,
    report,
    reward,
    save_groups,
    score,
    score_dialects,
    score_groups,
    score_systems,
    sentence_bleu,
    spark_statistics,
    system_statistics,
)
from bleu_metric import _textbook as reference
from bleu_metric._config import CHOICES, OPTIONS
from bleu_metric.cli.files import read_column, read_corpus
from bleu_metric.scale.partial import check_job, count_table, to_totals

Draw = Callable[[Any], Any]
FOLDER = Path(bleu_metric.__file__).parent
SPLIT: dict[str, Callable[[str], Any]] = {
    "none": str.split,
    "whitespace": str.split,
    "char": lambda text: list("".join(text.split())),
}
GOOD = ["the cat sat on the mat", "a b c d e"], [["the cat sat on a mat", "a cat"], ["a b c d"]]
RIGHT = next(answers([([text.split() for text in GOOD[0]], [[ref.split() for ref in refs] for refs in GOOD[1]])], 4))
STATISTICS = corpus_statistics(*GOOD, max_order=2)


def _parts(result: BleuScore) -> tuple[Any, float]:
    return (result.counts, result.totals, result.translation_length, result.reference_length), float(result.bleu)


def _same(found: tuple[Any, float], right: tuple[Any, float]) -> bool:
    return found[0] == right[0] and math.isclose(found[1], right[1], rel_tol=1e-12, abs_tol=0)


def _one_of(draw: Draw, *values: Any) -> Any:
    return values[draw(st.integers(0, len(values) - 1))]


def _ended(ask: Callable[[], object], right: Callable[[Any], bool] = lambda _: True) -> str:
    """Ask; the answer has to be right, or the error clear."""
    try:
        found = ask()
    except Exception as error:  # noqa: BLE001
        return refusal(error)
    assert right(found), found
    return "right number"


# --- ways to score a corpus -------------------------------------------------------------------------------------------


def _from_data_set(predictions: Any, references: Any, **options: Any) -> tuple[Any, float]:
    def column(rows: Any) -> Any:
        return pa.array(rows) if isinstance(rows, (list, tuple)) else rows

    kinds = (list, tuple, pa.Array, pa.ChunkedArray)
    if not all(isinstance(rows, kinds) and not not_for_arrow(rows) for rows in (predictions, references)):
        return _parts(corpus_bleu(predictions, references, **options))
    try:
        data = datasets.Dataset(pa.table({"p": column(predictions), "r": column(references)}))
        assert len(data)
        assert "double" not in str(
            data.features.arrow_schema
        )  # Arrow takes empty arrays of floats for a column of floats
    except Exception:  # noqa: BLE001
        return _parts(corpus_bleu(predictions, references, **options))  # no data set has such columns
    return _parts(evaluate_dataset(data, "p", "r", batch_size=2, **options))


def _explained(predictions: Any, references: Any, **options: Any) -> tuple[Any, float]:
    parts = corpus_bleu(predictions, references, **options)
    return _parts(parts)[0], explain_difference(predictions, references, "default", "nltk", **options).start


WAYS: dict[str, Callable[..., tuple[Any, float]]] = {
    "corpus_bleu": lambda p, r, **options: _parts(corpus_bleu(p, r, **options)),
    "corpus_statistics": lambda p, r, **options: _parts(score(corpus_statistics(p, r, **options))),
    "score_dialects": lambda p, r, **options: _parts(score_dialects(p, r, ["nltk", "default"], **options)["default"]),
    "score_systems": lambda p, r, **options: _parts(score_systems({"A": p, "B": p}, r, **options)["B"]),
    "system_statistics": lambda p, r, **options: _parts(score(system_statistics({"A": p}, r, **options)["A"])),
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
    assert any(_same(found, one) for one in right), (found, right)
    return "right number"


def _may_be(error: Exception, should: Any) -> bool:
    """Whether rows that could be read may be refused; a first reference of tokens with spaces is taken for a mistake."""
    spaced = any(all(" " in token for token in references[0][0]) for _, references in should.readings)
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
        [reference.corpus_bleu([text], [texts], [0.5, 0.5]) for text, texts in zip(*reading, strict=True)]
        for reading in should.readings
    ]
    assert any(found.tolist() == pytest.approx(one, rel=1e-12, abs=0) for one in right), (found, right)
    return "right number"


# --- the metric object ------------------------------------------------------------------------------------------------


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
        if metric.writer is not None or metric.held:
            metric.compute()  # Hypothesis broke off the case before
        for _ in range(draw(st.integers(1, 3))):
            step = draw(st.integers(0, 5))
            if step == 0:
                metric.add(prediction=GOOD[0][0], reference=GOOD[1][0])
                staged[0].append(GOOD[0][0].split()), staged[1].append([text.split() for text in GOOD[1][0]])
            elif step == 1:
                options = draw(st.sampled_from(SOON))
                ended[_ended(lambda options=options: metric.compute(**options), lambda _: False)] += 1
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
        assert _same((found, result["bleu"]), next(answers([staged], 4)))
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


# --- options ----------------------------------------------------------------------------------------------------------


def _option_value(draw: Draw, name: str) -> Any:
    if draw(st.booleans()):
        return draw(junk())
    if name in CHOICES:
        return draw(st.sampled_from(CHOICES[name]))
    if name == "max_order":
        return _one_of(draw, 1, 2, 3, 4, 5, 1000, np.int32(2), 10_001, 10**9)
    numbers = st.sampled_from([0, 0.0, 1, 0.25, -0.5, 1e-300, 1e300, -1e300, float("nan"), float("inf"), 2**2000])
    if name == "smoothing_value":
        return draw(numbers)
    weights = st.lists(numbers, max_size=5)
    return draw(st.one_of(weights, weights.map(np.array), st.lists(weights, max_size=2), weights.map(tuple)))


def _options(draw: Draw) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from([*OPTIONS, *OPTIONS, "smooth", "Tokenizer", ""]), max_size=3, unique=True))
    return {name: _option_value(draw, name) for name in names}


def _is_a_score(result: BleuScore) -> bool:
    scores = result.bleu if isinstance(result.bleu, list) else [result.bleu]
    return bool(scores) and all(math.isfinite(one) and one >= 0 for one in scores)


def ask_with_options(draw: Draw) -> str:
    options, dialect = _options(draw), draw(st.sampled_from([*DIALECTS, *DIALECTS, "nlkt", 5, None, ["nltk"]]))
    if callable(options.get("tokenizer")):
        options["tokenizer"] = _one_of(draw, len, list, str, lambda text: [text, "\ud800"], str.split)
    if isinstance(options.get("tokenizer"), str) and options["tokenizer"] in CHOICES["tokenizer"][6:]:
        del options["tokenizer"]  # needs a model
    before = frozen(options)
    kind = _ended(lambda: corpus_bleu(*GOOD, dialect, **options), _is_a_score)
    if kind == "right number":
        config = BleuConfig() if dialect == "default" else DIALECTS[dialect]
        config = config.with_options(options)
        assert callable(config.tokenizer) or BleuConfig.from_signature(config.signature()) == config
        if set(options) <= {"max_order", "weights"} and dialect == "nltk" and not config.has_many_weights:
            tokens = [text.split() for text in GOOD[0]], [[ref.split() for ref in refs] for refs in GOOD[1]]
            plain = reference.corpus_bleu(*tokens, config.weight_lists()[0])
            found = corpus_bleu(*GOOD, tokenizer="none", weights=config.weights, max_order=config.max_order).bleu
            assert found == pytest.approx(plain, rel=1e-12, abs=0)
    assert before == frozen(options)
    return kind


def ask_for_a_configuration(draw: Draw) -> str:
    base = DIALECTS[draw(st.sampled_from(sorted(DIALECTS)))]
    if draw(st.integers(0, 9)) == 0:
        return _ended(lambda: base.with_options(draw(junk())))
    options = _options(draw)

    def kept(config: BleuConfig) -> bool:
        return callable(config.tokenizer) or BleuConfig.from_signature(config.signature()) == config

    return _ended(lambda: base.with_options(options), kept)


PIECES = ["", "|", ":", "tok", "13a", "order", "4", "9" * 5000, "weights", "nan", "1,", ";", "[", "smooth", "exp", "²"]


def ask_for_a_signature(draw: Draw) -> str:
    if draw(st.integers(0, 9)) == 0:
        return _ended(lambda: BleuConfig.from_signature(draw(junk())))
    text = DIALECTS[draw(st.sampled_from(sorted(DIALECTS)))].signature()
    for _ in range(draw(st.integers(1, 3))):
        first, last = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        last = min(last, first + 12)
        text = text[:first] + draw(st.sampled_from([*PIECES, *DIALECTS])) + text[last:]
    return _ended(lambda: BleuConfig.from_signature(text), lambda config: isinstance(config.signature(), str))


# --- statistics -------------------------------------------------------------------------------------------------------


def _argument(draw: Draw, *good: Any) -> Any:
    return _one_of(draw, *good) if draw(st.integers(0, 3)) else draw(junk())


def _of_a_table(draw: Draw) -> BleuStatistics:
    table = STATISTICS.to_table()
    for _ in range(draw(st.integers(0, 2))):
        table = _spoiled(draw, table)
    config = _argument(draw, None, None, STATISTICS.config, BleuConfig())
    return BleuStatistics.from_table(table, config)


def _spoiled(draw: Draw, table: pa.Table) -> pa.Table:
    place = draw(st.integers(0, max(0, table.num_columns - 1)))
    metadata = dict(table.schema.metadata or {})
    if metadata:
        metadata[draw(st.sampled_from(sorted(metadata)))] = draw(st.binary(max_size=9))
    numbers = draw(st.lists(st.integers(-3, 2**63 - 1), min_size=len(table), max_size=len(table)))
    name = table.column_names[place] if table.num_columns else "x"
    changes: list[Callable[[], pa.Table]] = [
        lambda: table.replace_schema_metadata(metadata),
        lambda: table.replace_schema_metadata(None),
        lambda: table.slice(1),
        lambda: table.slice(0, 0),
        lambda: pa.concat_tables([table, table]),
        lambda: table.set_column(place, name, pa.array(numbers, pa.int64())),
        lambda: table.set_column(place, name, pa.nulls(len(table), pa.int64())),
        lambda: table.set_column(place, name, pa.array(list(map(str, numbers)))),
        lambda: table.set_column(place, name, pa.array(numbers, pa.uint64())),
        lambda: table.remove_column(place),
        lambda: table.append_column(name, pa.array(numbers, pa.int64())),
        lambda: table.rename_columns(table.column_names[::-1]),
    ]
    try:
        return draw(st.sampled_from(changes))()
    except (pa.ArrowException, OverflowError, IndexError):
        return table


def _index(draw: Draw) -> Any:
    picked = (slice(0, 1), slice(None, None, -1), [0, 1, 1], [True, False], np.array([1]), np.array([True, False]), [9])
    rows = _argument(draw, *picked)
    try:
        return STATISTICS[rows]
    except IndexError:  # as of a list
        return STATISTICS


RANDOM: dict[str, Callable[[Draw], Any]] = {
    "bootstrap": lambda draw: bootstrap(
        _argument(draw, STATISTICS, STATISTICS, STATISTICS.total(), STATISTICS[:0]),
        **_few(draw, n_resamples=(1, 40), seed=(0, 2**200), confidence=(0.5, 0.95), progress=(None, print_nothing)),
    ),
    "paired_bootstrap": lambda draw: paired_bootstrap(STATISTICS, _systems(draw), **_tests(draw, n_resamples=(1, 40))),
    "paired_randomization": lambda draw: paired_randomization(
        STATISTICS, _systems(draw), **_tests(draw, n_resamples=(1, 40), n_trials=(1, 40))
    ),
    "length_groups": lambda draw: length_groups(
        _argument(draw, STATISTICS), _argument(draw, [1, 9], (5,), np.arange(3))
    ),
    "score_groups": lambda draw: score_groups(_argument(draw, STATISTICS), _labels(draw)),
    "BleuStatistics.by": lambda draw: STATISTICS.by(_labels(draw)),
    "score": lambda draw: score(_argument(draw, STATISTICS, STATISTICS[:0], STATISTICS.total())),
    "citation": lambda draw: score(STATISTICS).citation(
        _argument(draw, None, bootstrap(STATISTICS, 3)), _argument(draw, 0, 1, 17)
    ),
    "BleuStatistics": lambda draw: BleuStatistics(
        _argument(draw, STATISTICS.table, STATISTICS.table[0], np.zeros((2, 3), np.int64)),
        _argument(draw, STATISTICS.config),
    ),
    "BleuStatistics.from_table": _of_a_table,
    "from_table of junk": lambda draw: BleuStatistics.from_table(draw(junk())),
    "BleuStatistics[…]": _index,
    "BleuStatistics + …": lambda draw: (
        STATISTICS + _one_of(draw, STATISTICS, STATISTICS.total(), corpus_statistics(*GOOD))
    ),
    "DIALECTS": lambda draw: score_dialects(*GOOD, _argument(draw, ["nltk"], ("default", "nltk"), "nltk", ["x"])),
    "systems": lambda draw: score_systems(
        _argument(draw, {"A": GOOD[0]}, {}, {"A": GOOD[0], 5: [["a"], ["b"]]}, {None: GOOD[0]}), GOOD[1]
    ),
    "corpus_bleu(groups=…)": lambda draw: corpus_bleu(*GOOD, groups=_labels(draw)),
}


def print_nothing(_done: int, _total: int) -> None:
    """Take progress."""


def _few(draw: Draw, **choices: Any) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from(sorted(choices)), max_size=2, unique=True))
    arguments = {name: _argument(draw, *choices[name]) for name in names}
    for name in ("n_resamples", "n_trials"):
        number = arguments.get(name, 20) if name in choices else 0
        if name in choices and (name not in arguments or (isinstance(number, (int, np.integer)) and number > 40)):
            arguments[name] = 20  # large numbers are right, and slow
    return arguments


def _tests(draw: Draw, **choices: Any) -> dict[str, Any]:
    names = ("baseline", "system", "")
    return _few(draw, seed=(0, 5), p_values=("two-sided", "sacrebleu", "both"), baseline_name=names, **choices)


def _systems(draw: Draw) -> Any:
    other = corpus_statistics(GOOD[0][::-1], GOOD[1], max_order=2)
    good = (other, {"A": other, "B": STATISTICS}, [other], {}, [STATISTICS[:1]], {5: other}, STATISTICS.total())
    return _argument(draw, *good)


def _labels(draw: Draw) -> Any:
    labels = draw(
        st.lists(st.one_of(st.sampled_from(["a", "b", "", "\ud800", 1, 2**63, -1, True]), junk()), max_size=3)
    )
    return _argument(draw, dressed(draw(st.sampled_from(sorted(CONTAINERS))), labels), ["x", "y"], np.array([1, 1]))


def ask_for_statistics(draw: Draw) -> str:
    name = draw(st.sampled_from(sorted(RANDOM)))
    try:
        found = RANDOM[name](draw)
    except Exception as error:  # noqa: BLE001
        lines = [frame.line for frame in traceback.extract_tb(error.__traceback__)]
        return "error of the function" if "progress(done, total)" in lines else refusal(error)
    if isinstance(found, BleuStatistics):
        assert found.table.dtype == np.int64
        assert found.table.shape[1] == STATISTICS.table.shape[1] or found.config != STATISTICS.config
    return "right number"


class Files:
    """Files of statistics and of texts, whole and broken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        STATISTICS.save(folder / "good")
        save_groups({"a": STATISTICS.total(), "b": STATISTICS.total()}, folder / "groups")
        pq.write_table(pa.table({"p": GOOD[0], "r": GOOD[1]}), folder / "texts.parquet")
        self.good = {name: (folder / name).read_bytes() for name in ("good", "groups", "texts.parquet")}

    def ask(self, draw: Draw) -> str:
        name = draw(st.sampled_from(sorted(self.good)))
        data = self.good[name]
        for _ in range(draw(st.integers(0, 3))):
            first, size = draw(st.integers(0, len(data))), draw(st.sampled_from([0, 1, 1, 4, 1000]))
            data = data[:first] + draw(st.binary(max_size=4)) + data[first + size :]
        path = self.folder / f"broken-{name}"
        path.write_bytes(data)
        if name == "texts.parquet":
            return _ended(lambda: read_column(f"{path}:p"))
        read: Any = draw(st.sampled_from([BleuStatistics.load, load_groups]))
        config = _argument(draw, None, None, STATISTICS.config)
        return _ended(lambda: read(path, config), lambda found: len(found) in (1, 2))

    def ask_for_lines(self, draw: Draw) -> str:
        """Lines of text and of JSON, as the command line reads them."""
        pieces = st.sampled_from([
            b"a b", b"\n", b"\r\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", "é\u2028".encode(), b"{", b"}",
            b'{"p": "a b", "r": ["a b"]}\n', b'{"p": 1}\n', b'{"p": null}\n', b'"p"', b"[[" * 9000, b"9" * 5000, b"NaN",
            b'{"p": {"q": "a"}}\n', b"\xed\xa0\x80", b'{"p": "\\ud800"}\n', b'{"p": ' + b"1" * 5000 + b"}\n",
        ])  # fmt: skip
        data = b"".join(draw(st.lists(pieces, max_size=6)))
        ending = draw(st.sampled_from([".txt", ".jsonl", ".gz", ".xz", ".bz2", ".parquet", ".json", "", ".jsonl.gz"]))
        path = self.folder / f"lines{ending}"
        path.write_bytes(data)
        column = draw(st.sampled_from(["", ":p", ":p.q", ":", ":\0", ":" + "x" * 300]))

        def scored() -> BleuScore:
            corpus = read_corpus([f"{path}{column}"], [f"{path}{column}"])
            return corpus_bleu(next(iter(corpus.systems.values())), corpus.references, max_order=1)

        try:
            result = scored()
        except OSError:
            return "OSError, of a name that is no file's"
        except Exception as error:  # noqa: BLE001
            return refusal(error)
        assert result.bleu in (pytest.approx(1.0, rel=1e-12), 0.0)
        return "right number"


# --- data sets, hooks, clusters, pictures -----------------------------------------------------------------------------


class Decoder:
    """A tokenizer as far as the hook knows one."""

    pad_token_id = 0

    def batch_decode(self, ids: Any, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return [" ".join(map(str, row)) for row in ids]


DATA = datasets.Dataset.from_dict({"p": GOOD[0], "r": GOOD[1], "n": [1, 2], "t": [{"en": "a"}, {"en": "b"}]})
TABLE = DATA.data.table
IDS = np.array([[1, 2, 3, 4], [5, 6, 7, -100]])


def _cluster(draw: Draw) -> Any:
    by = _argument(draw, None, "n", "p", "x")
    job = check_job(
        _argument(draw, "p", "t.en", "p.x", ""), _argument(draw, "r", ["p", "t.en"], [], ["n"]), by, STATISTICS.config
    )
    return to_totals(job, count_table(job, TABLE))


def _hooked(draw: Draw) -> Any:
    good = (Decoder(), Decoder(), Decoder(), SimpleNamespace(tokenizer=Decoder()))
    hook = compute_metrics(
        _argument(draw, *good), references=_argument(draw, None, None, GOOD[1]), samples=_argument(draw, None, None, 2)
    )
    prediction = SimpleNamespace(predictions=_argument(draw, IDS, (IDS,), IDS.astype(float), IDS[0]), label_ids=IDS)
    return hook(prediction)


OTHERS: dict[str, Callable[[Draw, Path], Any]] = {
    "evaluate_dataset": lambda draw, _: evaluate_dataset(
        _argument(draw, DATA, DATA, {"a": DATA}, {}, {"a": 5}, DATA.to_iterable_dataset(), DATA.select([])),
        _argument(draw, "p", "p", "t.en", "q", ""),
        _argument(draw, "r", "r", ["p", "t.en"], [], ["p", "n"]),
        batch_size=_argument(draw, 1, 1000, 0),
    ),
    "compute_metrics": lambda draw, _: _hooked(draw),
    "preprocess_logits": lambda draw, _: preprocess_logits(_argument(draw, np.zeros((1, 2, 3))), None),
    "reward": lambda draw, _: reward(_argument(draw, "r"))(
        completions=_argument(draw, GOOD[0], "ab", [[{"content": "a"}], [{"content": [{"text": 5}]}]]),
        r=_argument(draw, GOOD[1], GOOD[0], "ab"),
    ),
    "workers": lambda draw, _: _cluster(draw),
    "spark_statistics": lambda draw, _: spark_statistics(draw(junk())),
    "ray_statistics": lambda draw, _: ray_statistics(draw(junk())),
    "save_groups": lambda draw, folder: save_groups(
        _argument(
            draw,
            {"a": STATISTICS.total()},
            *[{}, {"a": STATISTICS}, {"a": 5}, {1.5: STATISTICS.total()}, {2**64: STATISTICS.total()}],
            *[{"a": STATISTICS.total(), 1: STATISTICS.total()}, {"\ud800": STATISTICS.total()}],
        ),
        folder / "saved",
    ),
    "plot": lambda draw, _: plot(draw(junk())),
    "report": lambda draw, folder: report(
        folder / "r.html", *GOOD, shown=draw(st.sampled_from([0, 1, "a", None, True]))
    ),
}


class Others:
    """All the other ways in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, draw: Draw) -> str:
        name = draw(st.sampled_from(sorted(OTHERS)))
        return _ended(lambda: OTHERS[name](draw, self.folder))


# --- all of them ------------------------------------------------------------------------------------------------------

ENTRIES: dict[str, tuple[int, Callable[[Path], Callable[[Draw], str]]]] = {
    "sentences": (8, lambda _: ask_for_sentences),
    "options": (15, lambda _: ask_with_options),
    "configurations": (10, lambda _: ask_for_a_configuration),
    "signatures": (8, lambda _: ask_for_a_signature),
    "statistics": (12, lambda _: ask_for_statistics),
    "files of statistics": (5, lambda folder: Files(folder).ask),
    "files of texts": (5, lambda folder: Files(folder).ask_for_lines),
    "other ways in": (5, lambda folder: Others(folder).ask),
    "metric object": (2, lambda folder: OneMetric(folder).ask),
    "corpora": (30, lambda _: ask_for_a_corpus),
}


_BLOCK = 1000  # cases drawn by one run of Hypothesis, which keeps all of them


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


@pytest.mark.parametrize("entry", ENTRIES)
def test_hostile(entry: str, cases: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    share, build = ENTRIES[entry]
    ended, ask = Counter[str](), build(tmp_path)
    before = _open_files(), threading.active_count()

    wanted = max(1, cases * share // sum(share for share, _ in ENTRIES.values()))

    @settings(
        max_examples=min(wanted, _BLOCK),
        deadline=None,
        database=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        ended[ask(data.draw)] += 1

    while ended.total() < wanted:
        run()
    assert _open_files() <= before[0] + 3, "files are left open"
    assert threading.active_count() <= before[1] + 2, "threads are left"
    with capsys.disabled():
        print(f"\n  {entry}: {ended.total():,} cases: {dict(sorted(ended.items()))}")


# --- what is large ----------------------------------------------------------------------------------------------------


def test_one_segment_of_50_megabytes() -> None:
    words = 50_000_000 // 50
    text = ("a" * 49 + " ") * words
    score = corpus_bleu([text, "b"], [[text], ["b c"]], max_order=2)
    assert (score.counts, score.totals) == ([words + 1, words - 1], [words + 1, words - 1])


def test_a_million_empty_segments() -> None:
    score = corpus_bleu([""] * 1_000_000, [[""]] * 1_000_000)
    assert (score.bleu, score.totals, score.reference_length) == (0.0, [0] * 4, 0)
    column = pa.nulls(1_000_000, pa.string()).fill_null("")
    assert corpus_bleu(column, column) == score
    with pytest.raises(ValueError, match=r"references\[999999\] has no reference"):
        corpus_bleu([""] * 1_000_000, [[""]] * 999_999 + [[]])


def test_ten_thousand_references() -> None:
    refs = [["a"] * (number % 7) + [str(number % 97)] for number in range(10_000)]
    found = corpus_bleu([["a", "a", "7", "8"], ["x"]], [refs, [["x"]]], max_order=3)
    assert _same(_parts(found), next(answers([([["a", "a", "7", "8"], ["x"]], [refs, [["x"]]])], 3)))


def test_order_1000_of_a_long_text() -> None:
    text = [str(number % 17) for number in range(1500)]
    found = corpus_bleu([text], [[text[:1200]]], max_order=1000)
    counts = [1200 - order if order < 1200 else 0 for order in range(1000)]
    whole = [sum(min(len(range(i, 1500 - n, 17)), len(range(i, 1200 - n, 17))) for i in range(17)) for n in range(1000)]
    assert found.counts == whole == counts


@pytest.mark.parametrize("depth", [5, 900, 100_000])
@pytest.mark.parametrize("first", [["a b"], [["a"]], [[]], [[1]]])
def test_lists_in_lists(depth: int, first: list[Any]) -> None:
    nested: Any = []
    for _ in range(depth):
        nested = [nested]
    for predictions, references in ((first, [nested]), ([nested], first), ([*first, nested], [*first, first[0]])):
        with pytest.raises((TypeError, ValueError), match=r"(predictions|references)\[\d\] (holds|has no reference)"):
            corpus_bleu(predictions, references)


NEAR: list[tuple[Callable[[], object], str]] = [
    (lambda: corpus_bleu(*GOOD, "nlkt"), r"unknown dialect 'nlkt' \(did you mean 'nltk'\?\); accepted: 'default', "),
    (lambda: corpus_bleu(*GOOD, tokenizer="13A"), r"unknown tokenizer '13A' \(did you mean '13a'\?\); accepted: "),
    (lambda: corpus_bleu(*GOOD, smoothing="flor"), r"unknown smoothing 'flor' \(did you mean 'floor'\?\); accepted: "),
    (lambda: corpus_bleu(*GOOD, tokeniser="13a"), r"unknown option 'tokeniser' \(did you mean 'tokenizer'\?\)"),
    (lambda: BleuConfig(tokeniser="13a"), r"unknown option 'tokeniser' \(did you mean 'tokenizer'\?\); accepted: "),  # type: ignore[call-arg]
    (lambda: BleuConfig.from_signature("tokk:13a"), r"unknown key in a signature 'tokk' \(did you mean 'tok'\?\)"),
    (lambda: paired_bootstrap(STATISTICS, STATISTICS, p_values="two-side"), r"\(did you mean 'two-sided'\?\)"),
    (lambda: evaluate_dataset(DATA, "t.e", "r"), r"unknown column 't.e' \(did you mean 't.en'\?\); accepted: 'p', "),
    (lambda: evaluate_dataset(DATA, "p", "r", max_ordr=2), r"unknown option 'max_ordr' \(did you mean 'max_order'\?\)"),
    (lambda: corpus_bleu(*GOOD, sentence_scores=True), r"unknown option 'sentence_scores'"),
]


@pytest.mark.parametrize(("ask", "text"), NEAR)
def test_near_misses(ask: Callable[[], object], text: str) -> None:
    with pytest.raises((TypeError, ValueError), match=text):
        ask()


def test_near_misses_of_the_metric(tmp_path: Path) -> None:
    metric = _metric(tmp_path)
    for wrong, near in (
        ("sentence_score", "sentence_scores"),
        ("prediction", "predictions"),
        ("n_resample", "n_resamples"),
    ):
        with pytest.raises(TypeError, match=rf"unknown option '{wrong}' \(did you mean '{near}'\?\); accepted: "):
            metric.compute(predictions=GOOD[0], references=GOOD[1], **{wrong: 1})

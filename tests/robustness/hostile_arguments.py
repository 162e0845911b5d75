"""Options, statistics, files and arguments that anyone might pass, asked of every public function."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from corpora import Decoder
from hostile import CONTAINERS, dressed, frozen, junk, refusal
from hostile_corpora import GOOD, Draw, ended_in, one_of
from hypothesis import strategies as st
from inner_doors import CHOICES, OPTIONS, check_job, count_table, read_column, read_corpus, textbook, to_answer

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
    length_groups,
    load_groups,
    paired_bootstrap,
    paired_randomization,
    plot,
    preprocess_logits_for_metrics,
    ray_statistics,
    remove_padding,
    report,
    reward,
    save_groups,
    score,
    score_dialects,
    score_groups,
    score_systems,
    spark_statistics,
)

STATISTICS = corpus_statistics(*GOOD, max_order=2)


def _option_value(draw: Draw, name: str) -> Any:
    if draw(st.booleans()):
        return draw(junk())
    if name in CHOICES:
        return draw(st.sampled_from(CHOICES[name]))
    if name == "max_order":
        return one_of(draw, 1, 2, 3, 4, 5, 1000, np.int32(2), 10_001, 10**9)
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
        options["tokenizer"] = one_of(draw, len, list, str, lambda text: [text, "\ud800"], str.split)
    if isinstance(options.get("tokenizer"), str) and options["tokenizer"] in CHOICES["tokenizer"][6:]:
        del options["tokenizer"]  # needs a model
    before = frozen(options)
    kind = ended_in(lambda: corpus_bleu(*GOOD, dialect, **options), _is_a_score)
    if kind == "right number":
        config = BleuConfig() if dialect == "default" else DIALECTS[dialect]
        config = config.with_options(options)
        assert callable(config.tokenizer) or BleuConfig.from_signature(config.signature()) == config
        if set(options) <= {"max_order", "weights"} and dialect == "nltk" and not config.has_many_weights:
            tokens = [text.split() for text in GOOD[0]], [[ref.split() for ref in refs] for refs in GOOD[1]]
            plain = textbook.corpus_bleu(*tokens, config.weight_lists()[0])
            found = corpus_bleu(*GOOD, tokenizer="none", weights=config.weights, max_order=config.max_order).bleu
            assert found == pytest.approx(plain, rel=1e-12, abs=0)
    assert before == frozen(options)
    return kind


def ask_for_a_configuration(draw: Draw) -> str:
    base = DIALECTS[draw(st.sampled_from(sorted(DIALECTS)))]
    if draw(st.integers(0, 9)) == 0:
        return ended_in(lambda: base.with_options(draw(junk())))
    options = _options(draw)

    def kept(config: BleuConfig) -> bool:
        return callable(config.tokenizer) or BleuConfig.from_signature(config.signature()) == config

    return ended_in(lambda: base.with_options(options), kept)


PIECES = ["", "|", ":", "tok", "13a", "order", "4", "9" * 5000, "weights", "nan", "1,", ";", "[", "smooth", "exp", "²"]


def ask_for_a_signature(draw: Draw) -> str:
    if draw(st.integers(0, 9)) == 0:
        return ended_in(lambda: BleuConfig.from_signature(draw(junk())))
    text = DIALECTS[draw(st.sampled_from(sorted(DIALECTS)))].signature()
    for _ in range(draw(st.integers(1, 3))):
        first, last = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        last = min(last, first + 12)
        text = text[:first] + draw(st.sampled_from([*PIECES, *DIALECTS])) + text[last:]
    return ended_in(lambda: BleuConfig.from_signature(text), lambda config: isinstance(config.signature(), str))


def _argument(draw: Draw, *good: Any) -> Any:
    return one_of(draw, *good) if draw(st.integers(0, 3)) else draw(junk())


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
        _argument(draw, None, bootstrap(STATISTICS, 40)), _argument(draw, 0, 1, 17)
    ),
    "BleuStatistics": lambda draw: BleuStatistics(
        _argument(draw, STATISTICS.table, STATISTICS.table[0], np.zeros((2, 3), np.int64)),
        _argument(draw, STATISTICS.config),
    ),
    "BleuStatistics.from_table": _of_a_table,
    "from_table of junk": lambda draw: BleuStatistics.from_table(draw(junk())),
    "BleuStatistics[…]": _index,
    "BleuStatistics + …": lambda draw: (
        STATISTICS + one_of(draw, STATISTICS, STATISTICS.total(), corpus_statistics(*GOOD))
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


CALLS_OF_FUNCTIONS = {"progress(done, total)", "answer = find(completion)"}  # that a caller passed


def _ended(error: Exception) -> str:
    """Name an error: of a function that was passed, which comes through as it is, or one that was meant."""
    lines = {frame.line for frame in traceback.extract_tb(error.__traceback__)}
    return "error of the function" if lines & CALLS_OF_FUNCTIONS else refusal(error)


def ask_for_statistics(draw: Draw) -> str:
    name = draw(st.sampled_from(sorted(RANDOM)))
    try:
        found = RANDOM[name](draw)
    except Exception as error:  # noqa: BLE001
        return _ended(error)
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
        parquet.write_table(pa.table({"p": GOOD[0], "r": GOOD[1]}), folder / "texts.parquet")
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
            return ended_in(lambda: read_column(f"{path}:p"))
        read: Any = draw(st.sampled_from([BleuStatistics.load, load_groups]))
        config = _argument(draw, None, None, STATISTICS.config)
        return ended_in(lambda: read(path, config), lambda found: len(found) in (1, 2))

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
        same = self.folder / f"same{ending}"
        same.write_bytes(data)
        column = draw(st.sampled_from(["", ":p", ":p.q", ":", ":\0", ":" + "x" * 300]))

        def scored() -> BleuScore:
            corpus = read_corpus([f"{path}{column}"], [f"{same}{column}"])
            return corpus_bleu(next(iter(corpus.systems.values())), corpus.references, max_order=1)

        try:
            result = scored()
        except OSError:
            return "OSError, of a name that is no file's"
        except Exception as error:  # noqa: BLE001
            return refusal(error)
        assert result.bleu in (pytest.approx(1.0, rel=1e-12), 0.0)
        return "right number"


DATA = datasets.Dataset.from_dict({"p": GOOD[0], "r": GOOD[1], "n": [1, 2], "t": [{"en": "a"}, {"en": "b"}]})


TABLE = DATA.data.table


IDS = np.array([[1, 2, 3, 4], [5, 6, 7, -100]])


def _cluster(draw: Draw) -> Any:
    by = _argument(draw, None, "n", "p", "x")
    job = check_job(
        _argument(draw, "p", "t.en", "p.x", ""), _argument(draw, "r", ["p", "t.en"], [], ["n"]), by, STATISTICS.config
    )
    return to_answer(job, count_table(job, TABLE))


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
    "preprocess_logits_for_metrics": lambda draw, _: preprocess_logits_for_metrics(
        _argument(draw, np.zeros((1, 2, 3))), None
    ),
    "remove_padding": lambda draw, _: remove_padding(
        _argument(draw, IDS, IDS.tolist(), [IDS], IDS.astype(float), IDS[0]), _argument(draw, 0, None, [0, 1])
    ),
    "reward": lambda draw, _: reward(
        _argument(draw, "r"),
        extract=_argument(draw, None, None, "b", str.upper),
        brevity=draw(st.booleans()),
        pad_id=_argument(draw, None, 0),
    )(
        completion_ids=_argument(draw, IDS, [[1], [2]], [["a"], []]),
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
        folder / "r.html", *GOOD, max_sentences=draw(st.sampled_from([0, 1, "a", None, True]))
    ),
}


class Others:
    """All the other ways in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, draw: Draw) -> str:
        name = draw(st.sampled_from(sorted(OTHERS)))
        try:
            OTHERS[name](draw, self.folder)
        except Exception as error:  # noqa: BLE001
            return _ended(error)
        return "right number"

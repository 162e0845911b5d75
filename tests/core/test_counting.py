"""Both engines count what the oracle counts, whatever a text is, whatever holds the rows, and whatever the options.

pytest tests/core/test_counting.py --more-cases 650    # 104,000 cases
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from containers import CONTAINERS
from corpora import NASTY, WORDS
from hypothesis import example, given, settings
from hypothesis import strategies as st
from inner_doors import (
    AVAILABLE_ENGINES,
    KERNEL,
    SMOOTHINGS,
    TOKENIZERS,
    WHITESPACE,
    by_arrays_alone,
    let_all_tokens_collide_in_the_kernel,
    let_the_kernel_refuse_all,
    limit_batches,
    use_engine,
)
from oracle import are_close, count_rows, score_rows, statistics_row
from waiting import meanwhile

import bleu_metric
from bleu_metric import BleuConfig, corpus_bleu, corpus_statistics, sentence_bleu, system_statistics

needs_kernel = pytest.mark.skipif(
    KERNEL is None, reason="the compiled kernel is not installed: pip install . where a C compiler is"
)
ENGINE = "BLEU_METRIC_ENGINE"

PIECES = ["\u2460\uff1c", "1.5", "..5", "3-", "-\n", "&quot;", "<skipped>", *"\u3000\x85\x1c\u212aΣ中，٣\0"]
PIECES += ["a-word-of-more-than-eight-bytes", "another-word-of-more-than-eight-bytes"]
DRAWN: dict[str, Any] = {
    "text": st.lists(st.sampled_from([*WORDS, *NASTY, *PIECES, " ", " "]), max_size=70).map("".join),
    "tokens": st.lists(
        st.sampled_from([*WORDS, *NASTY, *PIECES, "a", "a\0", "", "12345678", "123456789"]), max_size=70
    ),
    "ids": st.lists(st.integers(0, 4) | st.integers(2**63 - 3, 2**63 - 1), max_size=70),
}


@st.composite
def systems_and_references(draw: st.DrawFn) -> tuple[str, list[list[Any]], list[list[Any]]]:
    """Draw a kind, references of some segments, and predictions of some systems, which are near them here and there."""
    kind = draw(st.sampled_from([*DRAWN]))
    text = DRAWN[kind]
    references = draw(st.lists(st.lists(text, min_size=1, max_size=3), min_size=1, max_size=5))

    def prediction(own: list[Any]) -> Any:
        near = draw(st.sampled_from(own))
        cut = draw(st.integers(0, len(near)))
        return draw(text) if draw(st.booleans()) else near[cut:] + near[:cut]

    systems = [[prediction(own) for own in references] for _ in range(draw(st.integers(1, 3)))]
    return kind, systems, references


def tables_of(engine: str, systems: list[Any], references: Any, **options: Any) -> list[Any]:
    """Return the counts of each segment, one table per system, without the columns of the last segment."""
    with pytest.MonkeyPatch.context() as patch:
        use_engine(patch, engine)
        named = {str(number): predictions for number, predictions in enumerate(systems)}
        counted = system_statistics(named, references, **options)
    columns = 2 * BleuConfig(**options).max_order + 2
    return [statistics.table[:, :columns].tolist() for statistics in counted.values()]


def assert_counts_are_the_oracles(systems: list[Any], references: Any, **options: Any) -> None:
    config = BleuConfig(**options)
    expected = [[statistics_row(row, config) for row in count_rows(own, references, config)] for own in systems]
    for engine in AVAILABLE_ENGINES:
        assert tables_of(engine, systems, references, **options) == expected


OPTIONS = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from([*TOKENIZERS, str.split]),
        "lowercase": st.sampled_from([False, True, "ascii", "after"]),
        "normalization": st.sampled_from(["none", "NFC", "NFKC"]),
        "strip": st.booleans(),
        "whitespace": st.sampled_from([*WHITESPACE]),
        "max_order": st.integers(1, 9),
    }
)


@settings(max_examples=settings.default.max_examples * 4)
@given(systems_and_references(), OPTIONS)
@example(("text", [["12,5-7. 1,000."]], [["12,5-7. 1,000."]]), {"tokenizer": "13a", "max_order": 4})
def test_counts_are_the_oracles(corpus: tuple[str, Any, Any], options: dict[str, Any]) -> None:
    kind, systems, references = corpus
    accepted = {"text": set(options), "tokens": {"lowercase", "normalization", "max_order"}, "ids": {"max_order"}}[kind]
    shows_kind = any(text for side in (*systems, *references) for text in side)
    if shows_kind or kind == "text":
        own = {name: value for name, value in options.items() if name in accepted}
        assert_counts_are_the_oracles(systems, references, **own)


@needs_kernel
@given(systems_and_references())
def test_tokens_that_all_collide_are_told_apart(corpus: tuple[str, Any, Any]) -> None:
    _, systems, references = corpus
    with pytest.MonkeyPatch.context() as patch:
        let_all_tokens_collide_in_the_kernel(patch)
        assert tables_of("native", systems, references) == tables_of("python", systems, references)


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("kind", DRAWN)
@settings(max_examples=max(1, settings.default.max_examples // 20))
@given(data=st.data())
def test_counts_do_not_depend_on_the_container(kind: str, container: str, data: st.DataObject) -> None:
    words = {"text": "a b c", "tokens": ["a", "b", "c"], "ids": [1, 2, 3]}[kind]
    text = DRAWN[kind].filter(lambda own: "\0" not in own)  # a column of pandas ends there
    predictions = [words, *data.draw(st.lists(text, max_size=4))]
    references = [data.draw(st.lists(text, min_size=1, max_size=3)) for _ in predictions]
    rows = CONTAINERS[container](predictions, kind, 0), CONTAINERS[container](references, kind, 1)
    order = data.draw(st.sampled_from([4, 1]))
    expected = tables_of("python", [predictions], references, max_order=order)
    for engine in AVAILABLE_ENGINES:
        assert tables_of(engine, rows[:1], rows[1], max_order=order) == expected


EDGES = [
    " The CAT\x1f on it.\n",
    "\x1c.5 &quot;Cats&quot;",
    "\u3000中文 \u212aİ ΑΣ \x85",
    "A b c end-\n",
    "&lt",
    "<skipped> -\nb",
]


@pytest.mark.parametrize("lowercase", [False, True, "ascii", "after"])
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_texts_with_edges_entities_and_capitals(tokenizer: str, lowercase: bool | str) -> None:
    references = [[text.lower().strip()] for text in EDGES]
    for whitespace, strip in itertools.product(WHITESPACE, (False, True)):
        options = {"lowercase": lowercase, "whitespace": whitespace, "strip": strip}
        assert_counts_are_the_oracles([EDGES], references, tokenizer=tokenizer, **options)


SCORING: list[dict[str, Any]] = [
    *({"dialect": dialect} for dialect in ("papineni", "nltk", "sacrebleu")),
    {"dialect": "nltk", "auto_reweigh": True, "zero_score": "empty"},
    {"dialect": "papineni", "effective_order": True, "zero_score": "any-order"},
    {"dialect": "sacrebleu", "zero_score": "empty-prediction"},
]


@pytest.mark.filterwarnings("ignore:1 of 9 predictions", "ignore:1 of 10 references")
@pytest.mark.parametrize("options", SCORING)
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_scores_are_the_oracles(smoothing: str, options: dict[str, Any]) -> None:
    words = "a b c d e f g".split()
    predictions = [words, [*words[:5], "x"], words[2:6], words[::-1], [], words[:2], ["a"], ["x"], ["a"]]
    references = [[words, words[:3]], [words[:6]], [words[1:7], words[3:]], [words[:1] + words[3:6]], [["a"]], [words]]
    references += [[["a"]], [["y"]], [[]]]
    for few_rows in (contextlib.nullcontext, by_arrays_alone):  # few rows are scored without arrays
        with few_rows():
            assert_scores_are_the_oracles(predictions, references, smoothing=smoothing, **options)


def assert_scores_are_the_oracles(predictions: list[Any], references: list[Any], **options: Any) -> None:
    found = corpus_bleu(predictions, references, **options)
    sentences = sentence_bleu(predictions, references, **options).tolist()
    config = BleuConfig.from_signature(found.signature)
    expected = score_rows(count_rows(predictions, references, config), config)
    assert are_close([found.bleu, *sentences], [expected.bleu, *expected.sentence_scores])


# The plainest corpora of rules that few corpora need: a precision, a length or a weight that is 0, absent or negative
ABSENT = {"dialect": "papineni", "smoothing": "exp", "zero_precision": "skip-absent", "zero_score": "never"}
METHOD6 = {"dialect": "nltk", "smoothing": "method6"}  # NLTK raises an error for these texts
RULES: list[tuple[str, str, dict[str, Any]]] = [
    ("a b", "a c", {"dialect": "papineni", "weights": [0.5, -0.5]}),
    ("", "", {"auto_reweigh": True, "zero_score": "never"}),  # a mean without weights would be 1
    ("", "", ABSENT),  # tensor2tensor scores it 0; the mean of no orders would be 1
    ("a", "a", ABSENT),
    ("a b c d", "a b x y", {"zero_precision": "skip", "smoothing": "none"}),
    ("a b c d", "a b x y", {"zero_precision": "skip", "smoothing": "none-float32"}),
    ("a b c d", "a b x y", {"zero_precision": "skip", "smoothing": "method1", "smoothing_value": 0}),
    ("a c b d", "a b c d", METHOD6),
    ("a b d c", "a b c d", METHOD6),
    ("a c b d", "a b c d", {**METHOD6, "max_order": 2}),
]


@pytest.mark.filterwarnings("ignore:BLEU is 0.00", "ignore:the weights sum")
@pytest.mark.parametrize(("prediction", "reference", "options"), RULES)
def test_rules_of_few_corpora(prediction: str, reference: str, options: dict[str, Any]) -> None:
    assert_scores_are_the_oracles([prediction], [[reference]], **options)


def test_one_segment_of_100_000_tokens() -> None:
    rng = np.random.default_rng(5)
    text, reference = ((rng.zipf(1.3, size) % 500).astype(str).tolist() for size in (100_000, 99_000))
    assert_counts_are_the_oracles([[text]], [[reference]], max_order=2)


# --- Rows that the kernel declines ----------------------------------------------------------------------------------

VOCABULARY = [*"the cat sat on a mat 1.5 Ünder 中文 long-word-of-many-bytes it's &".split(), "x" * 70]
KINDS: dict[str, Callable[[list[int]], Any]] = {
    "text": lambda ids: " ".join(VOCABULARY[number] for number in ids),
    "tokens": lambda ids: [VOCABULARY[number] for number in ids],
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


def draw_corpus(kind: str, rows: int) -> tuple[list[Any], list[list[Any]]]:
    rng = np.random.default_rng(1)
    as_row = KINDS[kind]

    def text() -> Any:
        return as_row(rng.integers(len(VOCABULARY), size=rng.integers(0, 12)).tolist())

    predictions = [text() for _ in range(rows)]
    references = [[text() for _ in range(rng.integers(1, 3))] for _ in range(rows)]
    predictions[0] = as_row([1, 2, 3])  # shows the kind
    return predictions, references


@pytest.mark.parametrize("row", [0, 14])  # in the first batch, and in the next
@pytest.mark.parametrize("side", ["predictions", "references"])
@pytest.mark.parametrize("kind", KINDS)
def test_unusual_rows_count_as_usual_ones(kind: str, side: str, row: int, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions, references = draw_corpus(kind, 30)
    expected = corpus_statistics(predictions, references).table.tolist()
    limit_batches(monkeypatch, 10)
    if side == "predictions":
        predictions[row] = UNUSUAL[kind](predictions[row])
    else:
        references[row] = [None, *map(UNUSUAL[kind], references[row])]
    assert corpus_statistics(predictions, references).table.tolist() == expected


WRONG = [
    *(("text", wrong) for wrong in ([5], [None], ["\ud800"])),
    *(("tokens", wrong) for wrong in ([["a", 5]], ["a"])),
    *(("ids", wrong) for wrong in ([[-100]], [[2**63]], [[True]], [[1.0]])),
]


@pytest.mark.parametrize("row", [3, 14])
@pytest.mark.parametrize("engine", AVAILABLE_ENGINES)
@pytest.mark.parametrize(("kind", "wrong"), WRONG)
def test_an_error_names_the_row(kind: str, wrong: Any, engine: str, row: int, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions, references = draw_corpus(kind, 30)
    references[row] = wrong
    limit_batches(monkeypatch, 10)
    use_engine(monkeypatch, engine)
    with pytest.raises((TypeError, ValueError), match=rf"^references\[{row}\]"):
        corpus_bleu(predictions, references)


@pytest.mark.parametrize("text", ["a b c d e", ["a", "b", "c", "d", "e"], [1, 2, 3, 4, 5]])
def test_python_counts_what_is_too_much_for_the_kernel(text: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, "native")
    let_the_kernel_refuse_all(monkeypatch)
    assert corpus_bleu([text], [text]).counts == [5, 4, 3, 2]


# --- The kernel alone -----------------------------------------------------------------------------------------------


@needs_kernel
@given(st.data())
def test_no_class_table_does_harm(data: st.DataObject) -> None:
    """Whatever bytes the table has, the kernel counts tokens of one byte or more, or raises an error."""
    alphabet = "ab .-é中\U0001f600"
    classes = bytearray([1]) * 0x110000
    for character in alphabet:
        classes[ord(character)] = data.draw(st.sampled_from([1, 2, 4, 6, 8, 16, 42, 64, 66, 70]) | st.integers(1, 255))
    texts = [data.draw(st.text(alphabet, max_size=200)) for _ in range(2)]
    rows = (texts[:1],), texts[1:], "text", False
    splitting = None, False, 0, "", classes, data.draw(st.booleans()), data.draw(st.booleans())
    with contextlib.suppress(ValueError):
        answer = KERNEL.count_lists(*rows, *splitting, (((4, 0, 0), True),), 1 << 20, bytes(range(16)))
        if isinstance(answer, tuple):
            lengths = np.frombuffer(answer[3], np.int64)
            assert (lengths <= [len(text.encode()) for text in reversed(texts)]).all()


@needs_kernel
@pytest.mark.parametrize("all_collide", [False, True])
def test_long_tokens_are_equal_only_if_all_their_bytes_are(all_collide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if all_collide:
        let_all_tokens_collide_in_the_kernel(monkeypatch)
    base = "".join(map(chr, range(64, 106)))
    tokens = [base[:size] for size in range(43)] + [base[:size] + "\0" for size in range(30)]
    tokens += [base[:at] + "!" + base[at + 1 :] for at in range(42)] + ["\0" * size for size in range(2, 30)]
    use_engine(monkeypatch, "native")
    statistics = corpus_statistics([tokens] * len(tokens), [[[token]] for token in tokens], max_order=1)
    assert (statistics.matches == 1).all()


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_lists_that_change_during_a_call_do_no_harm(kind: str) -> None:
    predictions, references = draw_corpus(kind, 400)
    rng = np.random.default_rng(3)

    def change() -> None:
        row = int(rng.integers(len(predictions)))
        predictions[row] = KINDS[kind](rng.integers(13, size=9).tolist())
        references[row] = [KINDS[kind]([1, 2, row % 13])]
        references[row].append(KINDS[kind]([4, 5]))
        references[row].clear()
        references[row].append(KINDS[kind]([row % 13]))
        if row == 7:
            references[row] = [object()]

    with meanwhile(change):
        for _ in range(100):
            with contextlib.suppress(TypeError, ValueError, RuntimeError):  # errors about rows
                corpus_statistics(predictions, references)
    assert len(corpus_statistics(*draw_corpus(kind, 400))) == 400


@pytest.mark.heavy
def test_repeated_calls_leak_nothing() -> None:
    calls = {kind: draw_corpus(kind, 20) for kind in KINDS}
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
        for _ in range(50):
            call()
        gc.collect()
        growths.append(sys.getallocatedblocks() - before)
    assert min(growths) < 50


# --- Which engine counts --------------------------------------------------------------------------------------------

COLD = """
import sys
from bleu_metric import corpus_bleu
texts = ["the cat sat on the mat", "a dog"] * 100
words, ids = [text.split() for text in texts], [[1, 2, 3, 4, 5]] * 200
for rows in (texts, words, ids):
    assert corpus_bleu(rows, [[row] for row in rows]).bleu == 1
print([name for name in ("numpy", "pyarrow", "pandas", "importlib.metadata") if name in sys.modules])
"""


def run_python(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code where a folder is looked at before what is installed."""
    path = os.pathsep.join([str(folder), str(Path(bleu_metric.__file__).parents[1])])
    own = {name: value for name, value in os.environ.items() if name != ENGINE}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=folder,  # where Python looks first; in the checkout, an editable installation has its kernel
        env={**own, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@needs_kernel
def test_a_corpus_score_of_lists_needs_no_arrays(tmp_path: Path) -> None:
    assert run_python(COLD, tmp_path, BLEU_METRIC_ENGINE="native").stdout == "[]\n"


def test_a_kernel_of_another_version_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "_bleu_metric_kernel.py").write_text("INTERFACE = -1\n")
    code = "import bleu_metric; print(bleu_metric.corpus_bleu(['a b c d e'] * 30, ['a b c d f'] * 30).counts)"
    assert run_python(code, tmp_path).stdout == "[120, 90, 60, 30]\n"
    asked = run_python(code, tmp_path, BLEU_METRIC_ENGINE="native")
    assert "ImportError: BLEU_METRIC_ENGINE=native, but the compiled kernel" in asked.stderr


def test_an_unknown_engine_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, "pyhton")
    with pytest.raises(ValueError, match=r"did you mean 'python'\?\); accepted: 'native', 'python'"):
        corpus_bleu(["a b c d e"], ["a b c d f"])

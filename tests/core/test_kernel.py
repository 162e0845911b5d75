"""The compiled kernel counts what the NumPy engine counts, rejects what does not fit, and is chosen in one place.

pytest tests/core/test_kernel.py --more-cases 650    # 104,000 corpora in two engines, and 26,000 that collide
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import NASTY, WORDS
from hypothesis import example, given, settings
from hypothesis import strategies as st
from inner_doors import (
    CLASSES_OF_NUMPY,
    ENGINES,
    KERNEL,
    SPACE,
    TOKENIZERS,
    WHITESPACE,
    by_arrays_alone,
    let_all_tokens_collide_in_the_kernel,
    let_the_kernel_refuse_all,
    use_engine,
)
from waiting import meanwhile

import bleu_metric
from bleu_metric import BleuStatistics, corpus_bleu, system_statistics

needs_kernel = pytest.mark.skipif(
    KERNEL is None, reason="the compiled kernel is not installed: pip install . where a C compiler is"
)
ENGINE = "BLEU_METRIC_ENGINE"

PIECES = ["1.5", "..5", "3-", "-\n", "&quot;", "<skipped>", *"\u3000\x85\x1c\u212aΣ中，٣\0"]
PIECES += ["a-word-of-more-than-eight-bytes", "another-word-of-more-than-eight-bytes"]
TEXTS = st.lists(st.sampled_from([*WORDS, *NASTY, *PIECES, " ", " "]), max_size=70).map("".join)
TOKENS = st.lists(st.sampled_from([*WORDS, *NASTY, *PIECES, "a", "a\0", "", "12345678", "123456789"]), max_size=70)
IDS = st.lists(st.integers(0, 4) | st.integers(2**63 - 3, 2**63 - 1), max_size=70)


@st.composite
def systems_and_references(draw: st.DrawFn) -> tuple[list[list[Any]], list[list[Any]]]:
    """Draw references of some segments and predictions of some systems, which are near them here and there."""
    text = draw(st.sampled_from([TEXTS, TOKENS, IDS]))
    references = draw(st.lists(st.lists(text, min_size=1, max_size=3), min_size=1, max_size=5))

    def prediction(own: list[Any]) -> Any:
        near = draw(st.sampled_from(own))
        cut = draw(st.integers(0, len(near)))
        return draw(text) if draw(st.booleans()) else near[cut:] + near[:cut]

    systems = [[prediction(own) for own in references] for _ in range(draw(st.integers(1, 3)))]
    return systems, references


def statistics_of_engine(
    engine: str, systems: list[Any], references: list[Any], **options: Any
) -> list[BleuStatistics]:
    with pytest.MonkeyPatch.context() as patch, by_arrays_alone():
        use_engine(patch, engine)
        named = {str(number): predictions for number, predictions in enumerate(systems)}
        return list(system_statistics(named, references, **options).values())


def assert_engines_agree(systems: list[Any], references: list[Any], **options: Any) -> None:
    native, numpy = (statistics_of_engine(engine, systems, references, **options) for engine in ENGINES)
    for own, other in zip(native, numpy, strict=True):
        np.testing.assert_array_equal(own.table, other.table)


@needs_kernel
@settings(max_examples=settings.default.max_examples * 4)
@given(
    systems_and_references(),
    st.sampled_from([*TOKENIZERS, str.split]),
    st.sampled_from([False, True, "ascii", "after"]),
    st.booleans(),
    st.sampled_from([*WHITESPACE]),
    st.integers(1, 9),
)
@example(([["12,5-7. 1,000."]], [["12,5-7. 1,000."]]), "13a", False, True, "python", 4)
def test_engines_agree(
    texts: tuple[Any, Any], tokenizer: Any, lowercase: Any, strip: bool, whitespace: str, max_order: int
) -> None:
    options = {"tokenizer": tokenizer, "lowercase": lowercase, "strip": strip, "whitespace": whitespace}
    if not isinstance(texts[1][0][0], str):
        options = {"lowercase": lowercase} if not isinstance(texts[1][0][0], list) else {}
    assert_engines_agree(*texts, **options, max_order=max_order)


@needs_kernel
@given(systems_and_references())
def test_engines_agree_where_all_tokens_collide(texts: tuple[Any, Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        let_all_tokens_collide_in_the_kernel(patch)
        assert_engines_agree(*texts)


@pytest.mark.usefixtures("by_arrays")
@pytest.mark.parametrize("text", ["a b c d e", ["a", "b", "c", "d", "e"], [1, 2, 3, 4, 5]])
def test_numpy_counts_what_is_too_much_for_the_kernel(text: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, "native")
    let_the_kernel_refuse_all(monkeypatch)
    assert corpus_bleu([text], [text]).counts == [5, 4, 3, 2]


LAYOUTS = (((4, 0, 0), True),)  # one table with a row per segment: matches and totals of 4 orders, two lengths
SEED = bytes(range(16))


def count_arrays(data: Any, starts: Any, lengths: Any, *, first_tokens: Any = None, classes: Any = None) -> Any:
    """Count one reference and one prediction; return the tokens of both and the matches of each order."""
    references = np.array([0, 1])
    answer = KERNEL.count_texts(data, starts, lengths, first_tokens, classes, True, False, references, 1, LAYOUTS, SEED)
    _, _, _, per_text, [table] = answer
    return np.frombuffer(per_text, np.int64).tolist(), np.frombuffer(table, np.int64)[:4].tolist()


@needs_kernel
def test_positions_beyond_2_gib() -> None:
    data = np.zeros((1 << 31) + 64, np.uint8)  # only what is written takes memory
    data[-24:-8] = np.frombuffer(b"a b c d a b c  e", np.uint8)
    classes = np.ones(0x110000, np.uint8)
    classes[ord(" ")] = SPACE
    starts = len(data) - np.array([24, 17])
    assert count_arrays(data, starts, np.array([7, 9]), classes=classes) == ([4, 4], [3, 2, 1, 0])
    starts = np.concatenate([starts[0] + np.arange(0, 8, 2), starts[1] + np.array([1, 3, 5, 8])])
    counts = count_arrays(data, starts, np.ones(8, np.int64), first_tokens=np.array([0, 4, 8]))
    assert counts == ([4, 4], [3, 2, 1, 0])


NUMBERS = st.lists(st.integers(-3, 40) | st.integers(-(2**63), 2**63 - 1), max_size=6).map(
    lambda numbers: np.array(numbers, np.int64)
)
RISING = st.lists(st.integers(0, 24), min_size=1, max_size=6).map(lambda numbers: np.array(sorted(numbers), np.int64))
ARRAYS = NUMBERS | RISING | RISING.map(lambda numbers: numbers - numbers[0])


@needs_kernel
@given(st.data(), st.binary(max_size=40), ARRAYS, ARRAYS, ARRAYS, ARRAYS)
def test_wrong_arguments_are_refused(
    data: st.DataObject, text: bytes, first: Any, second: Any, third: Any, references: Any
) -> None:
    """Whatever is passed, the kernel counts or raises an error, and reads and writes nowhere else."""
    systems, orders = data.draw(st.integers(-1, 3)), data.draw(st.integers(-1, 3) | st.integers(-(2**63), 2**63 - 1))
    classes = np.full(data.draw(st.sampled_from([0x110000, 0x10FFFF])), data.draw(st.integers(0, 255)), np.uint8)
    seed = bytes(data.draw(st.sampled_from([16, 15])))
    layouts = (((orders, 0, 0), data.draw(st.booleans())),)
    for own in [(None, classes), (third, None), (third, classes)]:
        with contextlib.suppress(ValueError):
            KERNEL.count_texts(
                text, first, second, *own, data.draw(st.booleans()), True, references, systems, layouts, seed
            )


@needs_kernel
@given(st.data())
def test_no_class_table_does_harm(data: st.DataObject) -> None:
    """Whatever bytes the table has, the kernel counts tokens of one byte or more, or raises an error."""
    alphabet = "ab .-é中\U0001f600"
    classes = np.ones(0x110000, np.uint8)
    likely = st.sampled_from([*CLASSES_OF_NUMPY.values(), 4, 64, 66, 70]) | st.integers(1, 255)
    classes[[*map(ord, alphabet)]] = data.draw(st.lists(likely, min_size=len(alphabet), max_size=len(alphabet)))
    texts = [data.draw(st.text(alphabet, max_size=200)).encode() for _ in range(2)]
    lengths = np.array([*map(len, texts)])
    starts = np.cumsum(lengths) - lengths
    try:
        [first, second], matches = count_arrays(b"".join(texts) + bytes(8), starts, lengths, classes=classes)
    except ValueError:
        return
    assert first <= len(texts[0])
    assert matches[0] <= second <= len(texts[1])


@needs_kernel
@pytest.mark.parametrize("seed", [bytes(16), bytes(range(16))])
def test_long_tokens_are_equal_only_if_all_their_bytes_are(seed: bytes) -> None:
    base = bytes(range(64, 106))
    tokens = [base[:size] for size in range(43)] + [base[:size] + b"\0" for size in range(30)]
    tokens += [base[:at] + b"!" + base[at + 1 :] for at in range(42)] + [bytes(size) for size in range(2, 30)]
    lengths = np.array([len(token) for token in tokens])
    starts = np.cumsum(lengths) - lengths
    data = b"".join(tokens) + bytes(8)
    for own in range(len(tokens)):  # a reference of one token, a prediction of all
        order = np.array([own, *range(len(tokens))])
        first_tokens = np.array([0, 1, len(order)])
        answer = KERNEL.count_texts(
            *(data, starts[order], lengths[order], first_tokens, None),
            *(False, False, np.array([0, 1]), 1, LAYOUTS, seed),
        )
        assert np.frombuffer(answer[-1][0], np.int64)[0] == 1


@needs_kernel
@pytest.mark.parametrize("changed", ["data", "starts", "lengths", "classes", "references"])
def test_texts_that_change_during_a_call_do_no_harm(changed: str) -> None:
    rng = np.random.default_rng(11)
    rows = 2000
    data = np.frombuffer(("a bc a long-token-of-many-bytes, 1.5 " * 2 * rows).encode() + bytes(8), np.uint8).copy()
    classes = np.full(0x110000, CLASSES_OF_NUMPY["OTHER"], np.uint8)
    classes[[32, 44, 46]] = [CLASSES_OF_NUMPY[name] for name in ("SPACE", "ALONE", "MARK")]
    arrays = {
        "data": data,
        "starts": np.arange(2 * rows) * 37,
        "lengths": np.full(2 * rows, 37),
        "classes": classes,
        "references": np.arange(rows + 1),
    }

    def count() -> None:
        texts = (data, arrays["starts"], arrays["lengths"], None, classes, True, False)
        KERNEL.count_texts(*texts, arrays["references"], 1, LAYOUTS, SEED)

    change_during_calls(count, arrays[changed], rng)


def change_during_calls(count: Callable[[], Any], array: Any, rng: np.random.Generator) -> None:
    """Call a function while another thread writes wrong numbers into an array, and the right ones back."""
    right, wrong = array.copy(), rng.integers(0, 256, array.nbytes).astype(np.uint8).view(array.dtype)

    def change() -> None:
        at = slice(int(rng.integers(len(array))), None)
        array[at] = wrong[at]
        array[:] = right

    with meanwhile(change):
        for _ in range(60):
            with contextlib.suppress(ValueError):
                count()
    count()


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


SCORE = "import bleu_metric; print(bleu_metric.corpus_bleu(['a b c d e'] * 30, ['a b c d f'] * 30).counts)"


@pytest.fixture
def folder_of_another_kernel(tmp_path: Path) -> Path:
    """A kernel of another version of the package: it has the name, and cannot be used."""
    (tmp_path / "_bleu_metric_kernel.py").write_text("INTERFACE = -1\n")
    return tmp_path


def test_a_kernel_of_another_version_is_ignored(folder_of_another_kernel: Path) -> None:
    assert run_python(SCORE, folder_of_another_kernel).stdout == "[120, 90, 60, 30]\n"


def test_a_kernel_that_is_asked_for_and_missing_is_an_error(folder_of_another_kernel: Path) -> None:
    asked = run_python(SCORE, folder_of_another_kernel, BLEU_METRIC_ENGINE="native")
    assert "ImportError: BLEU_METRIC_ENGINE=native, but the compiled kernel" in asked.stderr


@pytest.mark.parametrize("rows", [1, 100])
def test_an_unknown_engine_is_an_error(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, "nunpy")
    with pytest.raises(ValueError, match=r"did you mean 'numpy'\?\); accepted: 'native', 'numpy'"):
        corpus_bleu(["a b c d e"] * rows, ["a b c d f"] * rows)

"""Every compat module against its live library: random calls have the same answers, types, output and errors."""

from __future__ import annotations

import contextlib
import io
import math
import re
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from compat.calls import LIBRARIES, Call, Library

# Our warnings of input that looks like a mistake; tests/core/test_mistakes.py and test_modules.py have their tests
MISTAKES = re.compile(
    "segment 0 has a list of|references look transposed|the hypothesis is a string|the first reference is a string|"
    r"preds is one|target has strings|\d+ predictions but|reference streams have|"
    r"(hypotheses|references\[\d+\]) is one string|predictions look like padded"
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


def differences(ours: Any, theirs: Any, tolerance: float, path: str = "") -> list[str]:
    """Where two values differ in type, shape or text, or numbers by more than the relative tolerance."""
    if type(ours).__name__ != type(theirs).__name__:
        return [f"{path}: {type(ours)} is not {type(theirs)}"]
    if isinstance(ours, dict):
        ours, theirs = list(ours.items()), list(theirs.items())
    if isinstance(ours, (list, tuple)):
        if len(ours) != len(theirs):
            return [f"{path}: {len(ours)} != {len(theirs)} items"]
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [text for place, pair in pairs for text in differences(*pair, tolerance, f"{path}[{place}]")]
    if hasattr(ours, "dtype"):
        same = (ours.dtype, tuple(ours.shape)) == (theirs.dtype, tuple(theirs.shape))
        return differences(ours.tolist(), theirs.tolist(), tolerance, path) if same else [f"{path}: {ours} != {theirs}"]
    if isinstance(ours, float):
        near = math.isclose(ours, theirs, rel_tol=tolerance)
        return [] if near or (ours != ours and theirs != theirs) else [f"{path}: {ours!r} != {theirs!r}"]
    if type(ours).__name__ == "BLEUScore":
        return differences(vars(ours), vars(theirs), 0.0, path)
    return [] if ours == theirs else [f"{path}: {ours!r} != {theirs!r}"]


def _compare(library: Library, call: Call, ours: Any, theirs: Any) -> str:
    """Compare one call; say what happened, for the count."""
    expected, answer = outcome(call, theirs), outcome(call, ours)
    about = f"{library.name}: {call.about}"
    if expected.error is None:
        assert answer.error is None, (about, answer.error)
        assert not differences(answer.value, expected.value, library.tolerance), (
            about,
            differences(answer.value, expected.value, library.tolerance),
        )
        assert not differences(answer.printed, expected.printed, 0.0), about
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

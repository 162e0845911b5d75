"""Every compat module against its live library: random calls have the same answers, types, output and errors."""

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
    "segment 0 has a list of|references look transposed|the hypothesis is a string|the first reference is a string|"
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

"""Check values that callers pass, such as names and numbers. An error shows the wrong value and what is accepted."""

from __future__ import annotations

import difflib
import math
import operator
import re
import reprlib
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
else:  # without NumPy, which is imported only when it is needed
    Array = Ints = Floats = Bools = Any


Progress = Callable[[int, int], object]  # called with (number of finished steps, number of all steps)

_MOST_NAMES = 100  # an error lists at most this many names, such as columns of a table
# Number of characters of a wrong name that are compared with accepted names, because `difflib` is slow
_MOST_COMPARED = 100
# Messages show only the size of larger integers, because Python cannot print very large integers
_MOST_BITS = 200


class _Short(reprlib.Repr):
    """A `repr` of a few dozen characters, even for values whose own `repr` is very long or fails."""

    def __init__(self) -> None:
        super().__init__()
        vars(self).update(maxlevel=3, maxstring=60, maxother=60, maxlong=70)

    def repr_int(self, x: int, level: int) -> str:
        """Return the digits of an integer, or "<int of 999 bits>" for a very large integer."""
        bits = x.bit_length()
        return f"<int of {bits} bits>" if bits > _MOST_BITS else super().repr_int(x, level)


short_repr = _Short().repr


class Spelling:
    """The names of options and rows in messages, as in Python. The command line has its own spelling."""

    def option(self, name: str, *value: object) -> str:
        """Return an option, alone or with a value: "smoothing" or "smoothing='exp'"."""
        return f"{name}={value[0]!r}" if value else name

    def row(self, texts: str, *indices: int) -> str:
        """Return the name of a text: "predictions", 3 -> "predictions[3]"."""
        return texts + "".join(f"[{index}]" for index in indices)

    def code(self, code: str) -> str:
        """Return an example of Python code for the end of an advice: ", as in CODE"."""
        return f", as in {code}" if code else ""


spelling = Spelling()  # the command line replaces this object while it runs; all threads share this object


def typed(option: str, *value: object) -> str:
    """Return an option as the user types it, alone or with a value.

    >>> typed("max_order"), typed("smoothing", "exp")
    ('max_order', "smoothing='exp'")
    """
    return spelling.option(option, *value)


def row_of(texts: str, *indices: int) -> str:
    """Return the name of a text in errors. A text in a list of lists has two indices.

    >>> row_of("predictions", 3), row_of("references", 1, 0)
    ('predictions[3]', 'references[1][0]')
    """
    return spelling.row(texts, *indices)


def as_in(code: str) -> str:
    """Return an example of Python code for the end of an advice; "" on the command line.

    >>> as_in("text.strip()")
    ', as in text.strip()'
    """
    return spelling.code(code)


# This is "bleu_metric", but the copy that `evaluate.load` makes has another name
_PACKAGE = __name__.rpartition(".")[0]


def warn(message: str, *other_packages: str) -> None:
    """Issue a ``UserWarning`` that points to the innermost line outside this package and `other_packages`.

    `other_packages`: packages between the user's code and this package.
    """
    # With a dot after both names, the prefix "package." matches the module "package", but not "package2"
    prefixes = tuple(f"{package}." for package in (_PACKAGE, *other_packages))
    frame = sys._getframe(1)
    level = 2  # level 1 is this function, and level 2 its caller

    while frame.f_back is not None:
        module = frame.f_globals.get("__name__", "")
        if not f"{module}.".startswith(prefixes):
            break
        frame = frame.f_back
        level += 1

    warnings.warn(message, stacklevel=level)


def as_int(value: object) -> int | None:
    """Return an integer of any type as an int: np.int64(3) -> 3. Return None for Booleans and all other values."""
    if type(value) is int:  # the usual case, which does not import NumPy
        return value
    if isinstance(value, (bool, np.bool_)):
        return None

    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def as_float(value: object) -> float | None:
    """Return a number of any type as a float: 10**400 -> inf. Return None for Booleans and all other values."""
    if type(value) is float:  # the usual case, which does not import NumPy
        return value

    # Values of these types have a `__float__`, but are not real numbers. A value with a `mask` may be masked
    not_real = (bool, np.bool_, np.flexible, np.complexfloating, np.datetime64, np.timedelta64)
    if isinstance(value, not_real) or hasattr(value, "mask") or not hasattr(value, "__float__"):
        return None

    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None


def has_length(value: object) -> bool:
    """Return whether the value has a length. Classes and NumPy arrays without dimensions have no length."""
    is_scalar = isinstance(value, type) or getattr(value, "shape", None) == ()
    return hasattr(value, "__len__") and not is_scalar


def unknown_message(what: str, value: object, accepted: Iterable[object], known_hint: str = "") -> str:
    """Return the message for an unknown name, with `known_hint` or, if `known_hint` is empty, the most similar name.

    >>> unknown_message("dialect", "nlkt", ["sacrebleu", "nltk"])
    "unknown dialect 'nlkt' (did you mean 'nltk'?); accepted: 'sacrebleu', 'nltk'"
    """
    names = list(accepted)
    nearest = "" if known_hint else _nearest(value, names)
    question = f" (did you mean {nearest!r}?)" if nearest else ""
    n_left_out = len(names) - _MOST_NAMES
    all_names = ", ".join(map(repr, names[:_MOST_NAMES])) + (f" and {n_left_out:,} more" if n_left_out > 0 else "")
    return f"unknown {what} {short_repr(value)}{question}; {known_hint}accepted: {all_names}"


def _nearest(value: object, names: Sequence[object]) -> str:
    """Return the name that is most similar to a value, ignoring case. Return "" if no name is similar.

    A name with digits, such as "method7", is similar only to a value with the same digits.
    """
    wrong_name = value if isinstance(value, str) else short_repr(value)
    wrong_name = wrong_name[:_MOST_COMPARED].lower()
    if same := [name for name in names if isinstance(name, str) and name.lower() == wrong_name]:
        return same[0]
    longer = [name for name in names if isinstance(name, str) and name.lower().startswith(f"{wrong_name}-")]
    if len(longer) == 1:  # "mteval" -> "mteval-v13a"
        return longer[0]
    digits = re.findall(r"\d", wrong_name)
    candidates = {}  # name in lower case -> name
    for name in names:
        if isinstance(name, str) and re.findall(r"\d", name) in ([], digits):
            candidates[name.lower()] = name
    matches = difflib.get_close_matches(wrong_name, candidates, n=1)
    return candidates[matches[0]] if matches else ""


Weights = tuple[float, ...]
_USUAL_ORDER = 4  # BLEU-4
# Without a limit, a file could demand a huge table, which has two columns per order
HIGHEST_ORDER = 10_000


def check_weights(weights: Any) -> Weights | None:
    """Check a list of weights, and return a tuple of floats."""
    if weights is None:
        return None

    if not _is_sequence(weights):
        raise TypeError(f"weights must be a list of numbers, got {short_repr(weights)}")
    if not len(weights):
        raise ValueError("weights is empty; give one weight per order, e.g. weights=[0.25, 0.25, 0.25, 0.25]")

    if any(map(_is_sequence, weights)):
        raise TypeError(
            f"weights must be one list of numbers, got {short_repr(weights)}; for several scores, count once with the "
            "highest max_order, as in statistics = corpus_statistics(predictions, references, max_order=4), and call "
            "score(statistics, weights=...) with each list"
        )
    return tuple(check_finite("weights", weight) for weight in weights)


def _is_sequence(value: Any) -> bool:
    """Return whether the value is a list, a tuple or an array, but not a string or a dict."""
    is_list = has_length(value) and hasattr(value, "__getitem__")
    return is_list and not isinstance(value, (str, bytes, Mapping))


def check_finite(option: str, value: Any) -> float:
    """Return a finite number as a float. Raise ``TypeError`` or ``ValueError`` for other values."""
    number = as_float(value)
    if number is None:
        raise TypeError(f"{typed(option)} accepts only numbers, got {short_repr(value)}")
    if not math.isfinite(number):
        raise ValueError(f"{typed(option)} accepts only finite numbers, got {short_repr(value)}")
    return number


def check_order(max_order: Any, weights: Any) -> int:
    """Check `max_order`, and return it. If `max_order` is None, return the number of weights, or 4 without weights.

    `weights`: the result of `check_weights`.
    """
    order = None
    if max_order is not None:
        order = check_count("max_order", max_order, least=1, most=HIGHEST_ORDER)
    if weights is None:
        return order or _USUAL_ORDER

    n_weights = len(weights)
    if n_weights > HIGHEST_ORDER:
        raise ValueError(
            f"{typed('weights')} has {n_weights} numbers, one per order, but the highest order is {HIGHEST_ORDER}"
        )
    if order is not None and order != n_weights:
        raise ValueError(
            f"{typed('max_order', order)}, but {typed('weights')} has {n_weights} numbers; pass only {typed('weights')}"
        )
    return n_weights


def check_type(name: str, value: object, accepted: type | tuple[type, ...], expected: str) -> None:
    """Raise ``TypeError`` if the value is not an instance of `accepted`. `expected`: `accepted` in words."""
    if not isinstance(value, accepted):
        raise TypeError(f"{name} must be {expected}, got {short_repr(value)} ({type(value).__name__})")


def check_methods(name: str, value: object, methods: Iterable[str], expected: str) -> None:
    """Raise ``TypeError`` if the value lacks one of the methods. `expected`: the accepted values in words."""
    if not all(hasattr(value, method) for method in methods):
        raise TypeError(f"{name} must be {expected}, got {type(value).__name__}")


_MOST_TRIALS = 10**9  # more resamples or swaps would take days


def check_count(name: str, value: object, least: int, most: int = _MOST_TRIALS) -> int:
    """Return an integer from `least` to `most` as an int. Raise ``TypeError`` or ``ValueError`` for other values."""
    number = as_int(value)
    if number is None:
        raise TypeError(f"{typed(name)} must be an integer, got {short_repr(value)}")

    if number < least:
        raise ValueError(f"{typed(name)} must be at least {least}, got {short_repr(value)}")
    if number > most:
        raise ValueError(f"{typed(name)} must be at most {most}, got {short_repr(value)}")
    return number


def check_seed(seed: object) -> int:
    """Check that a seed is an integer from 0 to 2**256, and return it. The limit keeps signatures short."""
    return check_count("seed", seed, least=0, most=2**256)


def check_probability(confidence: object) -> float:
    """Return a number above 0 and below 1 as a float. Raise ``TypeError`` or ``ValueError`` for other values."""
    number = check_finite("confidence", confidence)
    if not 0 < number < 1:
        raise ValueError(
            f"{typed('confidence')} must be above 0 and below 1, got {short_repr(confidence)}; for 95 %, pass "
            f"{typed('confidence', 0.95)}"
        )
    return number

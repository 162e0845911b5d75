"""The error for a name that does not exist: what came, what it was near to, what is accepted."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def unknown(what: str, value: object, accepted: Iterable[object]) -> str:
    """Say it: ``unknown dialect 'nlkt' (did you mean 'nltk'?); accepted: 'default', 'nltk', …``."""
    names = list(accepted)
    near = difflib.get_close_matches(str(value), [name for name in names if isinstance(name, str)], 1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"unknown {what} {value!r}{hint}; accepted: {', '.join(repr(name) for name in names)}"

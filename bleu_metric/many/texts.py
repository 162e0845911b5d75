"""Convert the caller's input to segments of texts, and the texts to tokens. Each text is tokenized once.

A segment is a set of texts that are compared with one another, such as the candidates and the references of one source
sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from .._advice import warn_of_set
from .._config import BleuConfig, tokenization_of
from .._corpus import Kind, as_rows, check_texts, first_leaf, is_list
from .._tokens import tokenize
from .._validation import row_of, short_repr, typed

# (type of the innermost values, depth of nested lists) -> (kind of the texts, whether the outer list is a batch)
_Forms = Mapping[tuple[type, int], tuple[Kind, bool]]
_FORMS: _Forms = {
    (str, 1): ("text", False),
    (int, 2): ("ids", False),
    (str, 2): ("text", True),
    (str, 3): ("tokens", True),
    (int, 3): ("ids", True),
}
# For functions that accept no batch, [["a", "b"], ["a", "c"]] is two texts, each a list of tokens
_FLAT_FORMS: _Forms = {(str, 1): ("text", False), (str, 2): ("tokens", False), (int, 2): ("ids", False)}


class Segments(NamedTuple):
    """The hypotheses or the references of all segments."""

    name: str  # the parameter, such as "references"
    kind: Kind  # "text" for strings, "tokens" for lists of tokens, "ids" for lists of token ids
    lists: list[Any]  # the texts of each segment
    is_batch: bool  # whether the caller passed a list of segments: [["a", "b"]], not ["a", "b"]

    def checked(self) -> list[list[Any]]:
        """Check all texts, and return them: one list per segment."""
        lists = []
        for segment, texts in enumerate(self.lists):
            name_text = partial(row_of, self.name, segment) if self.is_batch else partial(row_of, self.name)
            lists.append(check_texts(texts, self.kind, name_text))
        return lists

    def tokens(self, config: BleuConfig) -> list[list[list[Any]]]:
        """Check the texts and return their tokens, one list of texts per segment."""
        checked = self.checked()
        self.warn(config)
        return [tokenize(texts, self.kind, tokenization_of(config)) for texts in checked]

    def warn(self, config: BleuConfig) -> None:
        """Warn of likely mistakes in the texts, which were checked before."""
        advice = "pass each text as one string"
        if not self.is_batch:
            advice += f", all in one list, with {typed('groups')} if they belong to several sets"
        warn_of_set(list(chain.from_iterable(self.lists)), self.kind, self.name, config, advice)


def as_segments(values: Any, name: str) -> Segments:
    """Read one segment, such as ``["a", "b"]``, or a batch of segments, such as ``[["a", "b"], ["c"]]``."""
    return _as_segments(values, name, _FORMS, "strings or of lists of token ids, or a list of such lists")


def flat_texts(values: Any) -> Segments:
    """Read the texts of one segment: a list of strings, of lists of tokens, or of lists of token ids."""
    return _as_segments(values, "texts", _FLAT_FORMS, "strings, of lists of tokens or of lists of token ids")


def _as_segments(values: Any, name: str, forms: _Forms, accepted: str) -> Segments:
    """Read segments in one of `forms`. The type and depth of the first innermost value decide the form.

    Without a value, the type is string. Raise ``TypeError`` for another form, and ``ValueError`` for a segment without
    texts.
    """
    rows = list(as_rows(values, name))
    leaf, depth = first_leaf(rows, deepest=4)
    is_string = leaf is None or isinstance(leaf, str)
    form = (str if is_string else int, depth)
    if form not in forms:
        raise TypeError(f"{name} must be a list of {accepted}, got {short_repr(rows)}")
    kind, is_batch = forms[form]

    segments = rows if is_batch else [rows]
    for index, texts in enumerate(segments):
        segment_name = row_of(name, index) if is_batch else name
        if not is_list(texts):
            raise TypeError(
                f"{segment_name} is {short_repr(texts)}, but the other segments are lists: give each segment as a list"
            )
        if not len(texts):
            raise ValueError(f"{segment_name} is empty; give at least one text")
    return Segments(name, kind, segments, is_batch)


def refuse_missing_references(config: BleuConfig) -> None:
    """Raise ``ValueError`` for ``empty_references="missing"``, which could leave a segment without references."""
    if config.empty_references == "missing":
        option = typed("empty_references", "missing")
        raise ValueError(f"{option} is not accepted here: remove the empty texts before the call")

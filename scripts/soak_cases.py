"""The cases of the soak: what is drawn, and in which containers it comes.

A case is plain data, so that it can be saved, shrunk and replayed. What is drawn depends on the seed and the number of
the case alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
from corpora import as_list_views, random_corpus
from peers import PEERS

from bleu_metric import DIALECTS, BleuConfig
from bleu_metric._config import CHOICES
from bleu_metric._smoothing import SMOOTHINGS

WAYS = (
    *("corpus_bleu", "sentence_bleu", "score_dialects", "score_systems", "groups", "metric", "metric in pieces"),
    *("statistics merged", "statistics saved", "groups saved", "data set", "data set streamed", "partial sums"),
)
TOKENIZERS = ("13a", "intl", "zh", "char", "whitespace", "none")
WHITE_SPACE = ("13a", "whitespace", "none")  # tokenizers that the option is for


@dataclass(frozen=True)
class Case:
    """One corpus, how it is scored, and how it goes in; the defaults are the plainest way."""

    dialect: str
    kind: str  # "text", "tokens" or "ids"
    predictions: list[Any]
    references: list[list[Any]]
    options: dict[str, Any] = field(default_factory=dict)
    of_peer: dict[str, Any] | None = None  # the same in the peer's own words; None: the peer is not asked
    way: str = "corpus_bleu"
    containers: tuple[str, str] = ("list", "list")
    flat: bool = False  # one reference each, not in a list
    cuts: list[int] = field(default_factory=list)  # where pieces start
    order: list[int] = field(default_factory=list)  # in which the pieces are merged
    groups: list[str] = field(default_factory=list)
    threads: int = 1
    rows: int = 4000  # read at once
    bytes: int = 2 << 20

    @property
    def config(self) -> BleuConfig:
        """What is scored; ready tokens have no tokenizer."""
        config = DIALECTS[self.dialect].with_options(self.options)
        return config if self.kind == "text" else config.with_options({"tokenizer": "none"})

    def part(self, rows: Sequence[int]) -> tuple[Any, Any]:
        """Put some rows into their containers."""
        predictions = [self.predictions[row] for row in rows]
        references = [self.references[row][0] if self.flat else self.references[row] for row in rows]
        left, right = self.containers
        return CONTAINERS[left](predictions, self.kind, 0), CONTAINERS[right](references, self.kind, 1 - self.flat)

    def pieces(self) -> list[range]:
        """Rows of each piece, in the order of the rows."""
        bounds = [0, *self.cuts, len(self.predictions)]
        return [range(*pair) for pair in pairwise(bounds)]


# --- containers -------------------------------------------------------------------------------------------------


def _type(kind: str, nested: int, text: pa.DataType | None = None, lists: Any = pa.list_) -> pa.DataType:
    found = pa.int64() if kind == "ids" else text or pa.string()
    for _ in range(nested + (kind != "text")):
        found = lists(found)
    return found


def _objects(rows: list[Any]) -> np.ndarray[Any, Any]:
    array = np.empty(len(rows), object)
    for place, row in enumerate(rows):
        array[place] = row
    return array


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _large(rows: list[Any], kind: str, nested: int) -> Any:
    return pa.array(rows, _type(kind, nested, pa.large_string(), pa.large_list))


def _chunks(rows: list[Any], kind: str, nested: int) -> Any:
    third = len(rows) // 3
    parts = (rows[:third], [], rows[third:])
    return pa.chunked_array([pa.array(part, _type(kind, nested)) for part in parts])


def _slice(rows: list[Any], kind: str, nested: int) -> Any:
    around: list[Any] = ["x. ", "ä"] if kind == "text" else [["x", "y"] if kind == "tokens" else [1, 2]] * 2
    first, last = [[one] for one in around] if nested else around
    return pa.array([first, *rows, last], _type(kind, nested))[1:-1]


def _encoded(rows: list[Any], kind: str, nested: int) -> Any:
    if nested or kind != "text":
        return pa.array(rows, _type(kind, nested))
    return pa.array(rows, pa.string()).dictionary_encode()


CONTAINERS: dict[str, Callable[[list[Any], str, int], Any]] = {
    "list": lambda rows, _kind, _nested: rows,
    "tuple": lambda rows, _kind, _nested: _tuples(rows),
    "numpy": lambda rows, _kind, _nested: _objects(rows),
    "numpy in numpy": lambda rows, _kind, _nested: _objects(
        [_objects(row) if isinstance(row, list) else row for row in rows]
    ),
    "pandas": lambda rows, _kind, _nested: pd.Series(rows, index=range(7, 7 + len(rows)), dtype=object),
    "pandas strings": lambda rows, kind, nested: pd.Series(
        rows, dtype=object if nested or kind != "text" or None in rows else "str"
    ),
    "arrow": lambda rows, kind, nested: pa.array(rows, _type(kind, nested)),
    "arrow untyped": lambda rows, _kind, _nested: pa.array(rows),
    "arrow large": _large,
    "arrow view": lambda rows, kind, nested: pa.array(rows, _type(kind, nested, pa.string_view())),
    "arrow list view": lambda rows, kind, nested: pa.array(rows, _type(kind, nested, None, pa.list_view)),
    "arrow list view of views": lambda rows, kind, nested: as_list_views(pa.array(rows, _type(kind, nested))),
    "arrow chunks": _chunks,
    "arrow slice": _slice,
    "arrow dictionary": _encoded,
    "datasets": lambda rows, _kind, _nested: datasets.Dataset.from_dict({"rows": rows})["rows"],
}

# --- drawing ----------------------------------------------------------------------------------------------------

_OPTIONAL = 0.3  # how likely an option is drawn
_HUGE = (2**63 - 1, -(2**63), 2**31, -1, 0)  # token ids


def _own_options(rng: np.random.Generator) -> dict[str, Any]:
    """Draw options as no single library has them together."""
    options: dict[str, Any] = {
        name: choices[int(rng.integers(len(choices)))]
        for name, choices in {**CHOICES, "tokenizer": TOKENIZERS}.items()
        if rng.random() < _OPTIONAL
    }
    if options.get("tokenizer", "13a") not in WHITE_SPACE:
        options["whitespace"] = "python"
    if SMOOTHINGS[options.get("smoothing", "none")].value is not None and rng.integers(2):
        options["smoothing_value"] = float(rng.uniform(0.01, 9))
    form = rng.integers(4)
    if form == 0:
        options["max_order"] = int(rng.choice([1, 2, 3, 5, 8, 30]))
    elif form == 1:
        options["weights"] = _weights(rng)
    elif form == 2:
        options["weights"] = [_weights(rng) for _ in range(int(rng.integers(1, 4)))]
    return options


def _weights(rng: np.random.Generator) -> list[float]:
    weights = rng.uniform(0, 1, int(rng.integers(1, 7)))
    weights[rng.random(len(weights)) < 0.1] = 0
    return weights.tolist() if rng.integers(3) else [*[0.25] * 4, *[0.0] * int(rng.integers(2))]


def _corpus(rng: np.random.Generator, kind: str, flat: bool) -> tuple[list[Any], list[list[Any]]]:
    predictions: list[Any] = []
    references: list[list[Any]] = []
    for _ in range(int(rng.integers(2, 25)) if rng.random() < 0.15 else 1):
        texts, refs = random_corpus(rng, "text" if kind == "text" else "tokens", none=bool(rng.integers(2)))
        predictions, references = predictions + texts, references + refs
    if flat:
        references = [[ref for ref in refs if ref is not None][:1] for refs in references]
        if kind != "text":
            references = [refs if refs[0] else [["a"]] for refs in references]  # [] could mean: no reference
    if kind != "ids":
        return predictions, references
    texts = [*predictions, *(ref or [] for refs in references for ref in refs)]
    words = sorted({token for text in texts for token in text})
    ids = dict(zip(words, [*_HUGE, *range(5, 100)] if rng.integers(2) else range(100), strict=False))

    def spelled(text: list[str] | None) -> list[int] | None:
        return None if text is None else [ids[token] for token in text]

    return [spelled(text) for text in predictions], [[spelled(ref) for ref in refs] for refs in references]


def _way(rng: np.random.Generator, config: BleuConfig) -> str:
    way = WAYS[int(rng.integers(len(WAYS)))]
    no_sums = config.average == "sentence" or config.depends_on_segment_order
    return "statistics merged" if way == "partial sums" and no_sums else way


def draw(seed: int, number: int) -> Case:
    """Draw the case of this number."""
    rng = np.random.default_rng([seed, number])
    dialect = [*DIALECTS][number % len(DIALECTS)]
    kind = str(rng.choice(["text", "tokens", "ids"], p=[0.6, 0.25, 0.15]))
    flat = rng.random() < 0.2
    predictions, references = _corpus(rng, kind, flat)
    if dialect in PEERS and rng.random() < 0.7:
        of_peer, options = PEERS[dialect].draw(rng)
    else:
        of_peer, options = None, _own_options(rng)
    segments = len(predictions)
    cuts = np.unique(rng.integers(1, segments, int(rng.integers(4)))).tolist() if segments > 1 else []
    names = list(CONTAINERS)
    case = Case(
        *(dialect, kind, predictions, references, options, of_peer),
        containers=(names[rng.integers(len(names))], names[rng.integers(len(names))]),
        flat=flat,
        cuts=cuts,
        order=rng.permutation(len(cuts) + 1).tolist(),
        groups=[f"group {one}" for one in rng.integers(0, 3, segments)],
        threads=int(rng.integers(1, 4)),
        rows=int(rng.choice([1, 3, 4000])),
        bytes=int(rng.choice([1, 100, 2 << 20])),
    )
    return replace(case, way=_way(rng, case.config))

"""What Hypothesis draws for the oracle: corpora, options, containers, and the way in.

The plainest choice of everything stands first, because Hypothesis shrinks towards it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from containers import CONTAINERS
from corpora import NASTY, WORDS
from hypothesis import strategies as st
from oracle import REFERENCE_LENGTHS, SMOOTHINGS, Result
from oracle_tokenizers import SPACES, TOKENIZERS
from peers import PEERS, Answer

from bleu_metric import DIALECTS, BleuConfig


@dataclass(frozen=True)
class Case:
    """One corpus, how it is scored, and how it goes in."""

    dialect: str
    kind: str  # "text", "tokens" or "ids"
    predictions: list[Any]
    references: list[list[Any]]
    options: dict[str, Any] = field(default_factory=dict)
    way: str = "corpus_bleu"
    containers: tuple[str, str] = ("list", "list")
    is_flat: bool = False  # one reference each, not in a list
    cuts: list[int] = field(default_factory=list)  # where the pieces start
    order: list[int] = field(default_factory=list)  # in which the pieces are merged
    groups: list[Any] = field(default_factory=list)  # one label per segment
    threads: int = 1
    rows_at_once: int = 4000
    bytes_at_once: int = 2 << 20
    by_arrays: bool = False

    @property
    def config(self) -> BleuConfig:
        """What is scored. Ready tokens and ids have no tokenizer."""
        config = config_of(self.dialect, self.options)
        return config if self.kind == "text" else config.with_options({"tokenizer": "none"})

    def part(self, rows: Sequence[int]) -> tuple[Any, Any]:
        """Put some rows into their containers."""
        predictions = [self.predictions[row] for row in rows]
        references = [self.references[row] for row in rows]
        if self.is_flat:
            references = [of_segment[0] for of_segment in references]
        left, right = self.containers
        nested = 0 if self.is_flat else 1
        return CONTAINERS[left](predictions, self.kind, 0), CONTAINERS[right](references, self.kind, nested)

    def whole(self) -> tuple[Any, Any]:
        """Put all rows into their containers."""
        return self.part(range(len(self.predictions)))

    def pieces(self) -> list[range]:
        """Rows of each piece, in the order of the rows."""
        bounds = [0, *self.cuts, len(self.predictions)]
        return [range(*pair) for pair in pairwise(bounds)]


def config_of(dialect: str, given: dict[str, Any]) -> BleuConfig:
    """Override a dialect's options by those of the caller."""
    return DIALECTS[dialect].with_options(given)


def answer_of(result: Result) -> Answer:
    """Write a result of the oracle as the answers of libraries are written."""
    return Answer(result.bleu, result.counts, result.totals, result.translation_length, result.reference_length)


# --- texts ------------------------------------------------------------------------------------------------------

# Unassigned characters are left out: libraries know different versions of Unicode.
ANY_CHARACTER = st.characters(exclude_categories=("Cs", "Cn", "Co"))
NASTY_PIECES = [*"ab12. ,-&", *NASTY, *WORDS]
LONG_TOKENS = ["a" * 8, "a" * 9, "a" * 70, "a" * 71]  # around the sizes of machine words and of views
NASTY_TOKENS = ["a b", "", "a\0", "é", "É", "ΑΣ", "&amp;", "\u3000", "中文", *LONG_TOKENS]
IDS = [0, 1, 2, 3, 5, 7, 11, 2**31, 2**32, 2**63 - 1]

WORD_TEXTS = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
NASTY_TEXTS = st.lists(st.sampled_from(NASTY_PIECES), max_size=30).map("".join)
# Few pieces each, so that they meet in every order
ALPHABETS = {
    "marks and digits": [*"a1 .,-2!", "½", "¿"],
    "entities": ["&quot;", "&amp;", "&lt;", "&gt;", "&", "amp;", "lt;", "a", " ", "&QUOT;"],
    "line ends": ["-\n", "\n", "-", "a", "1", " ", "<skipped>", "<skip", "ped>"],
    "spaces": ["a", " ", "\t", "\x1c", "\x1f", "\x85", "\xa0", "\u2003", "\u2028", "\u3000"],
    "letters": [*"aAÉéßİΣς", " ", "Σ ", "中", "あ", "\u2a6d"],
}
SMALL_ALPHABETS = st.one_of(
    *(st.lists(st.sampled_from(alphabet), max_size=20).map("".join) for alphabet in ALPHABETS.values())
)
ANY_TEXTS = st.text(ANY_CHARACTER, max_size=12)
TEXTS = {
    "text": st.one_of(WORD_TEXTS, SMALL_ALPHABETS, NASTY_TEXTS, ANY_TEXTS),
    "tokens": st.one_of(
        st.lists(st.sampled_from(WORDS), max_size=25),
        st.lists(st.sampled_from([*WORDS[:3], *NASTY_TOKENS]), max_size=15),
    ),
    "ids": st.lists(st.sampled_from(IDS), max_size=25),
}


@st.composite
def near(draw: st.DrawFn, text: Any) -> Any:
    """Leave out up to three places of a text, so that long n-grams match."""
    for place in draw(st.lists(st.integers(0, 40), max_size=3)):
        text = text[:place] + text[place + 1 :]
    return text


@st.composite
def segments(draw: st.DrawFn, kind: str, most: int, with_none: bool) -> tuple[Any, list[Any]]:
    """Draw a prediction and its references, in which None may stand."""
    prediction = draw(TEXTS[kind])
    reference = st.one_of(near(prediction), TEXTS[kind])
    references = draw(st.lists(reference, min_size=1, max_size=most))
    if with_none:
        places = st.lists(st.integers(0, len(references)), max_size=2)
        for place in draw(places):
            references.insert(place, None)
    return prediction, references


@st.composite
def corpora(draw: st.DrawFn, kind: str, is_flat: bool = False, with_none: bool = False) -> tuple[list[Any], list[Any]]:
    """Draw a corpus: up to 8 segments with up to 4 references, or a few segments with up to 20."""
    many_references = not is_flat and draw(st.sampled_from([False] * 9 + [True]))
    most = 20 if many_references else 4
    if is_flat:
        most, with_none = 1, False
    longest = 2 if many_references else 8
    drawn = draw(st.lists(segments(kind, most, with_none), min_size=1, max_size=longest))
    predictions = [prediction for prediction, _ in drawn]
    references = [of_segment for _, of_segment in drawn]
    if is_flat and kind != "text":  # an empty list could also mean: no reference
        instead = ["a"] if kind == "tokens" else [1]
        references = [[_not_like_texts(of_segment[0] or instead)] for of_segment in references]
    return predictions, references


def _not_like_texts(tokens: list[Any]) -> list[Any]:
    """Add a token without a space where all others have one: a list of such strings is rejected."""
    have_spaces = all(isinstance(token, str) and " " in token for token in tokens)
    return [*tokens, "a"] if have_spaces else tokens


# --- options ----------------------------------------------------------------------------------------------------


def split_at_dashes(text: str) -> list[str]:
    """Be a tokenizer of a user: its tokens may be empty, and may hold spaces."""
    return text.split("-")


# The values of each option that has a list of them. Other tokenizers need models or dictionaries.
VALUES: dict[str, tuple[Any, ...]] = {
    "tokenizer": tuple(TOKENIZERS),
    "lowercase": (False, True, "after", "ascii"),
    "normalization": ("none", "NFC", "NFKC"),
    "strip": (True, False),
    "whitespace": tuple(SPACES),
    "smoothing": tuple(SMOOTHINGS),
    "reference_length": tuple(REFERENCE_LENGTHS),
    "effective_order": (False, True, "sentence"),
    "auto_reweigh": (False, True),
    "average": ("corpus", "sentence"),
    "total_floor": ("none", "segment", "corpus"),
    "zero_score": ("no-match", "any-order", "empty", "empty-prediction", "never"),
    "zero_precision": ("zero", "skip", "skip-absent"),
}

WEIGHT = st.one_of(st.floats(0, 1, allow_subnormal=False), st.sampled_from([0.25, 0.0, 1.0, -0.01]))
WEIGHTS = st.one_of(st.just([0.25] * 4), st.just([0.25] * 4 + [0.0]), st.lists(WEIGHT, min_size=1, max_size=6))
FORMS = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"max_order": st.sampled_from([1, 2, 3, 5, 8, 30])}),
    st.fixed_dictionaries({"weights": WEIGHTS}),
)


@st.composite
def own_options(draw: st.DrawFn) -> dict[str, Any]:
    """Draw options in combinations that no library has."""
    chosen = {name: st.sampled_from(values) for name, values in VALUES.items()}
    chosen["tokenizer"] = st.one_of(chosen["tokenizer"], st.just(split_at_dashes))
    options = draw(st.fixed_dictionaries({}, optional=chosen))
    options.update(draw(FORMS))
    takes_value = BleuConfig(smoothing=options.get("smoothing", "none")).smoothing_value is not None
    if takes_value and draw(st.booleans()):
        options["smoothing_value"] = draw(st.floats(0.01, 9))
    return options


@st.composite
def peer_options(draw: st.DrawFn, dialect: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw options that a peer has: its own, and ours that mean the same."""
    peer = PEERS[dialect]
    if draw(st.booleans()):
        _, theirs, ours = draw(st.sampled_from(peer.choices))
        return theirs, ours
    return peer.draw(np.random.default_rng(draw(st.integers(0, 2**32))))


@st.composite
def any_options(draw: st.DrawFn, dialect: str) -> dict[str, Any]:
    """Draw options, of a library or not."""
    if dialect in PEERS and draw(st.booleans()):
        return draw(peer_options(dialect))[1]
    return draw(own_options())


# --- cases ------------------------------------------------------------------------------------------------------


@st.composite
def cases(draw: st.DrawFn, dialect: str, ways: Sequence[str]) -> Case:
    """Draw everything that may matter to a score, and everything that must not."""
    way = draw(st.sampled_from(ways))
    kind = draw(st.sampled_from(["text", "text", "text", "tokens", "ids"]))
    is_flat = draw(st.sampled_from([False, False, False, True]))
    predictions, references = draw(corpora(kind, is_flat, with_none=draw(st.booleans())))
    count = len(predictions)
    cuts = sorted(draw(st.sets(st.integers(1, count - 1), max_size=3))) if count > 1 else []
    label = draw(st.sampled_from([st.sampled_from(["news", "chat", ""]), st.integers(0, 2)]))
    container = st.sampled_from(list(CONTAINERS))
    return Case(
        dialect=dialect,
        kind=kind,
        predictions=predictions,
        references=references,
        options=draw(any_options(dialect)),
        way=way,
        containers=(draw(container), draw(container)),
        is_flat=is_flat,
        cuts=cuts,
        order=draw(st.permutations(range(len(cuts) + 1))),
        groups=draw(st.lists(label, min_size=count, max_size=count)),
        threads=draw(st.integers(1, 3)),
        rows_at_once=draw(st.sampled_from([4000, 3, 1])),
        bytes_at_once=draw(st.sampled_from([2 << 20, 100, 1])),
        by_arrays=draw(st.booleans()),
    )

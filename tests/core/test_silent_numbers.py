"""Inputs that once gave a wrong number, or an error that led astray."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_metric import DIALECTS, corpus_bleu, score_dialects

pytestmark = pytest.mark.usefixtures("by_arrays")

# Pieces whose neighbours decide what a tokenizer does: what is lower-cased into ASCII, tags and entities, line ends.
PIECES = ["a", "B", "1", "-", ".", " ", "\n", "\x1f", "\u2028", "İ", "<skipped>", "<s\u212aipped>", "&quot;", "&QUOT;"]
TEXT = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@given(
    st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3),
    st.sets(st.sampled_from(sorted(DIALECTS)), min_size=2),
    st.fixed_dictionaries(
        {},
        optional={
            "lowercase": st.sampled_from([False, True, "ascii", "after"]),
            "tokenizer": st.sampled_from(["13a", "none", "whitespace", "intl", "zh", "char"]),
            "strip": st.booleans(),
            "whitespace": st.sampled_from(["ascii", "unicode", "python"]),
        },
    ),
)
@example([("x a b c d e foo-<s\u212aipped>\n", "x a b c d e foo")], set(DIALECTS), {"lowercase": True})
def test_dialects_together_give_what_each_gives_alone(
    pairs: list[tuple[str, str]], dialects: set[str], options: dict[str, Any]
) -> None:
    predictions, references = [list(texts) for texts in zip(*pairs, strict=True)]
    together = score_dialects(predictions, references, dialects, **options)
    assert together == {dialect: corpus_bleu(predictions, references, dialect, **options) for dialect in together}

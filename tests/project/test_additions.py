"""Every dialect, tokenizer, smoothing and rule for the reference length is in all files that need its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from pathlib import Path

import numpy as np
import pytest
from inner_doors import INDEPENDENT, REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS, WORD_TOKENIZERS, tokens_of
from peers import PEERS

from bleu_metric import DIALECTS
from bleu_metric.comparison import find

ROOT = Path(__file__).resolve().parents[2]


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _keys(path: str, name: str) -> set[str]:
    """Return the keys of the dictionary `name`, and of those in it."""
    nodes = [node for node in ast.parse(_read(path)).body if isinstance(node, (ast.Assign, ast.AnnAssign))]
    [node] = [node for node in nodes if re.match(rf"{name}\b", ast.unparse(node))]
    rows = [inner for inner in ast.walk(node) if isinstance(inner, ast.Dict)]
    keys = [key.value for row in rows for key in row.keys if isinstance(key, ast.Constant)]
    return {key for key in keys if isinstance(key, str)}


def _in_table(path: str, head: str, column: int) -> set[str]:
    """Return the names in a column of the table that begins with `head`, without quotation marks."""
    rows = _read(path).split(head)[1].split("\n\n")[0].splitlines()[1:]
    return {name.strip('"') for row in rows for name in re.findall("`([^`]+)`", row.split("|")[column])}


def _in_card() -> set[str]:
    return {*re.findall(r"`([^`]+)`", _read("metric_card.md").split("The dialects are ")[1].split(". ")[0])}


def _in_readme(dialect: str) -> bool:
    """Return whether "Libraries" lists the dialect or its library, as for a second function of a library."""
    libraries = _read("README.md").split("computes the scores of ")[1].split("). ")[0].lower()
    module = PEERS[dialect].module if dialect in PEERS else dialect
    return not {dialect, module}.isdisjoint(re.findall(r"[\w-]+", libraries)) or dialect == "papineni"  # of a paper


def _needs_spaces(tokenizer: str) -> bool:
    return len(tokens_of(["猫猫"], tokenizer)[0]) == 1


def _ignores_predictions(rule: str) -> bool:
    """Return whether the lengths are the same for predictions of all lengths up to 20."""
    references, bounds = np.array([9, 3, 12]), np.array([0, 3])
    found = {int(REFERENCE_LENGTHS[rule](np.array([length]), references, bounds)[0]) for length in range(20)}
    return len(found) == 1


def _finds_smoothings(dialect: str) -> bool:
    """Return whether `find_settings` tries all smoothings that the library's options stand for."""
    own = DIALECTS[dialect].smoothing
    choices = PEERS[dialect].choices if dialect in PEERS else []
    return {ours.get("smoothing", own) for _, _, ours in choices} <= {own, *find._OFFERED.get(dialect, ())}


def _has_golden_values(dialect: str) -> bool:
    return (ROOT / f"tests/peers/golden/{dialect}.json").exists()


# Kind -> its names, and for each file: what to add to it, and the names in it or a function that tests one
Place = tuple[str, str, Collection[str] | Callable[[str], bool]]
PLACES: dict[str, tuple[Collection[str], list[Place]]] = {
    "dialect": (
        DIALECTS,
        [
            (
                "scripts/peers.py",
                "a row to PEERS",
                {*PEERS, "papineni", "multi-bleu", "multi-bleu-detok", "mteval-v13a"},  # of Perl: only golden values
            ),
            (
                "tests/peers/golden",
                "the library's scores: python scripts/maintenance/make_golden.py DIALECT",
                lambda dialect: dialect == "papineni" or _has_golden_values(dialect),
            ),
            ("README.md", 'the library (or the name) to the list in "Libraries"', _in_readme),
            ("metric_card.md", 'the name to "The dialects are"', _in_card()),
            ("CHANGELOG.md", "the name", {*re.findall(r"[\w-]+", _read("CHANGELOG.md"))}),
            ("bleu_metric/comparison/find.py", "its library's smoothings to _OFFERED", _finds_smoothings),
            ("scripts/space/app.py", "a row to DIALECT_GROUPS", _keys("scripts/space/app.py", "DIALECT_GROUPS")),
            (
                "docs/reference/dialects.md",
                'a row to the table "your library"',
                _in_table("docs/reference/dialects.md", "| your library |", 2),
            ),
            (
                "docs/guide/dialects.md",
                "a line of output: python scripts/maintenance/fill_outputs.py docs/guide/dialects.md",
                {*re.findall(r"^([\w-]+) +\d+\.\d+$", _read("docs/guide/dialects.md"), re.MULTILINE)},
            ),
        ],
    ),
    "tokenizer": (
        TOKENIZERS,
        [
            (
                "tests/peers/oracle_tokenizers.py",
                "a row to TOKENIZERS",
                _keys("tests/peers/oracle_tokenizers.py", "TOKENIZERS"),
            ),
            (
                "scripts/peers.py",
                "the original to ORIGINAL_TOKENIZERS (if it is sacrebleu's: the name to this test)",
                {*_keys("scripts/peers.py", "ORIGINAL_TOKENIZERS"), "13a", "intl", "zh", "char", "none"},
            ),
            (
                "docs/guide/tokenizers.md",
                'a row to the table "your texts"',
                {*re.findall(r'`"([^`]+)"`', _read("docs/guide/tokenizers.md"))},
            ),
            (
                "bleu_metric/_languages.py",
                "the name to WORD_TOKENIZERS, because it needs spaces between words",
                lambda tokenizer: not _needs_spaces(tokenizer) or tokenizer in WORD_TOKENIZERS,
            ),
        ],
    ),
    "smoothing": (
        SMOOTHINGS,
        [
            ("tests/peers/oracle.py", "a row to SMOOTHINGS", _keys("tests/peers/oracle.py", "SMOOTHINGS")),
            (
                "docs/guide/smoothing.md",
                'a row to the table "name"',
                _in_table("docs/guide/smoothing.md", "| name |", 1),
            ),
        ],
    ),
    "reference length": (
        REFERENCE_LENGTHS,
        [
            (
                "tests/peers/oracle.py",
                "a row to REFERENCE_LENGTHS",
                _keys("tests/peers/oracle.py", "REFERENCE_LENGTHS"),
            ),
            ("docs/tables.py", "a row to REFERENCE_LENGTHS", _keys("docs/tables.py", "REFERENCE_LENGTHS")),
            (
                "bleu_metric/comparison/checks.py",
                "the name to _INDEPENDENT, because it ignores the predictions",
                lambda rule: not _ignores_predictions(rule) or rule in INDEPENDENT,
            ),
        ],
    ),
}


@pytest.mark.parametrize("kind", PLACES)
def test_no_file_lacks_a_name(kind: str) -> None:
    names, places = PLACES[kind]
    missing = [
        f"{file}: {name!r} is missing; add {what}"
        for name in names
        for file, what, found in places
        if not (found(name) if callable(found) else name in found)
    ]
    if missing:
        pytest.fail("\n".join(missing), pytrace=False)

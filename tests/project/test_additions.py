"""Every dialect, tokenizer, smoothing and rule for the reference length is in all files that need its name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

import numpy as np
import pytest
from inner_doors import REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS, tokens_of
from peers import PEERS

from bleu_metric import DIALECTS
from bleu_metric.cli.options import TABLE_FORMATS
from bleu_metric.comparison import find

ROOT = Path(__file__).resolve().parents[2]
NAMES: dict[str, Iterable[str]] = {
    "dialect": DIALECTS,
    "tokenizer": TOKENIZERS,
    "smoothing": SMOOTHINGS,
    "reference length": REFERENCE_LENGTHS,
}
NAMES["output format"] = TABLE_FORMATS


def _ignores_predictions(rule: str) -> bool:
    """Return whether the lengths are the same for predictions of all lengths up to 20."""
    references, bounds = np.array([9, 3, 12]), np.array([0, 3])
    return len({int(REFERENCE_LENGTHS[rule](np.array([length]), references, bounds)[0]) for length in range(20)}) == 1


OF_PERL = {"papineni", "multi-bleu", "multi-bleu-detok", "mteval-v13a"}  # only golden values
OF_SACREBLEU = {"13a", "intl", "zh", "char", "none"}
SPLIT_WITHOUT_SPACES = {name for name in TOKENIZERS if len(tokens_of(["猫猫"], name)[0]) > 1}
DEPEND_ON_PREDICTIONS = {rule for rule in REFERENCE_LENGTHS if not _ignores_predictions(rule)}
FILL = "a line of output: python scripts/maintenance/fill_outputs.py docs/guide/dialects.md"
TO_ORIGINALS = "the original to ORIGINAL_TOKENIZERS (if it is sacrebleu's: the name to this test)"

# Kind, what to add to which file, the beginning of the paragraph with the names, and names that are not needed there
PLACES: list[tuple[str, str, str, str, Collection[str]]] = [
    ("dialect", "the name to DialectName", "bleu_metric/_names.py", "\nDialectName", ()),
    ("tokenizer", "the name to TokenizerName", "bleu_metric/_names.py", "\nTokenizerName", ()),
    ("smoothing", "the name to Smoothing", "bleu_metric/_names.py", "\nSmoothing", ()),
    ("reference length", "the name to ReferenceLength", "bleu_metric/_names.py", "\nReferenceLength", ()),
    ("output format", "the name to Format", "bleu_metric/cli/output.py", "\nFormat", ()),
    ("output format", "the name", "docs/command_line.md", "| print a different format |", ("text",)),
    ("dialect", 'the name to "The dialects are"', "metric_card.md", "The dialects are", ()),
    ("dialect", "the name", "CHANGELOG.md", "*dialect*: ", ()),
    ("dialect", "a row to DIALECT_GROUPS", "scripts/space/app.py", "\nDIALECT_GROUPS", ()),
    ("dialect", 'a row to the table "your library"', "docs/reference/dialects.md", "\n| your library |", ()),
    ("dialect", FILL, "docs/guide/dialects.md", "```text\n", ()),
    ("tokenizer", "a row to TOKENIZERS", "tests/peers/oracle_tokenizers.py", "\nTOKENIZERS", ()),
    ("tokenizer", TO_ORIGINALS, "scripts/peers.py", "\nORIGINAL_TOKENIZERS", OF_SACREBLEU),
    ("tokenizer", 'a row to the table "your texts"', "docs/guide/tokenizers.md", "\n| your texts |", ()),
    (
        "tokenizer",
        "the name, which needs spaces",
        "bleu_metric/_languages.py",
        "\nWORD_TOKENIZERS",
        SPLIT_WITHOUT_SPACES,
    ),
    ("smoothing", "a row to SMOOTHINGS", "tests/peers/oracle.py", "\nSMOOTHINGS", ()),
    ("smoothing", 'a row to the table "name"', "docs/guide/smoothing.md", "\n| name |", ()),
    ("reference length", "a row to REFERENCE_LENGTHS", "tests/peers/oracle.py", "\nREFERENCE_LENGTHS", ()),
    ("reference length", "a row to REFERENCE_LENGTHS", "docs/tables.py", "\nREFERENCE_LENGTHS", ()),
    (
        *("reference length", "the name, which ignores predictions"),
        *("bleu_metric/comparison/checks.py", "\n_INDEPENDENT", DEPEND_ON_PREDICTIONS),
    ),
]


@pytest.mark.parametrize("kind", NAMES)
def test_no_file_lacks_a_name(kind: str) -> None:
    missing = []
    for _, what, file, start, not_needed in (place for place in PLACES if place[0] == kind):
        paragraph = (ROOT / file).read_text(encoding="utf-8").split(start)[1].split("\n\n")[0]
        in_table = r'`"?([\w.-]+)"?`'  # not in words
        found = {*re.findall(in_table if start.startswith("\n| ") else r"[\w-]+(?:\.\d)?", paragraph)}
        missing += [
            f"{file}: {name!r} is missing; add {what}" for name in NAMES[kind] if name not in found | {*not_needed}
        ]
    for name in NAMES[kind] if kind == "dialect" else ():
        if name not in {*PEERS, *OF_PERL}:
            missing.append(f"scripts/peers.py: {name!r} is missing; add a row to PEERS")
        if name != "papineni" and not (ROOT / f"tests/peers/golden/{name}.json").exists():
            hint = f"the library's scores: python scripts/maintenance/make_golden.py {name}"
            missing.append(f"tests/peers/golden: {name!r} is missing; add {hint}")
    if missing:
        pytest.fail("\n".join(missing), pytrace=False)


def test_contributing_names_the_tests_of_each_file() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text().split("| in `bleu_metric` | tests |")[1].split("\n\n")[0]
    rows = [line.split("|")[1:3] for line in table.splitlines()[2:]]
    files = {name for names, _ in rows for name in re.findall("`([^`]+)`", names)}
    package = ROOT / "bleu_metric"
    assert {path.name for path in (*package.glob("*.py"), package / "_kernel.c")} | {"cli", "many"} == files
    folders = {path.parent.name for path in package.glob("*/__init__.py")} - {"cli"}
    named = {name for _, names in rows for name in re.findall("`([^`]+)`", names)}
    assert [path for path in named | {f"tests/{folder}" for folder in folders} if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("dialect", PEERS)
def test_the_settings_of_a_number_are_sought_among_all_smoothings_of_a_library(dialect: str) -> None:
    own = DIALECTS[dialect].smoothing
    offered = {ours.get("smoothing", own) for _, _, ours in PEERS[dialect].choices}
    assert offered <= {own, *find._OFFERED.get(dialect, ())}

"""The list of planted faults is kept true, and a fault is caught or survives as it should."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from faults import FAULTS, QUICK, Fault
from mutate import COPIED, ROOT, chosen, plant

PACKAGE = ROOT / "bleu_metric"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.module}: {fault.meaning}")
def test_every_fault_has_one_place(fault: Fault) -> None:
    text = (PACKAGE / fault.module).read_text(encoding="utf-8")
    assert fault.old != fault.new
    ast.parse(plant(text, fault))  # no fault is caught for its syntax alone


def test_a_fault_without_a_place_is_an_error() -> None:
    fault = Fault("_score.py", "a", "b", "", ())
    for text in ("x", "a + a"):
        with pytest.raises(ValueError, match=r"_score.py: 'a' is found \d times; the fault needs one place"):
            plant(text, fault)


def test_faults_differ_and_their_tests_are_there() -> None:
    assert len({(fault.module, fault.old, fault.new) for fault in FAULTS}) == len(FAULTS) >= 100
    for test in {*QUICK, *(test for fault in FAULTS for test in fault.tests)}:
        file, _, name = test.partition("::")
        text = Path(ROOT, file).read_text(encoding="utf-8")
        assert f"def {name.partition('[')[0]}(" in text if name else text, test
    assert all((ROOT / name).exists() for name in COPIED)


def test_samples_are_drawn_by_their_seed() -> None:
    assert chosen(None, 5, 1) == chosen(None, 5, 1) != chosen(None, 5, 2)
    assert {fault.module for fault in chosen("_score.py", None, 0)} == {"_score.py"}

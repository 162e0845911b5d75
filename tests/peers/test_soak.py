"""The soak finds a difference that is there, shrinks it, and replays it; its cases depend on seed and number alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sacrebleu", reason="pip install '.[test]'")
pytest.importorskip("pandas", reason="pip install '.[test]'")

import soak
from soak_cases import CONTAINERS, WAYS, draw
from soak_shrink import shrink

from bleu_metric import DIALECTS, _bleu, _score


def test_no_difference(tmp_path: Path) -> None:
    seen = soak.run(seed=5, first=0, cases=48, minutes=1, folder=tmp_path)
    assert (seen["case"], seen["difference"]) == (48, 0)
    assert all(seen[f"dialect {dialect}"] == 4 for dialect in DIALECTS)
    assert seen["score"] >= 48
    assert not list(tmp_path.glob("*.json"))


def test_cases_are_those_of_their_number() -> None:
    cases = [draw(3, number) for number in range(300)]
    assert cases == [draw(3, number) for number in range(300)]
    assert draw(4, 0) != cases[0]
    assert {case.way for case in cases} == set(WAYS)
    assert {name for case in cases for name in case.containers} == set(CONTAINERS)


def _one_match_less(*args: Any) -> Any:
    matches = MATCHES(*args)
    matches[:, 1:2] -= matches[:, 1:2] >= 3  # of three bigrams or more, one is lost
    return matches


MATCHES = _bleu.clipped_matches


def test_a_planted_difference_is_found_shrunk_and_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_bleu, "clipped_matches", _one_match_less)
    number = next(number for number in range(200) if soak.check(draw(9, number)))
    seen = soak.run(seed=9, first=number, cases=1, minutes=1, folder=tmp_path)
    assert seen["difference"] == 1
    (file,) = tmp_path.glob("*.json")
    assert f"--replay {file}" in capsys.readouterr().out
    small = soak.load(file)
    assert (len(small.predictions), small.options, small.containers) == (1, {}, ("list", "list"))
    assert (small.way, small.threads, small.cuts) == ("corpus_bleu", 1, [])
    assert [len(refs) for refs in small.references] == [1]
    assert soak.check(small)[0].startswith("slow:  counts: [4, 2, ")
    assert soak.replay(file) == 1
    monkeypatch.undo()
    assert soak.replay(file) == 0


def test_a_difference_from_a_peer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = soak.PEERS["nltk"]
    if not peer.is_installed:
        pytest.skip(f"{peer.module} is not installed: {peer.install}")
    cases = (draw(9, 12 * number + 1) for number in range(200))
    case = next(case for case in cases if case.of_peer and case.way == "corpus_bleu" and case.config.max_order < 5)
    assert case.dialect == "nltk"
    assert not soak.check(case)
    monkeypatch.setitem(soak.PEERS, "nltk", replace(peer, run=lambda *_rows, **_options: soak.Answer(0.123456)))
    (found,) = soak.check(replace(case, options={}, of_peer={}))
    assert found.startswith("peer:  bleu: ")


def test_errors_and_numbers_that_went_wrong_are_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in (draw(1, number) for number in range(99)) if case.way == "corpus_bleu")
    monkeypatch.setattr(_score, "brevity_penalty", lambda length, reference: np.log(np.float64(-1)) + 0 * length)
    (found,) = soak.check(case)
    assert found.startswith("error: RuntimeWarning: invalid value")
    smaller = shrink(case, soak.check)
    assert soak.check(smaller) == [found]
    assert len(smaller.predictions) == 1

"""The benchmark compares every installed peer with us before it times anything; one small round of it runs here."""

from __future__ import annotations

import json

import benchmark
import pytest
import workloads
from peers import Answer

pytestmark = pytest.mark.heavy


def test_every_way_is_timed_at_every_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main(["--sizes", "--smoke", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    names = [row.name for row in workloads.peer_rows(workloads.make_corpus(None, 1))]
    for clock in ("processor time", "wall time"):
        assert {"corpus_bleu", "sentence_bleu", "metric.compute through evaluate", *names} <= printed[clock].keys()
        assert {len(per_pair) for per_pair in printed[clock].values()} == {3}


def test_many_pairs_and_functions_of_many_texts_are_timed(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main(["--many", "--smoke", "--json"]) == 0
    assert all(time > 0 for time in json.loads(capsys.readouterr().out)["many"].values())
    assert benchmark.main(["--smoke"]) == 0
    assert "µs per pair" in capsys.readouterr().out


def test_nothing_is_timed_where_a_score_differs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = workloads.Row("a peer", lambda: 0.5, check=Answer, ours=lambda: Answer(0.25))
    monkeypatch.setattr(benchmark, "peer_rows", lambda corpus: [wrong])
    assert benchmark.main(["--sizes", "--smoke"]) == 1
    captured = capsys.readouterr()
    assert "a peer: bleu" in captured.err
    assert not captured.out

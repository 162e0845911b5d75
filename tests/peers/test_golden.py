"""Golden values of the libraries, recorded by scripts/maintenance/make_golden.py: reproduced without the libraries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from compare_with import as_peer_takes_it
from make_golden import corpora
from peers import PEERS, Answer, Peer, differences, of_score
from perl_peers import MULTI_BLEU, mteval_peer, multi_bleu_peer

from bleu_metric import DIALECTS, corpus_bleu

FOLDER = Path(__file__).parent / "golden"
ALL = {**PEERS, **{name: multi_bleu_peer(name) for name in MULTI_BLEU}, "mteval-v13a": mteval_peer(Path())}
CORPORA = {corpus.name: corpus for corpus in corpora()}


@pytest.mark.parametrize("name", ALL)
def test_recorded_values(name: str) -> None:
    recorded = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    peer: Peer = ALL[name]
    assert peer.dialect == name
    assert recorded["version"]
    assert recorded["command"].endswith("make_golden.py --perl FOLDER" if peer.module == "perl" else "make_golden.py")
    ours = {choice: options for choice, _, options in peer.choices}
    compared = 0
    for corpus_name, by_choice in recorded["values"].items():
        corpus = as_peer_takes_it(CORPORA[corpus_name], peer.kind)
        assert set(by_choice) == set(ours)
        for choice, value in by_choice.items():
            score = corpus_bleu(corpus.predictions, corpus.references, name, **ours[choice])
            if isinstance(value, str):  # the library raised: the score is that of an edge case
                continue
            assert not differences(of_score(score), Answer(**value)), (corpus_name, choice)
            compared += 1
    assert compared >= 40, f"only {compared} scores are recorded: give the peer more choices in scripts/peers.py"


def test_every_dialect_has_golden_values() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {*DIALECTS} - {"papineni"}

"""Each dialect, and the oracle, against the live library: corpus and sentence scores of random corpora and options."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st
from oracle import count_rows, score_rows, tokens_of
from oracle_cases import answer_of, config_of, corpora, peer_options
from oracle_tokenizers import Token
from peers import PEERS, Answer, Peer, differences, of_score

from bleu_metric import BleuConfig, corpus_bleu, sentence_bleu


def ask_peer(peer: Peer, function: Any, *rows: Any, options: dict[str, Any]) -> Any:
    """Give the answer of a library, or None where it raises an error that it is known for."""
    try:
        return function(*rows, **options)
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        if not any(known in message for known in peer.raises):
            raise
        return None


def as_peer_takes_it(peer: Peer, predictions: list[str], references: list[Any], options: BleuConfig) -> tuple[Any, Any]:
    """Leave texts as they are, or make tokens of them."""
    if peer.kind == "text":
        return predictions, references

    def words(text: str) -> list[Token]:
        return tokens_of(text, options)

    return [words(text) for text in predictions], [[words(text) for text in several] for several in references]


@pytest.mark.parametrize("name", PEERS)
@given(data=st.data())
def test_oracle_and_package_equal_the_library(name: str, data: st.DataObject) -> None:
    peer = PEERS[name]
    if not peer.is_installed:
        pytest.skip(f"{peer.module} is not installed: {peer.install}")
    theirs, ours = data.draw(peer_options(name))
    drawn = data.draw(corpora("text", with_none=name == "sacrebleu"))
    options = config_of(name, ours)
    predictions, references = as_peer_takes_it(peer, *drawn, options)
    note(f"{name}: {predictions!r}, {references!r}, {ours!r}")
    oracle = score_rows(count_rows(predictions, references, options), options)
    package = corpus_bleu(predictions, references, name, **ours)
    library = ask_peer(peer, peer.run, predictions, references, options=theirs)
    event("no answer" if library is None else "an answer")
    if library is not None:
        assert not differences(answer_of(oracle), library)
        assert not differences(of_score(package), library)
    if peer.run_sentence is None:
        return
    package_sentences = sentence_bleu(predictions, references, name, **ours)
    for place, segment in enumerate(zip(predictions, references, strict=True)):
        sentence = ask_peer(peer, peer.run_sentence, *segment, options=theirs)
        if sentence is not None:
            assert not differences(Answer(oracle.sentence_scores[place]), Answer(sentence))
            assert not differences(Answer(package_sentences[place]), Answer(sentence))

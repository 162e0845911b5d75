"""Each dialect against its live peer, on random corpora with random options: corpus and sentence scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from corpora import random_corpus
from peers import PEERS, Answer, Peer, differences, of_score

from bleu_metric import DIALECTS, corpus_bleu, sentence_bleu


def _ask(function: Any, errors: Counter[str], peer: Peer, *args: Any, **options: Any) -> Any:
    """The peer's answer; None where it raises one of the errors it is known for."""
    try:
        return function(*args, **options)
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        if not any(known in message for known in peer.raises):
            raise
        errors[message[:70]] += 1
        return None


@pytest.mark.parametrize("name", PEERS)
def test_random_corpora(name: str, cases: Callable[[int], int], capsys: pytest.CaptureFixture[str]) -> None:
    peer = PEERS[name]
    if not peer.is_installed:
        pytest.skip(f"{peer.module} is not installed: {peer.install}")
    errors: Counter[str] = Counter()
    compared = 0
    corpora = cases(100)
    for seed in range(corpora):
        rng = np.random.default_rng(seed)
        predictions, references = random_corpus(rng, peer.kind, none=name == "sacrebleu")
        theirs, ours = peer.draw(rng)
        about = (seed, predictions, references, ours)
        answer = _ask(peer.run, errors, peer, predictions, references, **theirs)
        score = of_score(corpus_bleu(predictions, references, name, **ours))
        if answer is not None:
            compared += 1
            assert not differences(score, answer), about
        if peer.run_sentence is not None:
            sentences = sentence_bleu(predictions, references, name, **ours)
            for sentence, text, refs in zip(sentences, predictions, references, strict=True):
                answer = _ask(peer.run_sentence, errors, peer, text, refs, **theirs)
                if answer is not None:
                    compared += 1
                    assert not differences(Answer(sentence), Answer(answer)), about
    with capsys.disabled():
        print(f"\n  {name}: {compared} scores of {corpora} corpora equal; peer raised: {dict(errors)}")
    assert compared >= corpora / 2


@pytest.mark.parametrize("ratio", [float("inf"), float("nan"), 0.0])
def test_a_ratio_that_is_not_a_number_equals_no_other(ratio: float) -> None:
    assert len(differences(Answer(0.0, length_ratio=ratio), Answer(0.0, length_ratio=1.0))) == 1


def test_sentences_of_few_words_as_sacrebleu_scores_them_by_default() -> None:
    """Its sentence_bleu leaves out orders that the sentence is too short for; its corpus_bleu does not."""
    sacrebleu = pytest.importorskip("sacrebleu", reason="pip install '.[test]'")
    for text, ref in (("a b", "a b"), ("a b c", "a b d"), ("a", "a b c")):
        ours, theirs = sentence_bleu([text], [ref], "sacrebleu")[0], sacrebleu.sentence_bleu(text, [ref]).score / 100
        assert not differences(Answer(ours), Answer(theirs))
        assert not differences(
            of_score(corpus_bleu([text], [ref], "sacrebleu")),
            Answer(sacrebleu.corpus_bleu([text], [[ref]]).score / 100),
        )


def test_every_dialect_has_a_peer() -> None:
    perl = {"multi-bleu", "mteval-v13a"}  # held to golden values
    assert {*PEERS, *perl, "default"} == set(DIALECTS)

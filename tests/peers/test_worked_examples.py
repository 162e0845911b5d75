"""The examples that BLEU is explained with. Values from NLTK 3.10.4, fractions from the papers named."""

from __future__ import annotations

import pytest

from bleu_metric import corpus_bleu, sentence_bleu

# Papineni et al. 2002, section 2.1
GUIDE_1 = "It is a guide to action which ensures that the military always obeys the commands of the party ."
GUIDE_2 = "It is to insure the troops forever hearing the activity guidebook that party direct ."
GUIDE_REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands .",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party .",
    "It is the practical guide for the army always to heed the directions of the party .",
]

# A widely copied tutorial corpus, tokenized; weights as in it
WEIGHTS = (0.4, 0.3, 0.2, 0.1)
CAND_1 = "It’s a guide to action which ensures that military always obeys commands of party".split()
REFS_1 = [
    "It is a guide to action that ensures that the military will forever heed Party commands".split(),
    "It is the guiding principle which guarantees the military forces always being under the command of the Party".split(),
    "It is the practical guide for the army always to heed the directions of the party".split(),
]
CAND_2 = "he read the book because he was interested in world".split()
REFS_2 = ["he was interested in world history because he read the book".split()]
CAND_1B = "It is to insure the troops forever hearing the activity guidebook that party direct".split()


def test_the_the_the() -> None:
    score = corpus_bleu(["the " * 7], [["The cat is on the mat", "There is a cat on the mat"]], lowercase=True)
    assert (score.counts[0], score.totals[0]) == (2, 7)


def test_guide_to_action() -> None:
    """17/18 and 8/14 are the paper's; its full stops are no words. As tokens they add one match to each."""
    words = [[text.removesuffix(" .") for text in GUIDE_REFERENCES]]
    for candidate, matched, total in ((GUIDE_1, 17, 18), (GUIDE_2, 8, 14)):
        score = corpus_bleu([candidate.removesuffix(" .")], words)
        assert (score.counts[0], score.totals[0]) == (matched, total)
        score = corpus_bleu([candidate], [GUIDE_REFERENCES])
        assert (score.counts[0], score.totals[0]) == (matched + 1, total + 1)


@pytest.mark.parametrize(
    ("candidate", "dialect", "options", "expected"),
    [
        (CAND_1, "papineni", {}, 0.3146622823486066),
        (CAND_1B, "papineni", {}, 0.0),
        (CAND_1B, "nltk", {}, 1.624662047684694e-93),
        (CAND_1B, "nltk", {"smoothing": "method1"}, 0.07701657270088762),
    ],
)
def test_sentences(candidate: list[str], dialect: str, options: dict[str, str], expected: float) -> None:
    (score,) = sentence_bleu([candidate], [REFS_1], dialect, weights=WEIGHTS, **options)
    assert score == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("dialect", ["papineni", "nltk"])
def test_corpus_of_two(dialect: str) -> None:
    score = corpus_bleu([CAND_1, CAND_2], [REFS_1, REFS_2], dialect, weights=WEIGHTS)
    assert score.bleu == pytest.approx(0.4955844744743626, rel=1e-12)

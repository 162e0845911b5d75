"""The examples of the paper: Papineni et al. 2002, section 2.1."""

from __future__ import annotations

from bleu_metric import corpus_bleu

GUIDE_1 = "It is a guide to action which ensures that the military always obeys the commands of the party ."
GUIDE_2 = "It is to insure the troops forever hearing the activity guidebook that party direct ."
GUIDE_REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands .",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party .",
    "It is the practical guide for the army always to heed the directions of the party .",
]


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

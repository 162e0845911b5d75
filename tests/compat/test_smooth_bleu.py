"""CodeXGLUE's sentence BLEU: the answers of its own file."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpora import NASTY, WORDS
from hypothesis import given
from hypothesis import strategies as st

from bleu_metric import corpus_bleu, sentence_bleu
from bleu_metric.compat import smooth_bleu

# bleu() of CodeXGLUE ac74a62, Code-Text/code-to-text/evaluator/evaluator.py, run on texts as computeMaps leaves them
RECORDED: list[tuple[str, list[str], list[float]]] = [
    (
        "returns the sum of two numbers",
        ["return the sum of the two numbers"],
        [0.420862087404, 0.833333333333, 0.6, 0.25],
    ),
    ("get_user_name ( id )", ["Gets the user's name by id."], [0.163556592939, 0.375, 0, 0]),
    ("a b", ["a b c d e"], [0.367879441171, 1, 1, 0]),
    ("", ["a b"], [0.135335283237, 0, 0, 0]),
    ("a b c d e f", ["a b c d x y", "a b c"], [0.604275079471, 0.666666666667, 0.6, 0.5]),
    ("the cat", ["the cat"], [1.0, 1, 1, 0]),
    ("x y z", ["a b c"], [0.0, 0, 0, 0]),
    ("Hello, World! 3.14 -5 don't", ["hello world 3.14 - 5 do n't"], [0.449733208401, 0.75, 0.454545454545, 0.3]),
]
MAPS = [39.27052115778659, 57.8125, 45.68181818181819, 13.125, 6.944444444444445]


def _prepared(text: str) -> str:
    return smooth_bleu.splitPuncts(text.strip().lower())


@pytest.mark.parametrize(("prediction", "references", "expected"), RECORDED)
def test_one_text(prediction: str, references: list[str], expected: list[float]) -> None:
    numbers = smooth_bleu.bleu([_prepared(text) for text in references], _prepared(prediction))
    assert numbers[:4] == pytest.approx(expected, abs=1e-12)
    assert sentence_bleu([prediction], [references], "codexglue")[0] == pytest.approx(numbers[0], rel=1e-12)


def test_the_mean_over_maps() -> None:
    gold = {number: [_prepared(text) for text in references] for number, (_, references, _) in enumerate(RECORDED)}
    predicted = {number: [_prepared(text)] for number, (text, _, _) in enumerate(RECORDED)}
    assert smooth_bleu.bleuFromMaps(gold, predicted | {"more": ["x"]}) == pytest.approx(MAPS, rel=1e-12)
    texts, references = [row[0] for row in RECORDED], [row[1] for row in RECORDED]
    assert 100 * corpus_bleu(texts, references, "codexglue").bleu == pytest.approx(MAPS[0], rel=1e-12)
    with pytest.raises(ZeroDivisionError, match="no id in common"):
        smooth_bleu.bleuFromMaps(gold, {})


def test_what_bleu_itself_splits() -> None:
    """Run there: text that has not gone through computeMaps, and no smoothing."""
    assert smooth_bleu.bleu(["Returns the Value of x."], "returns the value, of X")[0] == 0.48549177170732344
    # CodeXGLUE removes only "<skipped>"
    assert smooth_bleu.bleu(["a b c d"], "a b <SKIPPED> c d")[0] == pytest.approx(0.30058408, abs=1e-8)
    plain = smooth_bleu.bleu(["the cat sat on the mat", "there is a cat on the mat"], "the cat is on the mat", smooth=0)
    assert plain[0] == pytest.approx(5.775353993361614e-78, rel=1e-12)


def test_rows_and_files(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("1\tReturn x.\n2\tSet y.\n1\tGive x back.\n", encoding="utf-8")
    expected = ({"1": ["return x .", "give x back ."]}, {"1": ["returns x"], "3": [""]})
    assert smooth_bleu.computeMaps(["1\tReturns x\n", "3"], tmp_path / "gold") == expected
    with pytest.raises(ValueError, match="row 1 of the references must be an id, a tab and a text"):
        smooth_bleu.computeMaps(["1\ta"], ["1\ta", "no tab"])


def test_texts_without_a_list() -> None:
    with pytest.warns(
        UserWarning, match=r"m2\[1\] is one string, so only its first character is scored; pass \[text\]"
    ):
        wrong = smooth_bleu.bleuFromMaps({1: ["a b"]}, {1: "a b"})
    assert wrong == smooth_bleu.bleuFromMaps({1: ["a b"]}, {1: ["a"]})
    with pytest.warns(UserWarning, match=r"pass \[text\]"):
        assert smooth_bleu.bleu("a b", "a")[0] == smooth_bleu.bleu(["a", " ", "b"], "a")[0]
    with pytest.raises(ValueError, match="reference"):
        smooth_bleu.bleu([], "a")


@given(
    st.lists(
        st.sampled_from([*WORDS, *NASTY, "İ", "ß", "-\n", "&amp;lt;", "&QUOT;", ".5", "5.", " ", "\n"]), max_size=30
    )
)
def test_texts_are_split_as_normalize_splits_them(pieces: list[str]) -> None:
    """The kernel splits texts without an ampersand, and `normalize` all others."""
    text, reference = "".join(pieces), "".join(pieces[:5])
    expected = sentence_bleu([smooth_bleu.normalize(text)], [[smooth_bleu.normalize(reference)]], "codexglue")
    assert smooth_bleu.bleu([reference], text)[0] == expected[0]

"""`find_settings` names the settings with which another library computed a number."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from bleu_metric import DIALECTS, FoundSettings, corpus_bleu, find_settings
from bleu_metric._formula import SMOOTHINGS
from bleu_metric.comparison import find

PREDICTIONS = [
    "The committee's report (published today) was well-received by all members.",
    "It costs $5.20, i.e. more than Last Year!",
    "We will meet at the station at 8 o'clock.",
]
REFERENCES = [
    "the committee's report, published today, was well received by all of its members.",
    "It costs $5.20, that is more than last year.",
    "We'll meet at the railway station at 8 o'clock.",
]
# The scores of nltk 3.10.4, sacrebleu 2.6.0 and torchmetrics 1.9.0. That of evaluate's bleu is computed by its formula
# (scripts/peers.py), and that of multi-bleu.perl is NLTK's on the same tokens
NUMBERS: dict[str, tuple[float, str, dict[str, Any]]] = {
    "SmoothingFunction().method4 of lower-cased words, mean of sentence_bleu": (
        *(0.24757024915793072, "nltk"),
        {"lowercase": True, "smoothing": "method4", "average": "sentence"},
    ),
    "SmoothingFunction().method1 of 13a tokens, mean of sentence_bleu": (
        *(0.2984205616831615, "nltk"),
        {"tokenizer": "13a", "smoothing": "method1", "average": "sentence"},
    ),
    "sacre_bleu_score(tokenize='intl')": (0.3926539421081543, "torchmetrics", {"tokenizer": "intl"}),
    "evaluate's bleu with smooth=True": (0.3316658353644209, "evaluate", {"smoothing": "add-one"}),
    "sacrebleu.corpus_bleu(lowercase=True)": (0.379369449987708, "sacrebleu", {"lowercase": True}),
    "multi-bleu.perl on 13a tokens": (0.30479619739952624, "multi-bleu", {"tokenizer": "13a"}),
    "mean of sacrebleu.sentence_bleu": (0.31418704047363294, "sacrebleu", {"average": "sentence"}),
    "BLEU(max_ngram_order=2)": (0.5314196690639184, "sacrebleu", {"max_order": 2}),
}


@cache
def find_number(number: str | float) -> FoundSettings:
    """Find settings of the texts above; a call takes seconds."""
    return find_settings(PREDICTIONS, REFERENCES, number)


def named(found: FoundSettings, fit: str = "rounded") -> list[tuple[str, dict[str, Any], str]]:
    return [(each.dialect, each.options, each.texts) for each in found.settings if each.fit == fit]


# Half a second each
CASES = [*[*NUMBERS][:5], *(pytest.param(case, marks=pytest.mark.heavy) for case in [*NUMBERS][5:])]


@pytest.mark.parametrize("case", CASES)
def test_numbers_of_other_libraries(case: str) -> None:
    """Scores of NLTK and sacrebleu as papers have them, the others with all digits."""
    score, dialect, options = NUMBERS[case]
    is_rounded = dialect in ("nltk", "sacrebleu")
    found = find_number(f"{100 * score:.2f}" if is_rounded else repr(score))
    is_float32 = dialect == "torchmetrics"
    assert (dialect, options, "") in named(found, "within 1e-6" if is_float32 else "rounded")
    assert found.settings[0].rank == 1
    if not is_rounded:
        assert found.settings[0].bleu == pytest.approx(score, rel=1e-6 if is_float32 else 1e-12)


def test_signatures_give_the_scores() -> None:
    rows = [row for number in ("24.76", "37.94", "40") for row in find_number(number).rows() if not row["texts"]]
    assert len(rows) > 50
    for row in rows:
        assert corpus_bleu(PREDICTIONS, REFERENCES, row["signature"]).bleu == pytest.approx(row["bleu"], rel=1e-14)


def test_other_texts() -> None:
    swapped = corpus_bleu(REFERENCES, PREDICTIONS, "codexglue").bleu
    assert swapped != corpus_bleu(PREDICTIONS, REFERENCES, "codexglue").bleu
    found = find_settings(PREDICTIONS, REFERENCES, repr(swapped))
    assert named(found) == [("codexglue", {}, "predictions and references swapped")]
    references = list(map(list, zip(PREDICTIONS[::-1], REFERENCES, strict=True)))
    found = find_settings(PREDICTIONS, references, repr(corpus_bleu(PREDICTIONS, REFERENCES, "codexglue").bleu))
    assert named(found) == [("codexglue", {}, "only reference 2")]


def test_tokens_and_ids() -> None:
    tokens = [[text.split() for text in texts] for texts in (PREDICTIONS, REFERENCES)]
    vocabulary = sorted({word for texts in tokens for words in texts for word in words})
    ids = [[[vocabulary.index(word) for word in words] for words in texts] for texts in tokens]
    for texts in (tokens, ids):
        found = find_settings(*texts, repr(corpus_bleu(*texts, "nltk", smoothing="method2").bleu))
        assert ("nltk", {"smoothing": "method2"}, "") in named(found)


def test_how_a_number_is_read() -> None:
    """0.2475 may be 24.75 % or 0.2475 %, but 24.76 is in percent. A truncated score comes after rounded ones."""
    score = 0.24757024915793072
    assert find.read_number(24.76) == find.read_number("24.76")
    for number, fit in {"24.76": "rounded", ".2475": "truncated"}.items():
        found = find_number(number).settings
        assert fit in [each.fit for each in found if each.bleu == pytest.approx(score)], number
        assert [each.fit for each in found] == sorted(each.fit for each in found)  # "rounded" before "truncated"
    assert find._fit(0.25, [(0.24, 0.02)]) == find._fit(0.23, [(0.24, 0.02)]) == "rounded"  # halves go in both ways
    assert find._fit(0.2299, [(0.24, 0.02)]) == find._fit(0.26, [(0.24, 0.02)]) == ""
    assert find.read_number("1.0") == [(1.0, 0.1), (0.01, 0.001)]
    assert find.read_number("1") == [(0.01, 0.01)]
    [bleu] = find_settings(["a b c d e"], ["a b c d f"], "66.8740304976422000000").columns()[0].cells[:1]
    assert len(bleu.partition(".")[2]) == 14  # no more than a float has
    for number in ("1.3333", "133.33"):  # NLTK's methods 5 to 7 can score above 1
        found = find_settings(["a b c d e"], ["a b c d e"], number)
        assert ("nltk", {"smoothing": "method5", "max_order": 1}, "") in named(found)
    texts = ["the the dog cat cat a dog the", "the the the the dog dog a cat", "dog"]
    for number in ("2.5321", "253.21"):  # in NLTK, method 6 divides by the n-grams of the last text
        assert ("nltk", {"smoothing": "method6"}, "") in named(find_settings(texts, texts, number))


@pytest.mark.parametrize("number", ["x", "-1", "1000.1", "33,97", "nan", "", ".", "٣", None, True])
def test_wrong_numbers(number: Any) -> None:
    with pytest.raises(
        ValueError,
        match=r"^the number must be a score in percent or from 0 to 1, with a decimal point, e\.g\. 33\.97, got ",
    ):
        find_settings(PREDICTIONS, REFERENCES, number)


def test_the_number_cannot_decide() -> None:
    found = find_number("40")
    n_rounded = len({each.rank for each in found.settings if each.fit == "rounded"})
    assert n_rounded > 5
    assert f"({n_rounded} rounded, " in found.title()
    assert found.notes() == ["40 cannot decide between so many scores; a number with more digits can"]


def test_every_smoothing_is_tried_if_no_setting_of_a_library_fits() -> None:
    score = corpus_bleu(PREDICTIONS, REFERENCES, "codexglue", smoothing="method5").bleu
    found = find_settings(PREDICTIONS, REFERENCES, repr(score))
    assert named(found)[0] == ("codexglue", {"smoothing": "method5"}, "")
    assert find._OFFERED.keys() <= DIALECTS.keys()
    assert {name for names in find._OFFERED.values() for name in names} <= SMOOTHINGS.keys()


def test_the_simplest_settings() -> None:
    """No line repeats another with an option that changes nothing."""
    found = find_settings(["a b c d e"], ["a b c d e"], 100)
    assert {each.rank for each in found.settings} == {1}
    dialects = [each.dialect for each in found.settings]
    assert named(found) == [(dialect, {}, "") for dialect in dialects]
    assert set(dialects) == set(DIALECTS)
    rows = find_number("24.76").rows()
    [row] = [row for row in rows if row["dialect"] == "nltk"]
    assert row["settings"] == "--dialect nltk --lowercase yes --smoothing method4 --average sentence"
    assert (row["lowercase"], row["smoothing"], row["average"]) == (True, "method4", "sentence")

"""Texts that the tokenizer or the other side does not fit are warned of, once a call; ordinary texts are not."""

from __future__ import annotations

import re
import unicodedata
import warnings
from pathlib import Path
from typing import Any

import pytest
from containers import CONTAINERS
from datasets import Dataset

import bleu_metric
from bleu_metric import (
    Accumulator,
    corpus_bleu,
    corpus_statistics,
    evaluate_dataset,
    report,
    reward,
    score_dialects,
    score_systems,
    sentence_bleu,
    system_statistics,
)

Texts = list[str]
CHINESE = [
    "\u6211\u4eec\u4eca\u5929\u53bb\u516c\u56ed\u6563\u6b65\u3002",
    "\u4ed6\u6628\u5929\u8bfb\u4e86\u4e00\u672c\u4e66\u3002",
]
JAPANESE = [
    "\u79c1\u306f\u6628\u65e5\u3001\u672c\u3092\u8aad\u307f\u307e\u3057\u305f\u3002",
    "\u732b\u304c\u30ab\u30fc\u30da\u30c3\u30c8\u306e\u4e0a\u306b\u5ea7\u3063\u3066\u3044\u308b\u3002",
]
# The letters of languages that have no spaces and no tokenizer of their own
OTHERS = {
    language: "".join(map(chr, range(first, first + 30)))
    for language, first in (("Thai", 0xE01), ("Lao", 0xE99), ("Khmer", 0x1780), ("Burmese", 0x1000), ("Tibetan", 0xF40))
}
KOREAN = ["\uc624\ub298 \uc6b0\ub9ac\ub294", "\uadf8\ub294 \ucc45\uc744 \uc77d\ub2e4"]
HINDI = ["\u0939\u092e \u0906\u091c \u092a\u093e\u0930\u094d\u0915 \u0917\u090f \u0914\u0930"] * 2
MIXED = ["\u4eca\u5929 the price of \u8336 is low, and all the rest is English"] * 2
ENGLISH = [
    f'He said: "Zo\u00eb\'s {word}."' for word in ("caf\u00e9", "na\u00efve cat", "na\u00efve dog", "r\u00e9sum\u00e9")
] * 30
CURLY = [text.replace(' "', " \u201c").replace('."', ".\u201d").replace("'", "\u2019") for text in ENGLISH]
NFD = [unicodedata.normalize("NFD", text) for text in ENGLISH]
TOKENIZED = [text.replace('."', ' . "')[:-2] for text in ENGLISH]


ONE_WORD = {"max_order": 1}


def warned_of(predictions: Any, references: Any, dialect: str = "sacrebleu", **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corpus_bleu(predictions, references, dialect, **options)
    assert {warning.filename for warning in caught} <= {__file__}
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize(("texts", "language"), [(CHINESE, "zh"), (JAPANESE, "ja")])
@pytest.mark.parametrize("tokenizer", ["13a", "intl", "whitespace"])
def test_texts_without_spaces_name_their_language(texts: Texts, language: str, tokenizer: str) -> None:
    (message,) = warned_of(texts, texts[::-1], tokenizer=tokenizer)
    assert message.endswith(f"but tokenizer={tokenizer!r} needs them: pass target_language={language!r}")
    if tokenizer != "intl":  # it splits signs off, which match
        assert warned_of(texts[:1], texts[1:], tokenizer=tokenizer) == [message], "a single pair that scores 0"
    assert not warned_of(texts[:1], texts[:1], tokenizer=tokenizer, weights=[1.0])


@pytest.mark.parametrize("language", OTHERS)
def test_texts_without_spaces_and_without_a_tokenizer_of_their_own(language: str) -> None:
    texts = [OTHERS[language]] * 2
    (message,) = warned_of(texts, texts, max_order=1)
    assert f"the references are {language} without spaces" in message
    assert "pass tokenizer='flores200', whose model sacrebleu downloads, or tokenizer='char'" in message
    assert not warned_of(texts, texts, tokenizer="char")


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        (CHINESE, {"target_language": "zh"}),
        ([" ".join(text) for text in CHINESE], {}),
        ([list(text) for text in CHINESE], {}),
        (MIXED, {}),
        (KOREAN, {"max_order": 2}),
        (HINDI, {}),
        (ENGLISH, {}),
        (CURLY, {}),
        (NFD, {}),
        (TOKENIZED, {"tokenizer": "none"}),
        (TOKENIZED[:99], {}),
        ([[1, 2, 3, 4]] * 2, {}),
        (
            ["a@b.de @@ -1,3 +1 @@ x", "## Title", "an <s>old</s> price [1]", "\u0120esu tifel", "\u2581\u2582"],
            ONE_WORD,
        ),
        (["['a']"], ONE_WORD),
    ],
)
def test_ordinary_texts(texts: Any, options: dict[str, Any]) -> None:
    assert not warned_of(texts, texts, **options)


@pytest.mark.filterwarnings("error")
def test_predictions_that_look_tokenized() -> None:
    """Sacrebleu warns of a corpus with 100 predictions that end in " ."."""
    (message,) = warned_of(TOKENIZED[:100], TOKENIZED[:100])
    assert message.startswith("most predictions end in ' .', as tokenized text does")
    (message,) = warned_of(ENGLISH, TOKENIZED)  # sacrebleu does not look at the references
    assert message.startswith("most references end in ' .'")
    metric = bleu_metric.load("sacrebleu")
    with pytest.warns(UserWarning, match=r"most predictions"):
        metric.compute(predictions=TOKENIZED, references=TOKENIZED)
    metric.compute(predictions=TOKENIZED, references=TOKENIZED, force=True)  # sacrebleu's option against this warning


@pytest.mark.parametrize(("predictions", "references"), [(NFD, ENGLISH), (ENGLISH, NFD)])
def test_two_forms_of_unicode(predictions: Texts, references: Texts) -> None:
    (message,) = warned_of(predictions, references)
    assert message == warned_of([text.split() for text in predictions], [[text.split()] for text in references])[0]
    sides = ("predictions", "references") if predictions is ENGLISH else ("references", "predictions")
    assert message.startswith(f"the {sides[0]} are in the Unicode form NFC and the {sides[1]} in NFD")


def test_curly_and_straight_quotes() -> None:
    quotes = ["straight ones", "curly ones (\u201c \u201d \u201e)"]
    for predictions, references, own, other in ((ENGLISH, CURLY, *quotes), (CURLY, ENGLISH, *reversed(quotes))):
        (message,) = warned_of(predictions, references)
        assert message.startswith(f"120 of 120 predictions with quotes have {own} and references {other}, which never")
    (message,) = warned_of(["er sagt heute noch einmal \u201aja"] * 9, ["er sagt heute noch einmal 'ja"] * 9)
    assert message.startswith("9 of 9 predictions with quotes have curly ones")
    assert "(\u2018 \u2019 \u201a)" in message
    assert not warned_of([*CURLY[:60], *ENGLISH[60:]], ENGLISH), "a mixture is no mistake"


MARKED = {
    "BPE": "he@@ llo wor@@ ld",
    "WordPiece": "hel ##lo world",
    "SentencePiece": "\u2581hel lo \u2581world",
    "GPT-2": "\u0120he llo \u0120wor ld \u0120now",
    "<pad>": "hello <pad> <PAD>",
    "</s>": "hello world </s>",
    "<unk>": "hello <unk> world",
    "[SEP]": "hello world [SEP]",
    "<|endoftext|>": "hello world<|endoftext|>",
    "NUL": "h\0e\0l\0l\0o\0",
}


@pytest.mark.parametrize("mark", MARKED)
def test_marks_of_other_programs(mark: str) -> None:
    """The first row is named on the side that has it, as text and as tokens."""
    rows = ["hello world", MARKED[mark], MARKED[mark]]
    plain = ["hello world"] * 3
    split = [text.split() for text in rows]
    for sides in ((rows, plain), (split, [text.split() for text in plain]), (plain, [[text] for text in rows])):
        (message,) = warned_of(*sides, max_order=1)
        side = "predictions" if sides[1][0] != ["hello world"] else "references"
        assert message.startswith(f"2 of 3 {side} contain ")
        assert mark in message or mark == "NUL"
        assert f"the first is {side}[1]" in message
        assert ("score the words themselves" in message) is (mark == "<unk>")  # others are to be removed


SENTENCES = ["The cat sat on it.", "A dog barked at me.", "We saw a town.", "It rained.", "Nobody knew.", "She left."]
# A side that no system wrote -> a part of the warning
ODD: list[tuple[Any, str]] = [
    *(
        ([f"{start} {text} {end}".strip() for text in SENTENCES], f"start or end marks such as {start or end!r}")
        for start, end in (
            ("<start>", "<end>"),
            ("startseq", "endseq"),
            ("_go", "_eos"),
            ("[START]", ""),
            ("", "EOS"),
            ("deu_Latn", "de_DE"),
            (">>deu<<", ""),
        )
    ),
    ([f"<2de>{text}" for text in SENTENCES], "6 of 6 {side} contain start or end marks such as '<2de>'"),
    ([f"start {text} end".split() for text in SENTENCES], "start or end marks such as 'start'"),
    (
        ["it&#39;s", "a &amp; b", *SENTENCES[2:]],
        "2 of 6 {side} contain entities such as '&#39;'; the first is {side}[0]",
    ),
    ([repr(text.encode()) for text in SENTENCES], "printed bytes such as \"b'The cat sat on it.'\""),
    ([text.lower() for text in SENTENCES], "the {side} are all in lower case and the "),
    ([text.upper() for text in SENTENCES], "the {side} are all in capitals and the "),
    (SENTENCES[1:] + SENTENCES[:1], "5 of 6 sampled predictions are like a reference of another segment, and unlike"),
]


@pytest.mark.parametrize("lost", [0, 40, 70, 90])
def test_a_missing_line_shifts_all_that_follow(lost: int) -> None:
    references = [f"n{number} m{number} k{number}" for number in range(100)]
    predictions = [*references[:lost], *references[lost + 1 :], "the end"]
    message = warned_of(predictions, references, max_order=1)[0]
    assert "of another segment, and unlike their own" in message
    assert not warned_of(references, references, max_order=1)


def test_lines_in_a_wrong_order_are_found_anywhere() -> None:
    references = [f"n{number} m{number} k{number}" for number in range(1000)]
    shifted = [*references[:200], *references[201:700], "a new line", *references[700:]]
    for predictions in (shifted, references[500:] + references[:500], references[::-1]):
        assert "of another segment, and unlike their own" in warned_of(predictions, references, max_order=1)[0]
    unrelated = [f"n{number} x{number} y{number}" for number in range(1000)]
    assert warned_of([*unrelated, "a b"], [*references, "a c b"], max_order=2)[0].startswith("BLEU is below 1: check")
    answers = [f"i do not know {number % 7}" for number in range(400)]  # of a weak system, and right for other segments
    others = [f"this is number {number}" for number in range(200)]
    assert not warned_of(answers, [text for pair in zip(others, answers, strict=False) for text in pair], max_order=1)


@pytest.mark.parametrize("side", ["predictions", "references"])
@pytest.mark.parametrize(("texts", "expected"), ODD)
def test_texts_that_no_system_wrote(texts: Any, expected: str, side: str) -> None:
    other = [text.split() for text in SENTENCES] if isinstance(texts[0], list) else SENTENCES
    pair = (texts, other) if side == "predictions" else (other, [[text] for text in texts])
    messages = warned_of(*pair, max_order=1)
    assert expected.format(side=side) in messages[0]
    assert len([message for message in messages if "BLEU is 0" not in message]) == 1


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("Translation: {}", "start or end marks such as 'Translation:'"),
        ('"{}"', "all sampled predictions are in quotes"),
        ("\u201e{}\u201c", "all sampled predictions are in quotes"),
        ("f\u00c3\u00bcr {}", "letters of UTF-8 that was read as Latin-1 such as '\u00c3\u00bc'"),
    ],
)
def test_forms_that_the_references_do_not_have(form: str, expected: str) -> None:
    texts = [form.format(text) for text in SENTENCES]
    (message,) = warned_of(texts, SENTENCES)
    assert expected in message


@pytest.mark.parametrize(
    ("predictions", "references", "options", "expected"),
    [
        (CHINESE, SENTENCES[:2], {}, "the predictions have another script than the references"),
        (HINDI, SENTENCES[:2], {}, "the predictions have another script than the references"),
        (SENTENCES, SENTENCES, {"target_language": "zh"}, "tokenizer='zh' is for another language"),
        (CHINESE, CHINESE, {"target_language": "ja"}, "tokenizer='ja-mecab' is for another language"),
        (JAPANESE, JAPANESE, {"target_language": "ko"}, "tokenizer='ko-mecab' is for another language"),
        (JAPANESE, JAPANESE, {"target_language": "ja"}, ""),
        (KOREAN, KOREAN, {"target_language": "ko", "max_order": 1}, ""),
    ],
)
def test_scripts_that_do_not_fit(predictions: Texts, references: Texts, options: Any, expected: str) -> None:
    if options.get("target_language") in ("ja", "ko"):
        pytest.importorskip("MeCab", reason="pip install 'bleu_metric[sacrebleu]'")
        pytest.importorskip("mecab_ko")
    messages = warned_of(predictions * 3, references * 3, **options)
    found = [message for message in messages if "BLEU is 0" not in message]
    assert found[0].startswith(expected) if expected else not found


@pytest.mark.parametrize(
    "form", ["The {}", "- {}", "“{}”", "Q: {}", "({})", "# {}", "{} now", "♪ {} ♪", "I {} !", "* {}"]
)
def test_the_same_word_in_all_texts_is_no_mark(form: str) -> None:
    texts = [form.format(text) for text in SENTENCES]
    assert not warned_of(texts, texts)


def test_case_and_order_that_do_not_matter() -> None:
    lower = [text.lower() for text in SENTENCES]
    assert not warned_of(lower, SENTENCES, max_order=1, lowercase=True)
    assert not warned_of(["yes", "no"] * 5, ["no", "yes"] * 4 + ["yes", "no"], max_order=1)
    shifted = [f"this is sentence number {row} of a template" for row in range(300)]
    assert "sampled predictions are like a reference" in warned_of(shifted[1:] + shifted[:1], shifted)[0]


@pytest.mark.parametrize("text", ["ሰላም፡ለዓለም፡ሁሉ።", "𐎀𐎁𐎟𐎂𐎃𐎄𐎟𐎅𐎆", "ᚠᚢᚦ᛫ᚨᚱᚲ᛫ᚷᚹᚺ"])
def test_words_with_a_sign_of_their_script_between_them(text: str) -> None:
    (sign,) = set(text) & set("፡𐎟᛫")
    (message,) = warned_of([text] * 3, [text] * 3, max_order=1)
    assert message.startswith(f"the references have {sign} between words, but tokenizer='13a' needs spaces: replace it")
    assert not warned_of([text] * 3, [text] * 3, max_order=1, tokenizer="intl")
    assert not warned_of([text.replace(sign, " ")] * 3, [text.replace(sign, " ")] * 3, max_order=1)


def test_printed_lists_and_lists_of_one_string() -> None:
    message, *_ = warned_of(["a b", "b c"], ["['a b', 'b']", "['b c']"], max_order=1)
    assert "2 of 2 references contain printed lists such as" in message
    lists = [["the cat sat on a mat"], ["a dog barks at me"]]
    for references in (lists[::-1], [[row] for row in lists[::-1]]):
        (message,) = warned_of(lists, references)
        assert message.endswith("pass the strings, as in predictions=[row[0] for row in predictions]")
    (message,) = warned_of([["the cat sat", "a dog barks"]] * 2, [[["the cat sits", "a dog barked"]]] * 2)
    assert "lists of strings with spaces" in message
    assert not warned_of([[" "]], [[[" "]]], max_order=1, smoothing="floor")
    with pytest.raises(TypeError, match="is a list of one string"):
        corpus_bleu(lists, ["the cat sat", "a dog"])


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_is_looked_at(container: str) -> None:
    for nested, rows in ((0, CURLY), (1, [[text, None] for text in CURLY])):
        (message,) = warned_of(ENGLISH, CONTAINERS[container](rows, "text", nested))
        assert "with quotes have straight ones" in message


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1], r"the weights sum to 2 instead of 1, .* pass weights=\[0.5, 0.5\]$"),
        ([0.33] * 3, r"the weights sum to 0.99 instead of 1, .* pass weights=\[0.3333, 0.3333, 0.3333\]$"),
        ([0, 0], "pass weights that sum to 1$"),
        ([1] * 7, "pass weights that sum to 1$"),
    ],
)
def test_weights_that_do_not_sum_to_1(weights: Any, message: str) -> None:
    (found,) = warned_of(["a b c d e f g"], ["a b c d e f g"], weights=weights)
    assert re.search(message, found)
    assert not warned_of(["a b c d e f g"], ["a b c d e f g"], weights=[0.333, 0.333, 0.333])


def test_every_door_warns_once(tmp_path: Path, metric: Any) -> None:
    dataset = Dataset.from_dict({"mt": CHINESE, "ref": CHINESE})
    systems = {"A": CHINESE, "B": CHINESE}
    doors: list[Any] = [
        lambda: sentence_bleu(CHINESE, CHINESE),
        lambda: corpus_statistics(CHINESE, CHINESE),
        lambda: score_dialects(CHINESE, CHINESE),
        lambda: score_systems(systems, CHINESE),
        lambda: system_statistics(systems, CHINESE),
        lambda: report(tmp_path / "report.html", systems, CHINESE),
        lambda: metric.compute(predictions=CHINESE, references=CHINESE, sentence_scores=True),
        lambda: (metric.add(prediction=CHINESE[0], reference=CHINESE[0]), metric.compute()),
        lambda: Accumulator().update(CHINESE, CHINESE),
        lambda: reward()(completions=CHINESE, references=CHINESE),
        lambda: evaluate_dataset(dataset, "mt", "ref", max_order=1),
    ]
    for door in doors:
        with pytest.warns(UserWarning, match="the references are Chinese") as caught:
            door()
        assert [warning.filename for warning in caught] == [__file__], door


def test_a_contradiction_is_warned_of_once() -> None:
    """Although several configurations are built from the options."""
    options: Any = {"target_language": "zh", "tokenizer": "intl"}
    texts = ["a b c d"], ["a b c d"]
    for call in (
        lambda: score_dialects(*texts, **options),
        lambda: bleu_metric.explain_difference(*texts, "nltk", "sacrebleu", **options),
        lambda: Accumulator(**options).update(*texts),
    ):
        with pytest.warns(UserWarning, match="tokenizer='intl' is used, although target_language='zh'") as caught:
            call()
        assert len(caught) == 1

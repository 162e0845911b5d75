"""The package equals the oracle, which `test_peers.py` holds to the libraries: integers exactly, scores to 1e-12.

pytest tests/peers/test_oracle.py                              # 12 cases per dialect, some characters
pytest tests/peers/test_oracle.py --heavy --more-cases 650    # 7,800 cases a dialect, and every character of Unicode
"""

from __future__ import annotations

import re
import sys
import unicodedata
import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from corpora import NASTY
from hypothesis import event, given, settings
from hypothesis import strategies as st

pytest.importorskip("sacrebleu", reason="pip install '.[test]'")
pytest.importorskip("pandas", reason="pip install '.[test]'")

from oracle import (
    REFERENCE_LENGTHS,
    Result,
    are_close,
    count_rows,
    count_segment,
    oracle_bleu,
    score_differences,
    score_rows,
    statistics_row,
    tokens_of,
)
from oracle_cases import TEXTS, VALUES, Case, cases, config_of
from oracle_tokenizers import TOKENIZERS
from oracle_ways import WAYS, ask
from peers import tokenizer_of_source

from bleu_metric import DIALECTS, BleuConfig, corpus_bleu, corpus_statistics

# A case takes some 40 ms: fewer of them than of other properties keep the default profile under a minute.
CASES = settings(max_examples=settings.default.max_examples * 3 // 10)

# --- the package against the oracle -----------------------------------------------------------------------------


def expected_answers(case: Case) -> dict[str, Any]:
    """Answer every question that any way may ask of the case."""
    options = case.config
    rows = count_rows(case.predictions, case.references, options)
    corpus = score_rows(rows, options)
    answers: dict[str, Any] = {"": corpus}
    for place, (score, row) in enumerate(zip(corpus.sentence_scores, corpus.rows, strict=True)):
        answers[f"segment {place}"] = score
        answers[f"row {place}"] = row
    for label in case.groups:
        of_group = [row for row, own in zip(rows, case.groups, strict=True) if own == label]
        answers[f"group {label!r}"] = score_rows(of_group, options)
    return answers


def case_differences(case: Case, *ways: str) -> list[str]:
    """Say where the package and the oracle differ: on the case's way in, and on others."""
    expected = expected_answers(case)
    wrong = []
    for way in dict.fromkeys([*ways, case.way]):
        for label, found in ask(replace(case, way=way)).items():
            right = expected[label]
            if isinstance(right, Result):
                wrong += [f"{way}: {label} {difference}" for difference in score_differences(found, right)]
            elif found != right if label.startswith("row ") else not are_close(found, right):
                wrong.append(f"{way}: {label}: {found!r}, expected {right!r}")
    return wrong


PLAIN_WAYS = ("corpus_bleu", "sentence_bleu", "corpus_statistics")  # they take less time than drawing a case


@pytest.mark.parametrize("dialect", DIALECTS)
@CASES
@given(data=st.data())
def test_every_way_in_equals_the_oracle(dialect: str, data: st.DataObject) -> None:
    case = data.draw(cases(dialect, list(WAYS)))
    event(case.way)
    assert not case_differences(case, *PLAIN_WAYS)


@pytest.mark.parametrize("dialect", ["evaluate", "mteval-v13a", "bleuscore", "papineni"])
def test_what_is_empty_makes_the_score_zero_by_its_rule(dialect: str) -> None:
    """A smoothing would give a text a score whose reference is empty."""
    smoothed = (1 / 5 / 4 / 3 / 2) ** (1 / 4) if dialect == "bleuscore" else 0
    options = config_of(dialect, {"smoothing": "add-one"})
    rows = count_rows(["a b c d"], [""], options)
    assert score_rows(rows, options).bleu == pytest.approx(smoothed, rel=1e-12)
    assert corpus_bleu(["a b c d"], [""], dialect, smoothing="add-one").bleu == pytest.approx(smoothed, rel=1e-12)


@pytest.mark.parametrize("rule", REFERENCE_LENGTHS)
def test_reference_lengths_around_9999(rule: str) -> None:
    """multi-bleu.perl starts its search at a length of 9999 and a difference of 9999."""
    predictions = ["", "a", "a a", "a a a"]
    references = [[" a" * length, " a" * 10_003] for length in (9999, 10_000, 10_001, 10_002)]
    expected = oracle_bleu(predictions, references, reference_length=rule, max_order=1)
    assert not score_differences(corpus_bleu(predictions, references, reference_length=rule, max_order=1), expected)


def test_a_wrong_oracle_differs_from_every_way_in() -> None:
    """Every way in reaches the comparison: of an oracle that lost a reference, every way differs."""
    corpus = {"predictions": ["a b c d e", "a b"], "references": [["a b c x", "a b c d e"], ["a c", "b b a b"]]}
    plain = {"groups": ["news", "chat"], "order": [0], "options": {"smoothing": "add-one"}}
    for way in WAYS:
        case = Case("papineni", "text", **corpus, **plain, way=way)
        assert not case_differences(case)
        assert ask(case).keys() <= expected_answers(case).keys()
        fewer = replace(case, references=[of_segment[:1] for of_segment in case.references])
        answers = ask(case)
        expected = expected_answers(fewer)
        for label, found in answers.items():
            right = expected[label]
            assert score_differences(found, right) if isinstance(right, Result) else found != right, (way, label)


def test_the_oracle_has_every_option() -> None:
    needs_models = {"ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K", "spm"}
    for name, values in VALUES.items():
        if values == (False, True) or values == (True, False):
            continue
        with pytest.raises(ValueError, match="accepted: ") as raised:
            BleuConfig(**{name: "unheard of"})
        accepted = re.findall(r"[^ ,]+", str(raised.value).partition("accepted: ")[2])
        assert {*map(repr, values)} == {*accepted} - {*map(repr, needs_models)}, name


# --- tokens of lines, and of every character --------------------------------------------------------------------------------------------

SURROUNDINGS = ("{}", "a{}b", "1{}2", "a{}", "1{}", "{}a", "{}1", " {} ", ".{},", "-{}-", "1{}.", "&am{}p;\n{}")


@pytest.fixture(scope="module")
def chunks_of_characters(cases: Callable[[int], int]) -> list[list[str]]:
    """ASCII, Latin-1, general punctuation, whatever was ever a difficulty, and some of the rest; 4,000 at once.

    Ten times as many cases have every character.
    """
    every = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    signs = [*every[0x80:0x100], *every[0x2000:0x2070]]
    step = 3 - min(cases(2), 2)  # 2 by default
    some = {*every[:0x80], *signs[::step], *every[:: 6000 // cases(1)], *"".join(NASTY)}
    characters = every if cases(1) >= 10 else sorted(some)
    return [characters[first : first + 4000] for first in range(0, len(characters), 4000)]


def row_of(tokens: list[str], joined: str, text: str, options: BleuConfig) -> list[int]:
    """Count a text against its own tokens, joined by spaces. All match, if a second cut changes nothing."""
    if tokens_of(joined, options) == tokens:
        count = len(tokens)
        return [count, max(count - 1, 0)] * 2 + [count, count]
    return statistics_row(count_segment(text, [joined], options), options)


def assert_same_tokens(texts: list[str], **options: Any) -> None:
    """Cut by the oracle, join, and let the package count: where a token differs, so do the bigrams that match."""
    chosen = BleuConfig(max_order=2, **options)
    tokens: list[Any] = [tokens_of(text, chosen) for text in texts]
    joined = [" ".join(own) for own in tokens]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "tokenizer=.* is for another language")
        found = corpus_statistics(texts, joined, max_order=2, **options).table.tolist()
    for text, row, own, line in zip(texts, found, tokens, joined, strict=True):
        assert row == row_of(own, line, text, chosen), repr(text)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@CASES
@given(data=st.data())
def test_lines_have_the_tokens_of_the_oracle(tokenizer: str, data: st.DataObject) -> None:
    lines = data.draw(st.lists(TEXTS["text"], min_size=10, max_size=30))
    options = {name: data.draw(st.sampled_from(VALUES[name])) for name in ("lowercase", "strip", "whitespace")}
    assert_same_tokens(lines, tokenizer=tokenizer, **options)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_every_character_in_every_surrounding(tokenizer: str, chunks_of_characters: list[list[str]]) -> None:
    for characters in chunks_of_characters:
        texts = [around.format(char, char) for char in characters for around in SURROUNDINGS]
        assert_same_tokens(texts, tokenizer=tokenizer)
        alone = [around.format(char) for char in characters for around in ("{}", " {} ", "a{}b")]
        for whitespace in {*VALUES["whitespace"]} - {"python"}:  # the default
            assert_same_tokens(alone, tokenizer=tokenizer, whitespace=whitespace)


@pytest.mark.heavy
@pytest.mark.parametrize("options", [{"lowercase": value} for value in (True, "after", "ascii")] + [{"strip": False}])
def test_every_character_with_other_options(options: dict[str, Any], chunks_of_characters: list[list[str]]) -> None:
    for characters in chunks_of_characters:
        texts = [around.format(char, char) for char in characters for around in ("{}", "&{}MP;", "A{}Σ", "1{}")]
        for tokenizer in TOKENIZERS:
            assert_same_tokens(texts, tokenizer=tokenizer, **options)


@pytest.mark.heavy
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_tokens_of_the_oracle_are_those_of_the_source(tokenizer: str, chunks_of_characters: list[list[str]]) -> None:
    tokenize_there = tokenizer_of_source(tokenizer)
    for char in chain(*chunks_of_characters):
        if tokenizer != "intl" and unicodedata.category(char) in ("Cn", "Co"):
            continue
        for around in SURROUNDINGS:
            text = around.format(char, char)
            assert tokens_of(text, BleuConfig(tokenizer=tokenizer)) == tokenize_there(text.rstrip()), repr(text)

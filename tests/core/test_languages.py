"""The language that one translates into chooses the tokenizer, as in sacrebleu."""

from __future__ import annotations

from typing import Any

import pytest

import bleu_metric
from bleu_metric import BleuConfig, corpus_bleu, self_bleu

pytestmark = pytest.mark.filterwarnings("error")

TEXTS = ["\u732b\u304c\u5ea7\u308b\u3002 a b c d e"], ["\u732b\u306f\u5ea7\u308b\u3002 a b c d e"]


def tokenizer_of(dialect: str = "sacrebleu", **options: Any) -> Any:
    """The tokenizer that is chosen. Nothing is counted, so no dictionary is needed."""
    return bleu_metric.Accumulator(dialect, **options).statistics.config.tokenizer


@pytest.mark.parametrize("language", ["zh", "ja", "ko", "de", "th-en"])
def test_the_tokenizer_is_that_of_sacrebleu(language: str) -> None:
    metrics: Any = pytest.importorskip("sacrebleu.metrics", reason="pip install 'bleu_metric[sacrebleu]'")
    pytest.importorskip("MeCab")
    pytest.importorskip("mecab_ko")
    theirs = metrics.BLEU(trg_lang=language.rpartition("-")[2])
    expected = 100 * corpus_bleu(*TEXTS, "sacrebleu", target_language=language).bleu
    assert theirs.corpus_score(TEXTS[0], [TEXTS[1]]).score == pytest.approx(expected, abs=1e-12)


CODES = {
    "zh": "en-zh zh-CN zh_TW zh-Hant-TW zho_Hans ZH zh-tw zh_sg ZH-HANT-HK yue cmn-Hans-CN zh-us en_zh-cn EN-ZH en-ZH "
    "zh-JP zh-u-co-pinyin zh-yue",
    "ja-mecab": "zh-ja eng_Latn-jpn_Jpan ja_JP ja-jp en_US-ja_XX",
    "ko-mecab": "en-ko_KR ko-kr KO-KR kor_Hang ko-KP",
    "13a": "zh-en pt-BR en-pt-br zh-de zh_CN-EN en-JP en_CN en-TH jp-en es-419 sr-Latn-RS de-1996 ru-sah fil",
}


@pytest.mark.parametrize(
    ("language", "tokenizer"), [(code, name) for name, codes in CODES.items() for code in codes.split()]
)
def test_codes_and_pairs(language: str, tokenizer: str) -> None:
    assert tokenizer_of(target_language=language) == tokenizer


def test_the_metric_and_self_bleu_take_the_language() -> None:
    result = bleu_metric.load("sacrebleu").compute(predictions=TEXTS[0], references=TEXTS[1], target_language="zh")
    assert result["signature"] == corpus_bleu(*TEXTS, "sacrebleu", tokenizer="zh").signature
    assert "|tok:zh|" in self_bleu(["a b", "a c"], target_language="zh").signature


@pytest.mark.parametrize("language", "en-kr en-jp EN-JP en_cn zh-jp ja-cn en-tw jp kr en-kh".split())
def test_codes_with_two_readings(language: str) -> None:
    with pytest.raises(ValueError, match=r"has two readings: .. is a country in which .* Pass target_language="):
        tokenizer_of(target_language=language)


@pytest.mark.parametrize(
    ("language", "function"),
    [
        *((code, "pythainlp.word_tokenize") for code in ("th", "en-th", "tha_Thai", "th-TH")),
        ("lao", "laonlp.tokenize.word_tokenize"),
        ("km-kh", "khmernltk.word_tokenize"),
        ("my_MM", "pyidaungsu.tokenize"),
        ("bo", ""),
    ],
)
def test_languages_without_spaces_and_without_a_tokenizer(language: str, function: str) -> None:
    message = rf"without spaces .* pass tokenizer='flores200', .*, or tokenizer='char'; or split .*{function}"
    with pytest.raises(ValueError, match=message):
        tokenizer_of(target_language=language)
    assert tokenizer_of(target_language=language, tokenizer="char") == "char"


def test_a_tokenizer_that_contradicts_the_language_wins_with_a_warning() -> None:
    for language, advised in (("zh", "zh"), ("ja", "ja-mecab"), ("ko", "ko-mecab")):
        with pytest.warns(UserWarning, match=f"pass tokenizer='{advised}'"):
            score = corpus_bleu(*TEXTS, "sacrebleu", target_language=language, tokenizer="13a")
        assert "|tok:13a|" in score.signature


@pytest.mark.parametrize("language", ["Chinese", "", "zh-", "z", "xx", "zh-en-ja", "z\uff48", "zh_CN.UTF-8"])
def test_text_that_is_no_language(language: str) -> None:
    with pytest.raises(ValueError, match=r"target_language must be the code of a language, such as 'zh'"):
        tokenizer_of(target_language=language)


def test_other_wrong_languages() -> None:
    with pytest.raises(TypeError, match="target_language must be a language such as 'zh' or 'en-zh', got 5"):
        tokenizer_of(target_language=5)
    for name in ("trg_lang", "language", "lang"):
        with pytest.raises(TypeError, match=f"unknown option '{name}'; did you mean target_language"):
            tokenizer_of(**{name: "zh"})
    with pytest.raises(TypeError, match=r"unknown option 'target_language'; did you mean tokenizer\?"):
        BleuConfig(target_language="zh")  # type: ignore[call-arg]

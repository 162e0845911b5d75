"""Choose the tokenizer for the target language.

As in sacrebleu 2.6.0 (`BLEU(trg_lang=...)`), Chinese, Japanese and Korean have tokenizers of their own. For all other
languages, the dialect decides the tokenizer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ._validation import short_repr, warn

_OWN_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_WITHOUT_SPACES = {"th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese", "bo": "Tibetan", "dz": "Dzongkha"}
_FOR_ANY_LANGUAGE = "pass tokenizer='flores200', whose model sacrebleu downloads, or tokenizer='char'"
# Language code of ISO 639-2 or 639-3 -> code of ISO 639-1
_LONG_CODES = {"chi": "zh", "cmn": "zh", "zho": "zh", "bur": "my", "mya": "my", "bod": "bo", "tib": "bo"}
_LONG_CODES |= {"dzo": "dz", "jpn": "ja", "khm": "km", "kor": "ko", "lao": "lo", "tha": "th"}
# A language, such as zh, zh-CN, zh_Hans or zho_Hans; or a language pair, such as de-zh, whose second part is the target
_SOURCE = r"(?:[a-z]{2,3}(?:_[A-Z]\w+)?-)??"  # optional and lazy, so that the tw of zh-tw is read as a region
_REGION = r"(?:[-_](?:[A-Z]\w+|cn|hk|tw))*"
_CODE = re.compile(rf"{_SOURCE}(?P<target>[a-z]{{2,3}}){_REGION}")
# Tokenizers that need spaces between words
WORD_TOKENIZERS = ("13a", "13a-unpadded", "intl", "whitespace", "none", "words-and-signs")


def with_tokenizer(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options without ``target_language``. If the language has its own tokenizer, add this tokenizer.

    If the options already have a tokenizer, keep it. Warn if this tokenizer needs spaces between words, although the
    language has its own tokenizer. Raise ``TypeError`` if the language is not a string. Raise ``ValueError`` if it is
    not a language code, or if the language is written without spaces and has no tokenizer of its own.

    >>> with_tokenizer({"target_language": "en-ja"}), with_tokenizer({"target_language": "de", "max_order": 2})
    ({'tokenizer': 'ja-mecab'}, {'max_order': 2})
    """
    resolved = dict(options)
    language = resolved.pop("target_language", None)
    if language is None:
        return resolved

    code = _code_of(language)
    own_tokenizer = _OWN_TOKENIZERS.get(code)
    tokenizer = resolved.get("tokenizer")
    if own_tokenizer is not None and tokenizer in WORD_TOKENIZERS:
        warn(
            f"tokenizer={tokenizer!r} is used, although target_language={language!r}: for this language, pass "
            f"tokenizer={own_tokenizer!r}, as sacrebleu does"
        )
    if tokenizer is not None:
        return resolved

    if own_tokenizer is not None:
        resolved["tokenizer"] = own_tokenizer
    elif code in _WITHOUT_SPACES:
        raise ValueError(
            f"target_language={language!r}: {_WITHOUT_SPACES[code]} is written without spaces and has no tokenizer of "
            f"its own; {_FOR_ANY_LANGUAGE}"
        )
    return resolved


def _code_of(language: Any) -> str:
    """Return the code of the target language, such as "zh" for "en-zho". Shorten the codes in `_LONG_CODES`."""
    if not isinstance(language, str):
        raise TypeError(f"target_language must be a language such as 'zh' or 'en-zh', got {short_repr(language)}")

    match = _CODE.fullmatch(language)
    if match is None:
        raise ValueError(
            f"target_language must be the code of a language, such as 'zh', or of a pair, such as 'en-zh', got "
            f"{short_repr(language)}"
        )

    code = match["target"]
    return _LONG_CODES.get(code, code)


def advice_on_spaces(code: str, tokenizer: str) -> str:
    """Return the warning that the references have no spaces between words, although the tokenizer needs them.

    >>> advice_on_spaces("ja", "13a").partition(", but ")[2]
    "tokenizer='13a' needs them: pass target_language='ja'"
    """
    languages = {"zh": "Chinese", "ja": "Japanese", **_WITHOUT_SPACES}
    remedy = f"pass target_language={code!r}" if code in _OWN_TOKENIZERS else _FOR_ANY_LANGUAGE
    return (
        f"the references are {languages[code]} without spaces between words, but tokenizer={tokenizer!r} needs them: "
        f"{remedy}"
    )

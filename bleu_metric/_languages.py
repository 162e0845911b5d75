"""Choose the tokenizer for the target language.

As in sacrebleu 2.6.0 (`BLEU(trg_lang=...)`), Chinese, Japanese and Korean have their own tokenizers. For all other
languages, the dialect decides the tokenizer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ._validation import as_in, short_repr, typed, warn

_OWN_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_WITHOUT_SPACES = {"th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese", "bo": "Tibetan", "dz": "Dzongkha"}
_NAMES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean", **_WITHOUT_SPACES}
# Functions of the packages pythainlp, laonlp, khmer-nltk and pyidaungsu that split a text into words or syllables
_FUNCTIONS = {"th": "pythainlp.word_tokenize", "lo": "laonlp.tokenize.word_tokenize"}
_FUNCTIONS |= {"km": "khmernltk.word_tokenize", "my": "pyidaungsu.tokenize"}
# Three-letter code of ISO 639-2 or 639-3 -> two-letter code of ISO 639-1. The list of Chinese languages is from BCP 47
_LONG_CODES = {"bur": "my", "mya": "my", "bod": "bo", "tib": "bo", "dzo": "dz"}
_LONG_CODES |= {"jpn": "ja", "khm": "km", "kor": "ko", "lao": "lo", "tha": "th"}
_LONG_CODES |= dict.fromkeys(("chi", "cmn", "zho", "cdo", "cjy", "cpx", "czh", "czo", "gan", "hak", "hsn"), "zh")
_LONG_CODES |= dict.fromkeys(("lzh", "mnp", "nan", "wuu", "yue"), "zh")
# Current and older codes of ISO 639-1, first the codes that are not country codes of ISO 3166
_CODES_OF_LANGUAGES_ALONE = (
    "aa ab ak an av ay ce cs da dv el en eo eu fa ff fy gv ha he hi ho hy hz ia ig ii ik iu iw ja ji jv jw ka kj kk kl "
    "ko ks ku kv lg ln lo mi nb nd nn nv ny oc oj or os pi qu rm rn sq su sw ta te ti ts ty uk ur vo wa wo xh yi yo zh "
    "zu"
)
_CODES_OF_COUNTRIES_TOO = (
    "ae af am ar as az ba be bg bh bi bm bn bo br bs ca ch co cr cu cv cy de dz ee es et fi fj fo fr ga gd gl gn gu hr "
    "ht hu id ie in io is it kg ki km kn kr kw ky la lb li lt lu lv mg mh mk ml mn mr ms mt my na ne ng nl no nr om pa "
    "pl ps pt ro ru rw sa sc sd se sg sh si sk sl sm sn so sr ss st sv tg th tk tl tn to tr tt tw ug uz ve vi za"
)
_ONLY_LANGUAGES = frozenset(_CODES_OF_LANGUAGES_ALONE.split())
_ALSO_COUNTRIES = frozenset(_CODES_OF_COUNTRIES_TOO.split())
# Country -> its language in `_NAMES`, if the two codes differ
_LANGUAGE_OF_COUNTRY = dict.fromkeys(("cn", "hk", "mo", "sg", "tw", "chn", "hkg", "twn"), "zh")
_LANGUAGE_OF_COUNTRY |= {"jp": "ja", "kp": "ko", "kr": "ko", "la": "lo", "kh": "km", "mm": "my", "bt": "dz"}
# Matches zh, zh-CN, zh_Hans, de-zh and, with an extension, zh-u-co-pinyin
_CODE = re.compile(
    "[a-z]{2,3}([-_]([a-z]{2,3}|[0-9]{3}|[a-z0-9]{4,8}))*([-_][a-z0-9]([-_][a-z0-9]{1,8})+)?",
    re.IGNORECASE | re.ASCII,
)
# Tokenizers that need spaces between words
WORD_TOKENIZERS = ("13a", "13a-unpadded", "intl", "whitespace", "none", "words-and-signs")


def with_tokenizer(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options without ``target_language``, but with the tokenizer for Chinese, Japanese or Korean.

    A tokenizer in the options is kept. Warn if a tokenizer in the options does not suit the language, as "13a" for
    Japanese. Raise ``TypeError`` if the language is not a string. Raise ``ValueError`` for an unknown or ambiguous
    code. Also raise ``ValueError`` for a language without spaces, such as Thai, if the options have no tokenizer.

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
            f"{typed('tokenizer', tokenizer)} is used, although {typed('target_language', language)}: for this "
            f"language, pass {typed('tokenizer', own_tokenizer)}, as sacrebleu does"
        )
    if tokenizer is not None:
        return resolved

    if own_tokenizer is not None:
        resolved["tokenizer"] = own_tokenizer
    elif code in _WITHOUT_SPACES:
        raise ValueError(
            f"{typed('target_language', language)}: {_WITHOUT_SPACES[code]} is written without spaces and has no "
            f"tokenizer of its own; {_remedy(code)}"
        )
    return resolved


def _remedy(code: str) -> str:
    """Return advice for a language such as Thai, which has neither spaces nor its own tokenizer."""
    model, characters = typed("tokenizer", "flores200"), typed("tokenizer", "char")
    example = as_in(f"{_FUNCTIONS[code]}(text)") if code in _FUNCTIONS else ""
    return (
        f"pass {model}, whose model sacrebleu downloads, or {characters}; or split the texts into words first{example}"
    )


def _code_of(language: Any) -> str:
    """Return the code of the target language: "de-ja" -> "ja", "en-zho" -> "zh".

    Regions are ignored: "en-CN" -> "en", "zh-tw" -> "zh". "en-cn" raises ``ValueError``, because only upper case marks
    "cn" as a region.
    """
    option = typed("target_language")
    if not isinstance(language, str):
        raise TypeError(f"{option} must be a language such as 'zh' or 'en-zh', got {short_repr(language)}")
    not_a_code = (
        f"{option} must be the code of a language, such as 'zh', or of a pair, such as 'en-zh', got "
        f"{short_repr(language)}"
    )
    if not _CODE.fullmatch(language):
        raise ValueError(not_a_code)

    first, *others = re.split("[-_]", language)
    code = _shortened(first)
    is_pair = False
    for part in others:
        if len(part) == 1:  # the rest is an extension, as in zh-u-co-pinyin
            break
        name = part.lower()
        if not part.isalpha() or len(part) > 3 or _LANGUAGE_OF_COUNTRY.get(name) == code:
            continue  # a script, a variant or a region

        is_language = name in _ALSO_COUNTRIES or name in _LANGUAGE_OF_COUNTRY or len(name) == 3
        is_marked = part.isupper() and not first.isupper()
        if name in _ONLY_LANGUAGES or name in _LONG_CODES or (is_language and not is_marked and not is_pair):
            if is_pair:
                raise ValueError(not_a_code)
            code, is_pair = _shortened(name), True

    if code in _LANGUAGE_OF_COUNTRY:
        meant = _LANGUAGE_OF_COUNTRY[code]
        raise ValueError(
            f"{typed('target_language', language)} has two readings: {code.upper()} is a country in which "
            f"{_NAMES[meant]} is written, but as a language, {code!r} is another one or none. Pass "
            f"{typed('target_language', meant)} for {_NAMES[meant]}, upper case for a region, as in "
            f"'en-{code.upper()}', or the three letters of ISO 639-3 for another language"
        )
    if len(code) == 2 and code not in _ONLY_LANGUAGES | _ALSO_COUNTRIES:
        raise ValueError(f"{not_a_code}, which is not in ISO 639")
    return code


def _shortened(code: str) -> str:
    return _LONG_CODES.get(code.lower(), code.lower())


def advice_on_spaces(code: str, tokenizer: str, name: str, names_language: bool) -> str:
    """Return the warning for texts without spaces between words, if the tokenizer needs spaces.

    `name`: what the user calls the texts. `names_language`: whether to advise `target_language`, not `tokenizer`.

    >>> advice_on_spaces("ja", "13a", "references", names_language=True).partition(", but ")[2]
    "tokenizer='13a' needs them: pass target_language='ja'"
    """
    remedy = _remedy(code)
    if code in _OWN_TOKENIZERS:
        option = typed("target_language", code) if names_language else typed("tokenizer", _OWN_TOKENIZERS[code])
        remedy = f"pass {option}"
    return (
        f"the {name} are {_NAMES[code]} without spaces between words, but {typed('tokenizer', tokenizer)} needs "
        f"them: {remedy}"
    )

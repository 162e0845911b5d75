"""Signatures of sacrebleu are read, and scores name theirs; text that is no signature is refused."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from bleu_metric import DIALECTS, BleuConfig, corpus_bleu

SACREBLEU = DIALECTS["sacrebleu"]
PLAIN = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
TEXTS = ["The cat sat, then left.", "It is 3.5 km"], ["the cat sat, and left.", "It is 3.5 miles"]


JOEYNMT = "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.4.0"
FAIRSEQ = "BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt14/full+tok.13a+version.1.4.3"
STUDENTS = "BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1"
MARIAN = "BLEU+case.mixed+lang.ro-en+numrefs.1+smooth.exp+test.wmt16/dev+tok.13a+version.1.2.12"


@pytest.mark.parametrize(
    ("signature", "options"),
    [
        (PLAIN, {}),
        # The README of sacrebleu prints these
        ("#:1|bs:1000|rs:12345|c:mixed|e:no|tok:13a|s:exp|v:2.0.0", {}),
        ("nrefs:1|ar:10000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0", {}),
        ("nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0", {}),
        # Those of other projects: fairseq, browsermt/students, marian-examples, joeynmt
        *((printed, {"zero_score": "never"}) for printed in (FAIRSEQ, STUDENTS, MARIAN)),
        (JOEYNMT, {"lowercase": True}),
        (JOEYNMT.replace("lc", "mixed").replace("13a", "intl"), {"tokenizer": "intl"}),
        (PLAIN.replace("13a", "ja-mecab-0.996-IPA"), {"tokenizer": "ja-mecab"}),
        # Others
        ("#:1|c:lc|e:yes|tok:13a|s:none|v:2.6.0", {"lowercase": True, "effective_order": True, "smoothing": "none"}),
        (f"BLEU|{PLAIN} = 20.8 54.4/26.6 (BP = 1.000)", {}),
        (" nrefs:var|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp| version:2.3.2\n", {}),
        ("nrefs:1|test:wmt14/full|lang:en-de|subset:.*-crime|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0", {}),
        (PLAIN.replace("exp", "floor[0.30]"), {"smoothing": "floor", "smoothing_value": 0.3}),
        (
            "BLEU+c.lc+#.1+s.add-k[1.00]+t.wmt14/full+tok.char+v.1.5.0",
            {"lowercase": True, "smoothing": "add-k", "tokenizer": "char", "zero_score": "never"},
        ),
    ],
)
def test_the_settings_of_a_signature_of_sacrebleu(signature: str, options: dict[str, Any]) -> None:
    assert BleuConfig.from_signature(signature) == SACREBLEU.with_options(options)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        (PLAIN.replace("13a", "ter"), r"unknown tokenizer in a signature of sacrebleu 'ter'"),
        (PLAIN.replace("mixed", "upper"), r"unknown value of lowercase in a signature 'upper'"),
        (PLAIN.replace("eff:no", "eff:maybe"), r"unknown value of effective_order in a signature 'maybe'"),
        (PLAIN.replace("13a", "flores200"), r"a signature never starts a download: 'flores200'; pass"),
        (PLAIN.replace("13a", "spm"), r"a signature never starts a download: 'spm'; pass"),
        (f"{PLAIN}|test:../../x", r"'test:../../x' in signature .* is not a number or a name"),
        (f"{PLAIN}|test:/etc/x", r"'test:/etc/x' in signature .* is not a number or a name"),
        ("BLEU+case.mixed+tok", r"'tok' in signature 'BLEU\+case.mixed\+tok' is not of the form key.value"),
        ("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0", r"unknown key in a signature 'nc'"),
        ("case:mixed|tok:13a", r"lacks the keys order, weights, smooth, ref, eff, avg"),
        ("", r"'' in signature '' is not of the form key:value"),
        ("tok:13a|tok:13a", r"key 'tok' occurs twice"),
        (f"#:1|{PLAIN}", r"key 'nrefs' occurs twice"),
        (f"{STUDENTS}+v.1.5.1", r"key 'version' occurs twice"),
        *(
            (STUDENTS.replace("exp", name), rf"without the smoothing value.* smooth.{name}\[")
            for name in ("floor", "add-k")
        ),
        (PLAIN.replace("nrefs:1", "nrefs:\uff11"), r"is not one of 0123456789"),
        (STUDENTS.replace("numrefs.1", "numrefs.\u0661"), r"is not one of 0123456789"),
        (PLAIN.replace("13a", "ja-mecab-\u0660.996-IPA"), r"is not one of 0123456789"),
        (PLAIN.replace("exp", "floor[1_0]"), r"'1_0' in a signature is not a number"),
        ("tok:13a|cse:lc", r"unknown key in a signature 'cse' \(did you mean 'case'\?\)"),
        ("case:upper", r"unknown value of lowercase in a signature 'upper'"),
        ("order:x", r"'x' in a signature is not a number"),
        ("weights:1,x", r"'x' in a signature is not a number"),
        ("tok:function-m.f", r"a signature contains only the name of a tokenizer function"),
    ],
)
def test_text_that_is_no_signature(signature: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BleuConfig.from_signature(signature)


def test_sacrebleu_1_smooths_scores_without_a_match() -> None:
    # sacrebleu 1.4.14 and 1.5.1: corpus_bleu(["a b c d e f"], [["u v w x y z"]])
    assert corpus_bleu(["a b c d e f"], ["u v w x y z"], STUDENTS).bleu * 100 == pytest.approx(4.0583489434387365)


def test_a_tokenizer_that_is_passed_replaces_that_of_the_signature() -> None:
    flores = PLAIN.replace("13a", "flores200")
    assert corpus_bleu(*TEXTS, flores, tokenizer="char") == corpus_bleu(*TEXTS, "sacrebleu", tokenizer="char")


@pytest.mark.parametrize(
    "options",
    [
        {"max_order": 3},
        {"weights": [0.1, 0.2, 0.3, 0.4]},
        {"lowercase": "ascii"},
        {"normalization": "NFKC"},
        {"strip": False},
        {"tokenizer": "whitespace"},
        {"tokenizer": str.split},
        {"average": "sentence"},
        {"reference_length": "shortest"},
        {"empty_references": "missing"},
        {"smoothing": "method1"},
        {"smoothing": "floor", "smoothing_value": 0.123},  # sacrebleu would name it floor[0.12]
        {"smoothing": "floor", "smoothing_value": 1e-9},
    ],
)
def test_scores_that_sacrebleu_cannot_name(options: dict[str, Any]) -> None:
    score = corpus_bleu(*TEXTS, "sacrebleu", **options)
    assert score.sacrebleu_signature is None
    assert score.citation().sentence.endswith(score.signature)


def _random_options(rng: random.Random) -> dict[str, Any]:
    """Options of sacrebleu's BLEU, under our names."""
    smoothing = rng.choice(["exp", "none", "floor", "add-k"])
    value = {"smoothing_value": rng.randint(1, 300) / 100} if smoothing in ("floor", "add-k") else {}
    return {
        "tokenizer": rng.choice(["13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab"]),
        "lowercase": rng.random() < 0.5,
        "effective_order": rng.choice([True, "sentence"]),
        "smoothing": smoothing,
        **value,
    }


@pytest.mark.parametrize(("name", "package"), [("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko")])
def test_signatures_name_the_dictionary(name: str, package: str) -> None:
    pytest.importorskip(package, reason="pip install 'bleu_metric[sacrebleu]'")
    signature = str(BleuConfig(tokenizer=name))
    assert re.search(rf"tok:{name}\[[^]]+\]", signature)
    assert BleuConfig.from_signature(signature).tokenizer == name
    for printed in (signature.replace(f"{name}[", f"{name}[9"), PLAIN.replace("13a", f"{name}-9.9-other")):
        with pytest.raises(ValueError, match=rf"'{name}\[9.*but this installation has {name}\[.*MeCab that was used"):
            BleuConfig.from_signature(printed)


def test_random_configurations_go_through_the_signatures_of_sacrebleu() -> None:
    """Ours equal those of sacrebleu itself, which read back to the same settings and the same score."""
    metrics: Any = pytest.importorskip("sacrebleu.metrics", reason="pip install 'bleu_metric[sacrebleu]'")
    pytest.importorskip("MeCab")
    pytest.importorskip("mecab_ko")
    rng = random.Random(0)
    words = ["The", "cat", "sat.", "3.5", "(a)", "猫が", "座った。", "고양이", "x-y", "km,"]
    for _ in range(100):
        options = _random_options(rng)
        theirs = metrics.BLEU(
            lowercase=options["lowercase"],
            tokenize=options["tokenizer"],
            smooth_method=options["smoothing"],
            smooth_value=options.get("smoothing_value"),
            effective_order=options["effective_order"] is True,
        )
        predictions, references = ([" ".join(rng.choices(words, k=rng.randint(0, 9))) for _ in "ab"] for _ in "ab")
        expected = theirs.corpus_score(predictions, [references])
        ours = corpus_bleu(predictions, references, "sacrebleu", **options)
        signature = str(theirs.get_signature())
        assert ours.sacrebleu_signature is not None
        assert ours.sacrebleu_signature.partition("|version")[0] == signature.partition("|version")[0]
        assert BleuConfig.from_signature(signature) == SACREBLEU.with_options(options)
        assert 100 * ours.bleu == pytest.approx(expected.score, abs=1e-10)
        assert corpus_bleu(predictions, references, signature) == ours

"""Each definition of Self-BLEU against its own rule, restated here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import random_tokens
from inner_doors import CHOICES
from many_texts import CATS, KINDS, all_others, random_segment

from bleu_metric import DIALECTS, SELF_BLEU_DEFINITIONS, self_bleu, sentence_bleu

RULES = CHOICES["reference_length"]


def texts_of(rng: np.random.Generator, number: int) -> list[str]:
    return [" ".join(random_tokens(rng) or ["a"]) for _ in range(number)]


@pytest.fixture(scope="module")
def nltk() -> Any:
    return pytest.importorskip("nltk.translate.bleu_score")


# What the definitions' own code gave for CATS: Texygen, HELM 63754d0, DiffuSeq f78945d, fairseq
GIVEN: list[tuple[str, dict[str, Any], float]] = [
    ("texygen", {"tokenizer": "whitespace", "max_order": 2}, 0.6620829224054993),
    ("texygen", {"tokenizer": "whitespace"}, 0.5007331488404461),
    ("texygen", {"tokenizer": "whitespace", "max_order": 4}, 0.2465808575485264),
    ("texygen", {"tokenizer": "whitespace", "max_order": 5}, 0.17403709949446586),
    ("helm", {}, 0.3687243848076725),
    ("diffuseq", {}, 0.17870956621274847),
    ("shen-2019", {}, 0.13494706395533216),
]


@pytest.mark.parametrize(("definition", "options", "score"), GIVEN)
def test_the_definitions_own_code_gave_the_same(definition: str, options: dict[str, Any], score: float) -> None:
    assert self_bleu(CATS, definition, **options).bleu == pytest.approx(score, abs=1e-12)


def test_texygen_tokenizes_with_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    nltk = pytest.importorskip("nltk")
    tokenize = nltk.NLTKWordTokenizer().tokenize  # word_tokenize without the data that splits sentences
    monkeypatch.setattr(nltk, "word_tokenize", tokenize)
    texts = ["the cat isn't here, said he.", "the cat isn't here; it ran.", "he said: it isn't (the cat) here."]
    tokens = [" ".join(tokenize(text)) for text in texts]
    assert tokens != texts
    assert self_bleu(texts, "texygen").bleu == self_bleu(tokens, "texygen", tokenizer="whitespace").bleu


def test_texygen_without_nltks_data_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def word_tokenize(text: str) -> list[str]:
        raise LookupError("Resource punkt_tab not found")

    monkeypatch.setattr(pytest.importorskip("nltk"), "word_tokenize", word_tokenize)
    with pytest.raises(ImportError, match=r"nltk\.downloader punkt_tab; or pass another tokenizer"):
        self_bleu(["a b c", "a b d"], "texygen")


def test_zhu_is_the_mean_against_all_others() -> None:
    texts = texts_of(np.random.default_rng(2), 300)
    scores = sentence_bleu(texts, all_others(texts), "papineni", tokenizer="whitespace")
    assert self_bleu(texts).bleu == pytest.approx(scores.mean(), abs=1e-12)


def test_helm_as_its_code_computes_it() -> None:
    bleu = pytest.importorskip("sacrebleu").BLEU(effective_order=True)
    texts = texts_of(np.random.default_rng(4), 60)
    theirs = [
        bleu.sentence_score(own, others).score / 100 for own, others in zip(texts, all_others(texts), strict=True)
    ]
    assert self_bleu([*texts, " ", "\n"], "helm").bleu == pytest.approx(np.mean(theirs), abs=1e-12)
    assert self_bleu(["a", " "], "helm").bleu == 0.0
    assert self_bleu(CATS, "helm").to_csv() == f"bleu\n{100 * self_bleu(CATS, 'helm').bleu}"


def test_diffuseq_as_its_code_computes_it(nltk: Any) -> None:
    texts = texts_of(np.random.default_rng(5), 40)
    smooth = nltk.SmoothingFunction().method4
    groups = [0] * 15 + [1] * 22 + [2] * 2 + [3]
    means = []
    for group in range(4):
        own = [text.split() for text, label in zip(texts, groups, strict=True) if label == group]
        pairs = [(own[i], own[j]) for i in range(len(own)) for j in range(i + 1, len(own))]
        scores = [nltk.sentence_bleu([later], earlier, smoothing_function=smooth) for earlier, later in pairs]
        means.append(np.mean(scores) if scores else 0.0)
    ours = self_bleu(texts, "diffuseq", groups=groups)
    assert ours.groups == pytest.approx(dict(enumerate(means)), abs=1e-12)
    assert ours.bleu == pytest.approx(np.mean(means), abs=1e-12)


def test_shen_as_its_code_computes_it() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    texts = texts_of(np.random.default_rng(6), 30)
    groups = [place % 4 for place in range(30)]
    pairs = [(texts[i], texts[j]) for i in range(30) for j in range(30) if i != j and groups[i] == groups[j]]
    hypotheses, references = zip(*pairs, strict=True)
    theirs = sacrebleu.corpus_bleu(hypotheses, [references], tokenize="none").score / 100
    assert self_bleu(texts, "shen-2019", groups=groups).bleu == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.filterwarnings("ignore:the score is 0")
def test_each_text_scores_as_with_all_others_as_references(rule: str) -> None:
    rng = np.random.default_rng(8)
    for index in range(30):
        texts = random_segment(rng, KINDS[index % 3], least=2, most=9)
        dialect = DIALECTS[str(rng.choice(list(DIALECTS)))]
        config = dialect.with_options({"reference_length": rule, "max_order": int(rng.integers(1, 6))})
        if any(texts):
            expected = sentence_bleu(texts, all_others(texts), config)
            np.testing.assert_allclose(self_bleu(texts, dialect=config).text_scores, expected, rtol=1e-12)


def test_texygen_uses_the_first_500_texts_of_a_group() -> None:
    many = texts_of(np.random.default_rng(3), 501)
    first = self_bleu(many[:500], "texygen", tokenizer="whitespace")
    in_groups = self_bleu([*many, *many], "texygen", tokenizer="whitespace", groups=["x"] * 501 + ["y"] * 501)
    assert in_groups.texts == 1000
    assert in_groups.groups == {"x": first.bleu, "y": first.bleu}


@pytest.mark.parametrize("definition", SELF_BLEU_DEFINITIONS)
def test_groups_are_sets_of_their_own(definition: str) -> None:
    rng = np.random.default_rng(9)
    texts = texts_of(rng, 80)
    labels = [("x", "y", "z")[place] for place in rng.integers(0, 3, 80)]
    options: dict[str, Any] = {"tokenizer": "whitespace"}
    result = self_bleu(texts, definition, groups=labels, **options)
    assert result.groups is not None
    for label, score in result.groups.items():
        own = [text for text, other in zip(texts, labels, strict=True) if other == label]
        assert score == pytest.approx(self_bleu(own, definition, **options).bleu, abs=1e-12)
    if definition == "shen-2019":
        assert "groups:pool|" in result.signature
    else:
        assert "groups:mean|" in result.signature
        assert result.bleu == pytest.approx(np.mean(list(result.groups.values())), abs=1e-12)


def test_a_group_of_one_text_scores_0_where_the_library_says_so() -> None:
    for definition in ("helm", "diffuseq"):
        scores = self_bleu(["a b", "a b", "c d"], definition, groups=["x", "x", "y"]).groups
        assert scores is not None
        assert (scores["x"] > 0, scores["y"]) == (True, 0)


def test_scores_of_texts() -> None:
    helm = SELF_BLEU_DEFINITIONS["helm"]
    result = self_bleu([*CATS, ""], "helm")
    np.testing.assert_allclose(result.text_scores, [*sentence_bleu(CATS, all_others(CATS), helm.config), np.nan], 1e-12)
    assert f"|nrefs:{len(CATS) - 1}|" in result.signature
    assert self_bleu(CATS, "shen-2019").text_scores is None

"""What random calls do not reach: states, files, logs, and the errors for what libraries drop silently."""

from __future__ import annotations

import copy
import logging
import pickle
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bleu_metric
from bleu_metric.compat import bleuscore, nltk, nmt, pycocoevalcap, sacrebleu, torchtext

TEXTS = ["the cat sat on the mat", "a dog barks", "it rains"]
REFERENCES = [["the cat sat on a mat"], ["the dog barks", "a dog barked"], ["it rained"]]
TOKENS = [text.split() for text in TEXTS]
REFERENCE_TOKENS = [[text.split() for text in texts] for texts in REFERENCES]


def test_the_sub_package_is_an_attribute() -> None:
    assert bleu_metric.compat.nltk is nltk
    with pytest.raises(AttributeError, match="has no attribute 'spacy'"):
        bleu_metric.compat.spacy  # noqa: B018


# --- what is dropped silently elsewhere -------------------------------------------------------------------------


def test_surplus_segments_are_errors() -> None:
    with pytest.raises(TypeError, match=r"references\[0\] has 2 segments, hypotheses have 3"):
        sacrebleu.corpus_bleu(TEXTS, [["the cat", "a dog"]])
    with pytest.raises(ValueError, match="3 predictions but 2"):
        nmt.compute_bleu(REFERENCE_TOKENS[:2], TOKENS)
    with pytest.raises(ValueError, match="3 predictions but 2"):
        bleuscore.compute(REFERENCES[:2], TEXTS)
    with pytest.raises(AssertionError, match="3 predictions but 2"):
        nltk.corpus_bleu(REFERENCE_TOKENS[:2], TOKENS)
    with pytest.raises(AssertionError, match="3 predictions but 2"):
        torchtext.bleu_score(TOKENS, REFERENCE_TOKENS[:2])


def test_segments_without_a_reference_are_errors() -> None:
    with pytest.raises(ValueError, match="segment 1 has no reference"):
        nltk.corpus_bleu([REFERENCE_TOKENS[0], []], TOKENS[:2])
    for score in (
        lambda: sacrebleu.corpus_bleu(TEXTS[:2], [["the cat", None]]),
        lambda: bleuscore.compute([REFERENCES[0], []], TEXTS[:2]),
        lambda: nmt.compute_bleu([REFERENCE_TOKENS[0], []], TOKENS[:2]),
    ):
        with pytest.raises(ValueError, match=r"references\[1\]"):
            score()


def test_a_string_for_a_list_of_strings_is_an_error() -> None:
    for score in (
        lambda: sacrebleu.corpus_bleu("the cat", [["the cat"]]),
        lambda: sacrebleu.corpus_bleu(TEXTS, TEXTS),
        lambda: bleuscore.compute(TEXTS, TEXTS),
    ):
        with pytest.raises(TypeError, match="must be a list of strings"):
            score()


def test_nothing_to_score_is_an_error() -> None:
    for score in (
        lambda: sacrebleu.corpus_bleu([], [[]]),
        lambda: sacrebleu.corpus_bleu(TEXTS, []),
        lambda: sacrebleu.sentence_bleu("a", []),
    ):
        with pytest.raises(TypeError, match="must not be empty"):
            score()
    with pytest.raises(ValueError, match="no predictions"):
        bleuscore.compute([], [])
    for zero in (lambda: nltk.corpus_bleu([], []), lambda: nmt.compute_bleu([], [])):
        with pytest.raises(ZeroDivisionError, match="to score"):
            zero()
    assert torchtext.bleu_score([], []) == 0.0


# --- sacrebleu --------------------------------------------------------------------------------------------------


def test_texts_that_look_tokenized(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    texts = ["a b c d ."] * 100
    sacrebleu.corpus_bleu(texts[1:], [texts[1:]])
    sacrebleu.corpus_bleu(texts, [texts], force=True)
    assert not caplog.messages
    sacrebleu.corpus_bleu(texts, [texts])
    assert "look tokenized" in caplog.text


def test_sentences_without_effective_order(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    sacrebleu.sentence_bleu("a b", ["a b"])
    assert not caplog.messages
    assert sacrebleu.BLEU().sentence_score("a b", ["a b"]).score == 0
    assert "effective_order=True" in caplog.text


def test_a_language_has_its_tokenizer(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    metric = sacrebleu.BLEU(trg_lang="zh")
    metric.corpus_score(["中文"], [["中文"]])
    assert "tok:zh" in str(metric.get_signature())
    assert not caplog.messages
    sacrebleu.BLEU(trg_lang="zh", tokenize="13a")
    assert "'zh'" in caplog.text


def test_the_seed_of_the_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    def interval(seed: str) -> tuple[str, str]:
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        metric = sacrebleu.BLEU(max_ngram_order=2)
        score = metric.corpus_score(TEXTS, [[texts[0] for texts in REFERENCES]], n_bootstrap=40)
        return score.format(width=6), str(metric.get_signature())

    assert interval("7") == interval("7") != interval("8")
    assert "|bs:40|seed:7|" in interval("7")[1]
    assert interval("None")[0] != interval("none")[0]
    assert "|seed:none|" in interval("None")[1]


def test_the_same_names_in_sacrebleus_modules() -> None:
    assert sacrebleu.metrics.BLEU is sacrebleu.BLEU
    assert sacrebleu.compat.sentence_bleu is sacrebleu.sentence_bleu


def test_references_given_once() -> None:
    streams = [[texts[0] for texts in REFERENCES]]
    metric = sacrebleu.BLEU(references=streams)
    assert str(metric.corpus_score(TEXTS, None)) == str(sacrebleu.BLEU().corpus_score(TEXTS, streams))


def test_the_signature_of_references_given_once() -> None:
    metric = sacrebleu.BLEU(references=[["a b", "c d"], ["a c", None]])
    assert str(metric.get_signature()).startswith("nrefs:var|")
    with pytest.raises(ValueError, match="score something first"):
        sacrebleu.BLEU().get_signature()


@pytest.mark.parametrize("test_type", ["bs", "ar"])
def test_sacrebleus_own_paired_tests_take_our_metric(test_type: str) -> None:
    theirs: Any = pytest.importorskip("sacrebleu", reason="pip install '.[test]'")
    significance: Any = pytest.importorskip("sacrebleu.significance")
    rng = np.random.default_rng(4)
    texts = [" ".join(rng.choice(list("abcd"), 9)) for _ in range(30)]
    streams = [[" ".join(rng.choice(list("abcd"), 9)) for _ in texts], [*texts[:10], *[None] * 20]]
    systems = [("first", texts), ("second", [text[2:] for text in texts]), ("third", texts[::-1])]
    tables = []
    for module in (sacrebleu, theirs):
        metrics = {"BLEU": module.BLEU(references=streams, smooth_method="floor")}
        options = {"test_type": test_type, "n_samples": 200, "n_ar_confidence": 50}
        signatures, table = significance.PairedTest(systems, metrics, None, **options)()
        results = [(row.score, row.p_value, row.mean, row.ci) for row in table["BLEU"]]
        tables.append((str(signatures["BLEU"]), table["System"], results))
    assert tables[0] == tables[1]


def test_counts_given_are_not_changed() -> None:
    correct, total = [5, 3, 1, 0], [6, 5, 4, 3]
    score = sacrebleu.BLEU.compute_bleu(correct, total, 6, 6, smooth_method="add-k")
    assert (correct, total) == ([5, 3, 1, 0], [6, 5, 4, 3])
    assert (score.counts, score.totals) == ([5, 4, 2, 1], [6, 6, 5, 4])


def test_a_signature_takes_more_facts() -> None:
    metric = sacrebleu.BLEU()
    metric.corpus_score(TEXTS, [[texts[0] for texts in REFERENCES]])
    signature = metric.get_signature()
    signature.update("lang", "de-en")
    signature.update("ar", 200)
    assert str(signature) == "nrefs:1|ar:200|lang:de-en|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert signature.format(short=True) == "#:1|ar:200|l:de-en|c:mixed|e:no|tok:13a|s:exp|v:2.6.0"


# --- files ------------------------------------------------------------------------------------------------------


def test_codexglues_files(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("the cat sat on the mat\na b c d\n", encoding="utf-8")
    (tmp_path / "output").write_text("the cat is on the mat\na b c\n", encoding="utf-8")
    assert nmt._bleu(tmp_path / "gold", str(tmp_path / "output")) == 48.23  # PEERS: CodeXGLUE ac74a62, run


def test_what_is_not_a_caption() -> None:
    for captions in ({"image": ["a", "b"]}, {"image": "a"}, {"other": ["a"]}):
        with pytest.raises(AssertionError, match="image"):
            pycocoevalcap.Bleu().compute_score({"image": ["a"]}, captions, verbose=0)
    assert pycocoevalcap.Bleu(2).compute_score({}, {}, verbose=0) == ([0.0, 0.0], [[], []])


# --- metrics with a state ---------------------------------------------------------------------------------------


@pytest.fixture
def torchmetrics() -> Any:
    pytest.importorskip("torchmetrics", reason="pip install torchmetrics")
    from bleu_metric.compat import torchmetrics

    return torchmetrics


def test_counts_beyond_float32(torchmetrics: Any) -> None:
    metric = torchmetrics.BLEUScore(n_gram=1)
    metric.update(["a"], [["a"]])
    for state in (metric.numerator, metric.denominator, metric.preds_len, metric.target_len):
        state += 2**24
    metric.update(["a a a"], [["a b"]])
    assert metric.numerator.tolist() == [2**24 + 2]
    assert metric.denominator.tolist() == [2**24 + 4]


def test_a_metric_is_copied_pickled_and_put_into_collections(torchmetrics: Any) -> None:
    import torch
    from torchmetrics import MetricCollection

    metric = torchmetrics.SacreBLEUScore(n_gram=2)
    metric.update(TEXTS, REFERENCES)
    expected = metric.compute()
    for other in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert other.compute() == expected
    metric.persistent(True)
    loaded = torchmetrics.SacreBLEUScore(n_gram=2)
    loaded.load_state_dict(metric.state_dict())
    assert loaded.numerator.dtype == torch.int64
    collection = MetricCollection([torchmetrics.BLEUScore(n_gram=2), torchmetrics.SacreBLEUScore(n_gram=2)])
    collection.update(TEXTS, REFERENCES)
    assert collection.compute()["SacreBLEUScore"] == expected


def test_the_type_of_the_score(torchmetrics: Any) -> None:
    import torch

    metric = torchmetrics.BLEUScore(n_gram=3).set_dtype(torch.float64)
    metric.update(TEXTS, REFERENCES)
    assert metric.compute().dtype == torch.float64
    assert metric.numerator.dtype == torch.int64
    expected = bleu_metric.corpus_bleu(TEXTS, REFERENCES, "torchmetrics", max_order=3).bleu
    assert metric.compute().item() == pytest.approx(expected, rel=1e-15)
    assert torchmetrics.bleu_score(TEXTS, REFERENCES, 3).dtype == torch.float32


def test_torchscript_takes_a_metric(torchmetrics: Any) -> None:
    import torch

    for metric in (torchmetrics.BLEUScore(), torchmetrics.SacreBLEUScore()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # TorchScript looks at all attributes
            torch.jit.script(metric)


def test_texts_of_different_number(torchmetrics: Any) -> None:
    for score in (torchmetrics.BLEUScore(), torchmetrics.SacreBLEUScore(), torchmetrics.sacre_bleu_score):
        with pytest.raises(ValueError, match="3 predictions but 2"):
            score(TEXTS, REFERENCES[:2])


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_ignites_state(average: str) -> None:
    theirs: Any = pytest.importorskip("ignite.metrics", reason="pip install pytorch-ignite")
    from bleu_metric.compat.ignite import Bleu

    metric, other, of_ignite = (kind(ngram=2, smooth="smooth1", average=average) for kind in (Bleu, Bleu, theirs.Bleu))
    metric.update((TOKENS, REFERENCE_TOKENS))
    for loaded in (other, of_ignite):
        loaded.load_state_dict(metric.state_dict())
        assert loaded.compute() == metric.compute() > 0
    other.load_state_dict(of_ignite.state_dict())
    for loaded in (other, metric):
        loaded.update((TOKENS[1:], REFERENCE_TOKENS[1:]))
    assert other.compute() == metric.compute()
    with pytest.raises(ValueError, match=r"nb of candidates .* 3 != 2"):
        metric.update((TOKENS, REFERENCE_TOKENS[:2]))


def test_ignites_counter_of_n_grams() -> None:
    pytest.importorskip("ignite", reason="pip install pytorch-ignite")
    from bleu_metric.compat.ignite import Bleu

    matches: Counter[int] = Counter()
    totals: Counter[int] = Counter()
    references, candidates = [["a b c d".split(), "a b".split()]], ["a b e".split()]
    assert Bleu(ngram=2)._n_gram_counter(references, candidates, matches, totals) == (3, 2)
    assert (matches, totals) == ({1: 2, 2: 1}, {1: 3, 2: 2})

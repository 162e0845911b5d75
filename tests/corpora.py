"""Random corpora: a small vocabulary, so that n-grams match, and characters that tokenizers disagree about."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
from inner_doors import pa

from bleu_metric import DIALECTS, corpus_bleu

# Three segments, for tests that are not about scores
PREDICTIONS = ["the cat sat on the mat .", "a dog was here", "hello there , general kenobi"]
REFERENCES = [["the cat sat on a mat .", "a cat was on the mat ."], ["the dog was here"], ["hello there , general"]]

# Five segments of letters: one is empty, two have several references
LETTERS = ["a b c d e", "a b", "", "a b c d f", "x"]
LETTERS_REFERENCES = [["a b c d e", "a"], ["a b c"], ["a"], ["a b c d e f"], ["x", "y y"]]

# Ways of counting whose statistics have other columns, or add up in another way
WAYS: list[dict[str, Any]] = [
    *({"dialect": dialect} for dialect in DIALECTS),
    {"reference_length": "average", "smoothing": "add-k", "smoothing_value": 0.3},
    {"dialect": "nltk", "smoothing": "method7"},
    {"dialect": "nltk", "smoothing": "method5", "max_order": 2},
    {"weights": [0.6, 0.4]},
]

# What no output says of a difference that nothing shows
VERDICTS = re.compile(r"\b(better|worse|higher|lower|significan\w+)\b", re.IGNORECASE)

WORDS = ["a", "b", "c", "d", "e", "the", "cat", "Cat", "internationalization", "internationalisation", "x-y", "1.5"]
NASTY = [
    *"aA1905ZÉßİΣς .,,..-'\"!?&;<>()[]{}|~`^_@#$%*+=/\\:",
    *["&amp;", "&quot;", "&lt;", "&gt;", "&amp;lt;", "<skipped>", "-\n", "-<skipped>\n"],
    *"\n\t\r\x0b\x0c\0\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u200b\u2028\u202f\u3000\ufeff",
    *"中文，。！\u2a6d\u2001\u2f81。あア٣½²€“”—…𝟙😀𠀀\u0600१Ⅷﬁά",
    *["e\u0301", "ΑΣ", "...", ",.", "1.,2", "--", "1-"],
]


class Decoder:
    """A tokenizer as far as hooks know one: ids are words."""

    pad_token_id: int | None = 0

    def batch_decode(self, ids: Any, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return [" ".join(f"w{one}" for one in row if one != self.pad_token_id) + " " for row in ids]


@cache
def nested_lists(levels: int) -> list[Any]:
    """Make a list in a list in a list, and so on."""
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    return inner


def as_list_views(array: pa.Array, large: bool = False) -> pa.Array:
    """Make list views of string views, of a column as PyArrow infers it; made of Python rows they may crash it."""
    if pa.types.is_list(array.type):
        offsets = array.offsets.to_numpy()
        size, kind = (np.int64, pa.LargeListViewArray) if large else (np.int32, pa.ListViewArray)
        starts, sizes = pa.array(offsets[:-1].astype(size)), pa.array(np.diff(offsets).astype(size))
        return kind.from_arrays(starts, sizes, as_list_views(array.values, large), mask=array.is_null())
    return array.cast(pa.string_view()) if pa.types.is_string(array.type) else array


def random_tokens(rng: np.random.Generator, longest: int = 25, vocabulary: int = 12) -> list[str]:
    size = int(rng.integers(0, longest + 1)) if rng.integers(8) else int(rng.integers(0, 4))
    return [WORDS[index] for index in rng.integers(0, vocabulary, size)]


def random_text(rng: np.random.Generator, longest: int = 25) -> str:
    if rng.integers(2):
        return " ".join(random_tokens(rng, longest))
    return "".join(NASTY[index] for index in rng.integers(0, len(NASTY), int(rng.integers(0, 2 * longest))))


def near(rng: np.random.Generator, text: Any) -> Any:
    """Change a text here and there, so that long n-grams match."""
    parts = list(text)
    for _ in range(int(rng.integers(0, 4))):
        if parts:
            del parts[int(rng.integers(len(parts)))]
    return "".join(parts) if isinstance(text, str) else parts


def random_corpus(rng: np.random.Generator, kind: str, none: bool = False) -> tuple[list[Any], list[list[Any]]]:
    """Draw 1 to 5 segments of 0 to 25 tokens with 1 to 4 references each; `none` puts None among the references."""
    draw = random_text if kind == "text" else random_tokens
    longest = int(rng.choice([3, 8, 25]))
    predictions, references = [], []
    for _ in range(int(rng.integers(1, 6))):
        text = draw(rng, longest)
        refs = [near(rng, text) if rng.integers(2) else draw(rng, longest) for _ in range(int(rng.integers(1, 5)))]
        if none and rng.integers(3) == 0:
            refs.insert(int(rng.integers(len(refs) + 1)), None)
        predictions.append(text)
        references.append(refs)
    return predictions, references


def long_corpus(segments: int = 300, kind: str = "text", seed: int = 7) -> tuple[list[Any], list[list[Any]]]:
    """Draw random corpora one after another until there are so many segments: the same at every call."""
    rng = np.random.default_rng(seed)
    predictions: list[Any] = []
    references: list[list[Any]] = []
    while len(predictions) < segments:
        own_predictions, own_references = random_corpus(rng, kind)
        predictions += own_predictions
        references += own_references
    return predictions[:segments], references[:segments]


def corpus_of_words(segments: int, seed: int) -> tuple[list[str], list[list[str]]]:
    """Draw texts that match their one reference in part."""
    predictions, references = long_corpus(segments, "tokens", seed)
    return [" ".join(text) for text in predictions], [[" ".join(several[0])] for several in references]


def corpus_of_two_references(segments: int = 90) -> tuple[list[str], list[list[str]]]:
    """Draw texts with two references each, so that signatures agree: the same at every call."""
    predictions, references = long_corpus(segments, seed=3)
    return predictions, [(texts * 2)[:2] for texts in references]


# Two systems with matches of all lengths; five segments, one of them with an empty output and one with two references
SYSTEMS = {
    "one": ["the cat sat on the mat", "a dog barks", "x", "one two three four five", ""],
    "two": ["the cat sat on the mat", "the dog barks", "y", "one two three four six", "q"],
}
REFERENCES_OF_SYSTEMS = [
    ["the cat sat on a mat"],
    ["a dog barked at", "a dog barks"],
    ["y"],
    ["one two three four five"],
    ["q"],
]


def one_sided(segments: int) -> tuple[dict[str, list[str]], list[str]]:
    """Return two systems and references: "new" is perfect, "base" has an error or two in every segment."""
    references = [f"segment {number} of the cat on the mat" for number in range(segments)]
    worse = [text.replace("the", "a", 1 + number % 2) for number, text in enumerate(references)]
    return {"base": worse, "new": references}, references


def metric_result(*texts: Any) -> dict[str, Any]:
    """What the metric returns in its default dialect: also the keys of evaluate's sacrebleu."""
    score = corpus_bleu(*texts)
    lengths = {"sys_len": score.translation_length, "ref_len": score.reference_length}
    return {**score.to_dict(), "score": 100 * score.bleu, "bp": score.brevity_penalty, **lengths}

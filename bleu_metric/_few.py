"""A few pairs, counted without arrays: the same integers, without the arrays' fixed cost.

An array operation costs microseconds however short the array is, and the engine needs some 150 of them. `count_rows`
counts what is common among a few short texts: strings by the compiled kernel where it is there, and strings split by a
tokenizer for ASCII, tokens and ids in plain Python. It leaves everything else, and every error, to the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, partial
from itertools import accumulate, chain, islice, pairwise
from typing import Any, NamedTuple

import numpy as np

from ._config import BleuConfig
from ._corpus import Corpus
from ._counts import LAST_SEGMENT_ORDER, RowCounts, orders_to_count, total_of_rows
from ._kernel import count_few_texts, engine
from ._reference_length import SAME_FOR_ONE_REFERENCE, effective_lengths
from ._statistics import BleuStatistics
from ._tokenize import known_tokenizer, rewrite_entities
from ._tokenizers import ALONE, DASH, DIGIT, MARK, WHITESPACE, Tokenizer

# For more rows, the engine is faster; measured with one reference of 19 tokens
MOST_ROWS = {"numpy": 18, "native": 5}  # in plain Python
MOST_ROWS_OF_STRINGS = 64  # by the kernel
# In plain Python a long text is slow; by the kernel it is not, but two threads share several of them
_MOST_CHARACTERS = 20_000
_MOST_CHARACTERS_BY_KERNEL = 1 << 20
_MOST_TOKENS = 1_200  # of token lists and ids
_HIGHEST_ORDER = 8  # the time grows with the square of the order

_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

Text = Sequence[Hashable]  # tokens or ids
Suffixes = list[Text]
SplitText = Callable[[str], list[str]]
Row = tuple[Any, list[Any]]  # a prediction and its references


class Segment(NamedTuple):
    """The tokens of a prediction and of its references."""

    prediction: Text
    references: list[Text]


class Counted(NamedTuple):
    """What is counted of a few segments."""

    matches: list[list[int]]  # of each segment, by order
    lengths: list[int]  # tokens of each prediction
    reference_lengths: list[list[int]]  # tokens of each segment's references


def count_few(corpus: Corpus, config: BleuConfig, keep_rows: bool = True) -> BleuStatistics | None:
    """Count a corpus, one row per segment, or one row of sums; None where the engine has to do it."""
    counts = count_rows(corpus, config)
    if counts is None:
        return None
    if keep_rows:
        return BleuStatistics(np.array(counts.rows, np.int64), config, counts.nrefs)
    total = total_of_rows(counts.rows, config)
    return BleuStatistics(np.array([total], np.int64), config, counts.nrefs, is_total=True)


def count_rows(corpus: Corpus, config: BleuConfig) -> RowCounts | None:
    """Count a corpus, one row per segment; None where the engine has to do it."""
    orders = orders_to_count(config)
    chosen = engine()
    by_kernel = chosen == "native" and corpus.layout.kind == "text" and len(corpus.predictions) <= MOST_ROWS_OF_STRINGS
    in_python = len(corpus.predictions) <= MOST_ROWS[chosen]
    if not (by_kernel or in_python) or corpus.others or orders > _HIGHEST_ORDER:
        return None
    texts = _plain_rows(corpus)
    if texts is None:
        return None
    counted = _count_by_kernel(texts, config, orders) if by_kernel else None
    if counted is None and in_python:
        counted = _count_in_python(texts, corpus.layout.kind, config, orders)
    if counted is None:
        return None
    reference_lengths = _effective_lengths(counted, config.reference_length)
    by_segment = zip(counted.matches, counted.lengths, reference_lengths, strict=True)
    rows = [_to_row(matches, length, reference, config) for matches, length, reference in by_segment]
    numbers = [len(references) for _, references in texts]
    return RowCounts(rows, (min(numbers), max(numbers)))


def _count_by_kernel(rows: list[Row], config: BleuConfig, orders: int) -> Counted | None:
    """Count strings by the compiled kernel; None where a text is not a string, is long, or has to be prepared."""
    tokenizer = known_tokenizer(config.tokenizer)
    if tokenizer is None or isinstance(config.lowercase, str):
        return None
    texts = [reference for _, references in rows for reference in references]
    texts += [prediction for prediction, _ in rows]
    if {*map(type, texts)} != {str} or sum(map(len, texts)) > _MOST_CHARACTERS_BY_KERNEL:
        return None
    if config.lowercase:
        texts = [text.lower() for text in texts]
    if not tokenizer.padded and any(text != text.strip() for text in texts):
        return None  # their edges matter: `trim` has the rules
    per_segment = [len(references) for _, references in rows]
    counts = count_few_texts(texts, per_segment, tokenizer, config.whitespace, orders)
    if counts is None:
        return None
    lengths, matches = counts
    of_references = iter(lengths)
    reference_lengths = [[*islice(of_references, number)] for number in per_segment]
    return Counted(matches, [*of_references], reference_lengths)


def _count_in_python(rows: list[Row], kind: str, config: BleuConfig, orders: int) -> Counted | None:
    """Count texts, tokens or ids; None where one is not of the kind, or long."""
    segments = _read_segments(rows, kind, config)
    if segments is None:
        return None
    return Counted(
        [clipped_matches(segment, orders) for segment in segments],
        [len(segment.prediction) for segment in segments],
        [list(map(len, segment.references)) for segment in segments],
    )


def _plain_rows(corpus: Corpus) -> list[Row] | None:
    """Pair each prediction with the list of its references; None unless all are in lists and tuples."""
    if type(corpus.predictions) not in (list, tuple) or type(corpus.references) not in (list, tuple):
        return None
    rows = []
    for prediction, own in zip(corpus.predictions, corpus.references, strict=True):
        references = own if corpus.layout.nested else [own]
        if type(references) not in (list, tuple):
            return None
        present = [reference for reference in references if reference is not None]
        if not present:
            return None
        rows.append((prediction, present))
    return rows


def _read_segments(rows: list[Row], kind: str, config: BleuConfig) -> list[Segment] | None:
    """Read the tokens of all texts; None where a text is not of the kind, or long."""
    read = _reader(kind, config)
    if read is None:
        return None
    most = _MOST_CHARACTERS if kind == "text" else _MOST_TOKENS
    size = 0
    segments = []
    for prediction, references in rows:
        texts = []
        for text in (prediction, *references):
            tokens = read(text)
            if tokens is None:
                return None
            texts.append(tokens)
            size += len(text)
        if size > most:
            return None
        segments.append(Segment(texts[0], texts[1:]))
    return segments


def _reader(kind: str, config: BleuConfig) -> Callable[[Any], Text | None] | None:
    """Choose the function that reads a text as tokens."""
    if kind == "ids":
        return _read_ids
    if kind == "tokens":
        return partial(_read_tokens, lowercase=config.lowercase)
    tokenizer = known_tokenizer(config.tokenizer)
    if tokenizer is None or not (tokenizer.bytewise and tokenizer.padded):
        return None
    split_text = _splitter(tokenizer, config.whitespace, config.strip)
    return partial(_read_text, split_text=split_text, lowercase=config.lowercase)


def _read_ids(ids: Any) -> Text | None:
    if type(ids) is np.ndarray and ids.ndim == 1 and ids.dtype.kind == "i":
        ids = ids.tolist()
    if type(ids) not in (list, tuple):
        return None
    are_ids = all(type(number) is int and 0 <= number < 2**63 for number in ids)
    return ids if are_ids else None


def _read_tokens(tokens: Any, lowercase: bool | str) -> Text | None:
    if type(tokens) not in (list, tuple):
        return None
    if not all(type(token) is str and _is_unicode(token) for token in tokens):
        return None
    return _lower_tokens(tokens, "after" if lowercase is True else lowercase)


def _read_text(text: Any, split_text: SplitText, lowercase: bool | str) -> Text | None:
    if type(text) is not str or len(text) > _MOST_CHARACTERS or not _is_unicode(text):
        return None
    if lowercase is True:
        return split_text(text.lower())
    return _lower_tokens(split_text(text), lowercase)


def _is_unicode(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


def _lower_tokens(tokens: Sequence[str], lowercase: bool | str) -> Sequence[str]:
    if lowercase == "after":
        return [token.lower() for token in tokens]
    if lowercase == "ascii":
        return [token.translate(_ASCII_LOWER) for token in tokens]
    return tokens


@cache
def _splitter(tokenizer: Tokenizer, whitespace: str, strip: bool) -> SplitText:
    """Make the function that splits a text, from the character classes of a tokenizer.

    Spaces are put around every ALONE and MARK, unless a digit stands beside a mark or before a dash: then the
    expressions of sacrebleu's 13a decide, in their order.
    """
    spaces = "".join(WHITESPACE[whitespace])
    ascii_characters = [chr(code) for code in range(128) if chr(code) not in spaces]
    alone = _characters(ascii_characters, tokenizer, ALONE)
    marks = _characters(ascii_characters, tokenizer, MARK)
    digits = _characters(ascii_characters, tokenizer, DIGIT)
    dashes = _characters(ascii_characters, tokenizer, DASH)
    split_at_spaces: SplitText = str.split if whitespace == "python" else re.compile(f"[^{re.escape(spaces)}]+").findall
    if not alone and not marks:
        return split_at_spaces
    separate_or_digit = re.compile(f"[{alone}{marks}{digits}]")
    all_digits = {character for character in ascii_characters if tokenizer.character_class(character) == DIGIT}
    digit_beside = re.compile(f"[{digits}][{marks}{dashes}]|[{marks}][{digits}]")
    steps = [
        (re.compile(f"([{alone}])"), r" \1 "),
        (re.compile(f"([^{digits}])([{marks}])"), r"\1 \2 "),
        (re.compile(f"([{marks}])([^{digits}])"), r" \1 \2"),
        (re.compile(f"([{digits}])([{dashes}])"), r"\1 \2 "),
    ]
    stripped = spaces if strip else ""

    def split_text(text: str) -> list[str]:
        if tokenizer.entities and ("&" in text or "<" in text or "-\n" in text):
            text = rewrite_entities(text.rstrip(stripped))
        characters = set(separate_or_digit.findall(text))
        if not characters.isdisjoint(all_digits):
            if digit_beside.search(text):
                text = f" {text} "
                for expression, replacement in steps:
                    text = expression.sub(replacement, text)
                return split_at_spaces(text)
            characters -= all_digits
        for character in characters:  # few are different, and `replace` is fast
            text = text.replace(character, f" {character} ")
        return split_at_spaces(text)

    return split_text


def _characters(characters: list[str], tokenizer: Tokenizer, character_class: int) -> str:
    """List the characters of a class, as a set of a regular expression has them."""
    return "".join(re.escape(char) for char in characters if tokenizer.character_class(char) == character_class)


def clipped_matches(segment: Segment, orders: int) -> list[int]:
    """Count the clipped matches of each order."""
    if len(segment.references) == 1 and orders > 1:
        matches = _matches_by_place(segment.prediction, segment.references[0], orders)
        if matches is not None:
            return matches
    matches = [0] * orders
    prediction = _suffixes(segment.prediction, orders)
    references = [_suffixes(reference, orders) for reference in segment.references]
    for order in range(1, orders + 1):
        matches[order - 1] = _count_clipped(prediction, references, order)
        if not matches[order - 1]:
            break
    return matches


def _matches_by_place(prediction: Text, reference: Text, orders: int) -> list[int] | None:
    """Count the clipped matches of texts in which no bigram that matters is twice; None for other texts.

    In such texts an n-gram matches if the places of its bigrams in the reference follow one another. So nothing longer
    than a bigram is looked up.
    """
    place_of = dict(zip(pairwise(reference), range(len(reference)), strict=False))
    if len(place_of) < len(reference) - 1:
        return None
    places = list(map(place_of.get, pairwise(prediction)))
    matched = [place for place in places if place is not None]
    if len(set(matched)) < len(matched):
        return None
    by_length = [0] * (orders + 1)  # of the longest match that ends with a bigram, in tokens
    length, next_place = 0, -1
    for place in places:
        if place is None:
            next_place = -1
            continue
        length = length + 1 if place == next_place else 2
        next_place = place + 1
        by_length[length if length < orders else orders] += 1
    for order in range(orders - 1, 1, -1):
        by_length[order] += by_length[order + 1]  # a longer match ends with a shorter one
    return [_count_clipped([prediction], [[reference]], 1), *by_length[2:]]


def _suffixes(tokens: Text, orders: int) -> Suffixes:
    """Give the tokens, the tokens from the second on, and so on; side by side they are the n-grams."""
    return [tokens[start:] for start in range(orders)]


def _ngrams(suffixes: Suffixes, order: int) -> Iterable[Hashable]:
    return zip(*suffixes[:order], strict=False) if order > 1 else suffixes[0]


def _count_clipped(prediction: Suffixes, references: list[Suffixes], order: int) -> int:
    """Count the n-grams of a prediction, each at most as often as one single reference has it."""
    different = set(_ngrams(prediction, order))
    if len(references) == 1:
        shared = different.intersection(_ngrams(references[0], order))
    else:
        shared = different.intersection(chain.from_iterable([_ngrams(own, order) for own in references]))
    predicted = len(prediction[order - 1])
    if len(different) == predicted or not shared:
        return len(shared)
    left = _most_in_a_reference(references, order, shared)
    matches = 0
    for ngram in _ngrams(prediction, order):
        if ngram in shared and left[ngram]:
            left[ngram] -= 1
            matches += 1
    return matches


def _most_in_a_reference(references: list[Suffixes], order: int, shared: set[Hashable]) -> dict[Hashable, int]:
    """Say how often the reference that has it most often has each shared n-gram."""
    most: dict[Hashable, int] = {}
    for reference in references:
        times: dict[Hashable, int] = {}
        for ngram in _ngrams(reference, order):
            if ngram in shared:
                times[ngram] = times.get(ngram, 0) + 1
        if len(references) == 1:
            return times
        for ngram, count in times.items():
            most[ngram] = max(count, most.get(ngram, 0))
    return most


def _effective_lengths(counted: Counted, rule: str) -> list[int]:
    """Choose the effective reference length of each segment, in units of `units_per_token`."""
    if rule in SAME_FOR_ONE_REFERENCE and all(len(own) == 1 for own in counted.reference_lengths):
        return [own[0] for own in counted.reference_lengths]
    references = [length for own in counted.reference_lengths for length in own]
    starts = list(accumulate((len(own) for own in counted.reference_lengths[:-1]), initial=0))
    lengths: list[int] = effective_lengths(rule, *map(np.array, (counted.lengths, references, starts))).tolist()
    return lengths


def _to_row(matches: list[int], length: int, reference_length: int, config: BleuConfig) -> list[int]:
    least_total = 1 if config.total_floor == "segment" else 0
    totals = [max(length - order, least_total) for order in range(len(matches))]
    orders = config.max_order
    row = [*matches[:orders], *totals[:orders], length, reference_length]
    if config.depends_on_segment_order:
        last = LAST_SEGMENT_ORDER - 1
        row += [matches[last], totals[last], length]
    return row

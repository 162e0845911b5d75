"""Every name inside the core that tests use: a rename there has one home in the tests, this file.

Tests come in by public names. They come in here for three reasons alone:

* a table of the package is the list of cases: its tokenizers, smoothings, options;
* a few rows have to exercise what otherwise needs millions: small batches, small limits, tokens that collide;
* a rule has no public door: tokens as strings, the seal of a table, rows that are staged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bleu_metric
from bleu_metric import _bootstrap, _counting, _formula, _statistics, _tokens
from bleu_metric._config import COUNTS_ALIKE, VERSION, BleuOptions, Dialect, describe_differences
from bleu_metric._corpus import as_corpus
from bleu_metric._counting import count_corpus
from bleu_metric._display import terminal_width
from bleu_metric._formula import REFERENCE_LENGTHS, SMOOTHINGS
from bleu_metric._languages import WORD_TOKENIZERS
from bleu_metric._lazy import pa
from bleu_metric._ngrams import most_in_one
from bleu_metric._options import _ABOUT_THE_DATA as ABOUT_THE_DATA
from bleu_metric._options import CHOICES, OPTIONS
from bleu_metric._statistics import score_sentences
from bleu_metric._threads import in_threads
from bleu_metric._tokens import TOKENIZERS, WHITESPACE, tokenize
from bleu_metric.cli.rows import read_column
from bleu_metric.comparison.paired import TESTS
from bleu_metric.comparison.result import P_VALUES, holm
from bleu_metric.reporting.matches import matching_orders
from bleu_metric.scale.columns import find_column

# --- Limits, so that few rows exercise them ---------------------------------------------------------------------------


def limit_batches(monkeypatch: pytest.MonkeyPatch, rows: int, size: int | None = None) -> None:
    """Let a batch have so many segments, and so many bytes of text where a size is given."""
    monkeypatch.setattr(_counting, "_MOST_SEGMENTS_PER_BATCH", rows)
    if size is not None:
        monkeypatch.setattr(_counting, "_MOST_BYTES_PER_BATCH", size)


@contextmanager
def by_arrays_alone() -> Iterator[None]:
    """Count in Python, and score few rows by arrays, too."""
    with pytest.MonkeyPatch.context() as patch:
        use_engine(patch, "python")
        patch.setattr(_formula, "_FEW_ROWS", 0)
        yield


def draw_in_chunks(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    """Draw and score so many segments times resamples at once."""
    monkeypatch.setattr(_bootstrap, "MOST_CELLS_PER_CHUNK", cells)


def show_progress_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show the progress of a dataset that is scored in no time."""
    monkeypatch.setattr("bleu_metric.integrations.datasets._SECONDS_UNTIL_PROGRESS", 0)


# --- The compiled kernel ----------------------------------------------------------------------------------------------

KERNEL = _counting._kernel  # the extension module, or None
ENGINES = _counting.ENGINES
AVAILABLE_ENGINES = [name for name in ENGINES if name == "python" or KERNEL is not None]


def use_engine(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Count with an engine, as if BLEU_METRIC_ENGINE had named it when the package was imported."""
    monkeypatch.setattr(_counting, "_wanted", name)
    monkeypatch.setattr(_counting, "engine", _counting.engine.__wrapped__)  # forget what it answered before


def let_all_tokens_collide_in_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernel hash short tokens, pairs of tokens, and long tokens with one ending to the same slots."""
    monkeypatch.setattr(_counting, "_SEED", bytes(16))


def let_the_kernel_refuse_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernel answer that each segment has too many tokens, for which it takes more than 2**30."""
    outcomes = {"UNKNOWN_CHARACTER": 2, "TO_BE_REWRITTEN": 3, "TOO_MUCH_TEXT": 5}
    monkeypatch.setattr(_counting, "_kernel", SimpleNamespace(**outcomes, count_lists=lambda *_: 4))


# --- Tokens -----------------------------------------------------------------------------------------------------------


def tokens_of(
    texts: Any, tokenizer: object, lowercase: bool | str = False, strip: bool = True, whitespace: str = "python"
) -> list[list[str]]:
    """Tokenize texts to lists of strings."""
    how = _tokens.Tokenization(tokenizer, lowercase, "none", strip, whitespace)
    return tokenize(texts, "text", how)


def forget_loaded_tokenizers() -> None:
    """Forget sacrebleu's tokenizers, which are loaded once."""
    _tokens._of_sacrebleu.cache_clear()


# --- Counts and their tables ------------------------------------------------------------------------------------------


def reseal(table: pa.Table, **facts: str) -> pa.Table:
    """Seal a changed table again, with other facts in its metadata, as somebody does who knows how."""
    about = {**_statistics.facts_of_table(table), **facts}
    about.pop("checksum", None)
    about["checksum"] = _statistics.checksum(table, about)
    return table.replace_schema_metadata({f"bleu_metric.{key}": value for key, value in about.items()})


# --- A cluster, without Spark and Ray --------------------------------------------------------------------------------


class _Blocks:
    """A Ray dataset of blocks, which are counted in this process."""

    def __init__(self, blocks: list[pa.Table]) -> None:
        self.blocks = blocks

    def columns(self, fetch_if_missing: bool) -> None:
        assert not fetch_if_missing

    def map_batches(self, count: Any, **_: Any) -> _Blocks:
        return _Blocks([count(block) for block in self.blocks])

    def iter_rows(self) -> Iterator[dict[str, Any]]:
        return (row for block in self.blocks for row in block.to_pylist())


def statistics_of_blocks(blocks: list[pa.Table], *columns: str, **options: Any) -> Any:
    """Return what `ray_statistics` returns for a dataset with these blocks."""
    return bleu_metric.ray_statistics(_Blocks(blocks), *columns, **options)

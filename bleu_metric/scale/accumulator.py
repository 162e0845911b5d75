"""An accumulator that adds up the counts of batches, in one process or in several."""

from __future__ import annotations

import sys
from typing import Any, Unpack

import numpy as np

from .._bleu import corpus_statistics
from .._config import (
    DEFAULT,
    BleuConfig,
    BleuOptions,
    Dialect,
    columns_of,
    config_of,
    depends_on_segment_order,
    fit_to_kind,
)
from .._score import BleuScore
from .._statistics import UNKNOWN, BleuStatistics, merge_statistics, refuse_different, score
from .._threads import lock_of_module
from .._validation import check_type

_LOCK = lock_of_module()  # shared, because an accumulator with a lock of its own could not be pickled or copied


class Accumulator:
    """An accumulator that adds up the counts of batches from your own loop.

    An accumulator uses a few hundred bytes for any number of texts. With ``average="sentence"`` (the mean of sentence
    scores), it keeps a row of counts per segment. An accumulator can be pickled and copied. Several threads can update
    the same accumulator.

    >>> accumulator = Accumulator("sacrebleu", max_order=2)
    >>> for predictions, references in [(["a b c"], ["a b d"]), (["e f"], ["e f"])]:
    ...     accumulator.update(predictions, references)
    >>> round(accumulator.score().bleu, 4)
    0.7303
    """

    def __init__(self, dialect: Dialect = DEFAULT, **options: Unpack[BleuOptions]) -> None:
        """Set the dialect, as for `corpus_bleu`, and the options that override its settings."""
        self._config = config_of(dialect, options)
        # The sum of all batches; with average="sentence", the batches since the last join
        self._parts: list[BleuStatistics] = []

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of a pickle or a copy. A new list of parts is needed, because updates append to the list."""
        return {**vars(self), "_parts": self._joined()}

    def _joined(self) -> list[BleuStatistics]:
        """Join the parts. Return a list with one part, or an empty list if nothing was counted."""
        with _LOCK:
            if len(self._parts) > 1:
                self._parts = [merge_statistics(self._parts)]
            return self._parts[:]

    @property
    def statistics(self) -> BleuStatistics:
        """Return the counts since the last reset. Without counts, the table has no rows.

        >>> accumulator = Accumulator(max_order=1)
        >>> accumulator.update(["a b"], ["a c"])
        >>> accumulator.statistics.table
        array([[1, 2, 2, 2]])
        """
        parts = self._joined()
        if parts:
            return parts[0]
        no_rows = np.zeros((0, columns_of(self._config).number), np.int64)
        return BleuStatistics(no_rows, self._config, UNKNOWN)

    @property
    def _config_for_tokens(self) -> BleuConfig:
        """Return the configuration for lists of tokens, which has the tokenizer "none"."""
        return fit_to_kind(self._config, "tokens", self._config.unit)

    def update(self, predictions: Any, references: Any) -> None:
        """Count a batch and add its counts.

        Args:
            predictions: as for `corpus_bleu`.
            references: as for `corpus_bleu`.

        Raises:
            TypeError, ValueError: as for `corpus_bleu`. The counts of earlier batches are kept.

        >>> accumulator = Accumulator(max_order=1)
        >>> accumulator.update([[5, 6]], [[5, 7]])
        >>> accumulator.score().bleu
        0.5
        """
        self.merge(corpus_statistics(predictions, references, self._config))

    def merge(self, other: Accumulator | BleuStatistics) -> None:
        """Add the counts of another accumulator, or counts from `corpus_statistics`. The options must be the same.

        Args:
            other: the counts to add; `other` is not changed.

        Raises:
            TypeError: `other` has another type. ValueError: `other` was counted with other options.

        >>> first, second = Accumulator(max_order=1), Accumulator(max_order=1)
        >>> first.update(["a b"], ["a c"])
        >>> second.merge(first)
        >>> second.score().counts
        [1]
        """
        statistics = other.statistics if isinstance(other, Accumulator) else other
        check_type("other", statistics, BleuStatistics, "an Accumulator or BleuStatistics")
        if statistics.config is not self._config and statistics.config != self._config_for_tokens:
            refuse_different(self._config, statistics.config)
        if not len(statistics):
            return

        with _LOCK:
            if self._parts:
                refuse_different(self._parts[0].config, statistics.config)
            if statistics.config.average == "sentence":
                self._parts.append(statistics)
            else:
                self._parts = [merge_statistics([*self._parts, statistics]).sum()]

    def score(self) -> BleuScore:
        """Score everything counted since the last reset. The counts are kept.

        Raise ``ValueError`` if nothing was counted.

        >>> accumulator = Accumulator(max_order=1)
        >>> accumulator.update(["a"], ["a"])
        >>> accumulator.score().bleu
        1.0
        """
        return score(self.statistics)

    def reset(self) -> None:
        """Delete all counts.

        >>> accumulator = Accumulator()
        >>> accumulator.reset()
        """
        with _LOCK:
            self._parts = []

    def all_reduce(self, group: Any = None) -> BleuStatistics:
        """Sum the counts of all processes of `torch.distributed`. Every process must call this method.

        Args:
            group: a process group; default: all processes.

        Returns:
            The sums, which are the same in every process. To score them: ``score(accumulator.all_reduce())``. The
            accumulator's own counts do not change, so you can call this method again after more batches. If
            `torch.distributed` is not initialized, the result is the accumulator's own counts.

        Raises:
            ValueError: the processes counted with different options, or the score cannot be computed from sums: it is
                a mean of sentence scores, or the smoothing is one of NLTK's methods 5 to 7.

        >>> accumulator = Accumulator(max_order=1)
        >>> accumulator.update(["a b"], ["a c"])
        >>> accumulator.all_reduce().table  # only one process here: its own counts
        array([[1, 2, 2, 2]])
        """
        statistics = self.statistics
        distributed = initialized_distributed()
        if distributed is None:
            return statistics
        require_sums(self._config, "all_reduce")

        # Send signatures and arrays, because a configuration with a tokenizer function cannot be sent
        own = (self._config.signature(), statistics.config.signature(), statistics.nrefs, statistics.sum().table)
        gathered = [own] * distributed.get_world_size(group)
        distributed.all_gather_object(gathered, own, group)  # replaces the items of `gathered`

        options = {signature for signature, *_ in gathered}
        counted = [(signature, nrefs, table) for _, signature, nrefs, table in gathered if len(table)]
        signatures = {signature for signature, *_ in counted}
        if len(options) > 1 or len(signatures) > 1:
            raise ValueError(
                "the processes counted in different ways: give every Accumulator the same options and one kind of input"
            )
        if not counted:
            return statistics

        # Lists of tokens have another signature than the options, because the tokenizer is "none"
        config = self._config if signatures == options else self._config_for_tokens
        return merge_statistics([BleuStatistics(table, config, nrefs, is_sum=True) for _, nrefs, table in counted])


def require_sums(config: BleuConfig, what: str) -> None:
    """Raise ``ValueError`` if the score cannot be computed from sums. `what`: what adds up counts, e.g. "a cluster"."""
    if config.average == "sentence":
        option, needed = "average='sentence'", "each segment"
    elif depends_on_segment_order(config):
        option, needed = f"smoothing={config.smoothing!r}", "the last segment"
    else:
        return
    raise ValueError(
        f"{option} needs the counts of {needed}, but {what} adds up the counts of segments in any order: pass "
        "another value, or use corpus_bleu or evaluate_dataset"
    )


def initialized_distributed() -> Any:
    """Return the module `torch.distributed` if this process has initialized it, else None. Do not import torch."""
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed

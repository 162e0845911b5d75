"""sacrebleu's BLEU: write ``bleu_metric.compat.sacrebleu`` instead of ``sacrebleu`` in imports.

``sacrebleu.metrics`` becomes ``bleu_metric.compat.sacrebleu.metrics``. `BLEU` is a subclass of sacrebleu's: only the
counting is ours, so scores, signatures, options and errors are those of your version of sacrebleu. References are
streams, as in sacrebleu: ``references[j][i]`` is reference j of segment i, and ``None`` marks a missing reference. If
the input is almost certainly a mistake, the score is still sacrebleu's, and there is a warning.

``python -m bleu_metric.compat.sacrebleu`` is sacrebleu's command line with our counting.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .._tokenizers import TOKENIZERS
from .._validation import short_repr
from ._inputs import count_texts, cut_to_shorter, warn_of_mistake, warn_of_one_string
from ._library import needed, pass_on, with_names

with needed("sacrebleu"):
    import sacrebleu.compat as theirs
    from sacrebleu.metrics import METRICS as _METRICS

__all__ = ["BLEU", "METRICS", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]
__path__: list[str] = []  # `find_submodules` finds the submodules

# If a subclass or an object changes one of these methods, sacrebleu's own code counts
_COUNTING = (
    "_cache_references",
    "_compute_segment_statistics",
    "_extract_reference_info",
    "_get_closest_ref_len",
)
_OF_SACREBLEU = "sacrebleu.tokenizers.tokenizer_"

Texts = Sequence[str]
Streams = Sequence[Sequence[str | None]]
Rows = Sequence[list[str]]  # the references of each segment


class _References(Sequence[dict[str, Any]]):
    """References that are read once. Their n-grams are counted only where sacrebleu's own methods ask for them.

    As in sacrebleu, later changes of the metric's options do not change them.
    """

    def __init__(self, metric: BLEU, rows: Rows) -> None:
        self._metric = copy.copy(metric)
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: Any) -> Any:
        metric = self._metric
        texts = map(metric._preprocess_segment, self.rows[row])
        return metric._extract_reference_info([*texts])

    def are_for(self, metric: BLEU) -> bool:
        """Return whether a metric has the options with which the references were read."""
        return _options(metric) == _options(self._metric)


def _options(metric: BLEU) -> tuple[Any, ...]:
    """Return the options that determine the n-grams of a text."""
    return metric.tokenizer, bool(metric.lowercase), metric.max_ngram_order


class _Counted:
    """Segments that are already counted. sacrebleu's loop over them only checks whether texts seem tokenized."""

    def __init__(self, counts: list[list[int]], force: bool) -> None:
        self._ref_cache = counts
        self._force = force

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _compute_segment_statistics(self, _: str, counts: list[int]) -> list[int]:
        return counts


class BLEU(theirs.BLEU):
    """The BLEU metric with one set of options. sacrebleu's documentation explains its arguments and methods.

    A subclass may override any method. If it changes how a segment is counted, it counts with sacrebleu's methods.

    >>> metric = BLEU(effective_order=True)
    >>> metric.sentence_score("the cat", ["the cat sat"]).score
    60.653065971263366
    """

    def _cache_references(self, references: Iterable[Iterable[str | None]]) -> Sequence[dict[str, Any]]:
        """Read the references of each segment. Leave out ``None``, and set the number of references.

        Warn if the streams differ in length: sacrebleu cuts all of them to the shortest.
        """
        columns = [[*stream] for stream in references]
        lengths = sorted({*map(len, columns)})
        if len(lengths) > 1:
            found = f"{lengths[0]} to {lengths[-1]}"
            warn_of_mistake(
                f"reference streams have {found} segments: sacrebleu cuts all streams to the length of the shortest; "
                "pass None for each missing reference"
            )
        segments = zip(*columns)  # noqa: B905 - stops at the shortest, as sacrebleu does
        rows = [[text for text in texts if text is not None] for texts in segments]
        numbers = {*map(len, rows)}
        self.num_refs = numbers.pop() if len(numbers) == 1 else -1
        return _References(self, rows)

    def _extract_corpus_statistics(self, hypotheses: Texts, references: Streams | None) -> Any:
        """Count each segment. Return a row per segment: the two lengths, matches by order, n-grams by order.

        Warn if the hypotheses and the references differ in length, or if a string is passed instead of a list.
        """
        _warn_of_strings(hypotheses, references or [])
        cached = self._cache_references(references) if references else self._ref_cache
        if isinstance(cached, _References) and not self._is_changed():
            advice = _advice(hypotheses, references or [])
            texts, rows = cut_to_shorter(hypotheses, cached.rows, advice)
            if rows and all(rows) and cached.are_for(self):
                counts = self._count([*texts], [*rows])
                counted: Any = _Counted(counts, self._force)
                return theirs.BLEU._extract_corpus_statistics(counted, texts, None)
        return super()._extract_corpus_statistics(hypotheses, references)

    def _is_changed(self) -> bool:
        """Return whether a subclass or this object changes how a segment is counted."""
        kind, own = type(self), vars(self)
        return any(name in own or getattr(kind, name) is not getattr(BLEU, name) for name in _COUNTING)

    def _count(self, texts: list[str], rows: list[list[str]]) -> list[list[int]]:
        """Count segments, tokenized as `_preprocess_segment` does."""
        tokenizer = self._our_tokenizer()
        lowercase = bool(self.lowercase)
        if not tokenizer:
            preprocess = self._preprocess_segment
            texts = [preprocess(text) for text in texts]
            rows = [[preprocess(text) for text in row] for row in rows]
            tokenizer, lowercase = "none", False
        counted = count_texts(
            *(texts, rows, "sacrebleu"),
            tokenizer=tokenizer,
            lowercase=lowercase,
            max_order=self.max_ngram_order,
        )
        lengths_first: list[list[int]] = np.roll(counted.table, 2, axis=1).tolist()
        return lengths_first

    def _our_tokenizer(self) -> str:
        """Return the name of our tokenizer that equals this metric's, or an empty string if there is none."""
        _, _, name = type(self.tokenizer).__module__.partition(_OF_SACREBLEU)
        preprocess = getattr(self._preprocess_segment, "__func__", None)
        is_sacrebleus = preprocess is theirs.BLEU._preprocess_segment
        return name if is_sacrebleus and name in TOKENIZERS else ""

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        """Count one segment. Raise ``TypeError`` if it has no reference; an empty hypothesis needs none."""
        if ref_kwargs["ref_ngrams"] is None and hypothesis.split():
            text = short_repr(hypothesis)
            raise TypeError(f"BLEU: the segment of {text} has no reference: every stream has None")
        counts: list[int] = super()._compute_segment_statistics(hypothesis, ref_kwargs)
        return counts


def _warn_of_strings(hypotheses: Texts, references: Streams) -> None:
    warn_of_one_string("hypotheses", hypotheses, "sacrebleu")
    for number, stream in enumerate(references):
        warn_of_one_string(f"references[{number}]", stream, "sacrebleu")


def _advice(hypotheses: Texts, references: Streams) -> str:
    """Return what to do if the hypotheses and the references differ in length."""
    if len(references) == len(hypotheses):
        return "each stream must have one reference of every segment: pass list(zip(*references))"
    return "each stream must have one entry per hypothesis"


METRICS = {**_METRICS, "BLEU": BLEU}
corpus_bleu = with_names(theirs.corpus_bleu, __name__, BLEU=BLEU)
sentence_bleu = with_names(theirs.sentence_bleu, __name__, BLEU=BLEU)
raw_corpus_bleu = with_names(theirs.raw_corpus_bleu, __name__, corpus_bleu=corpus_bleu)

__getattr__ = pass_on("sacrebleu", "", "metrics", "metrics.bleu", "compat")

if __name__ == "__main__":
    from sacrebleu import sacrebleu

    sacrebleu.METRICS["BLEU"] = BLEU  # this process is sacrebleu's command line, and nothing else
    sacrebleu.main()

"""Drop-in replacement for sacrebleu's BLEU: in imports, replace ``sacrebleu`` with ``bleu_metric.compat.sacrebleu``.

For example, ``sacrebleu.metrics`` becomes ``bleu_metric.compat.sacrebleu.metrics``. `BLEU` is a subclass of sacrebleu's
`BLEU` that replaces only the counting of n-grams. Scores, signatures, options and errors therefore come from the
installed sacrebleu.

As in sacrebleu, references are streams: ``references[j][i]`` is reference j of segment i, and ``None`` marks a missing
reference. Input that is almost certainly a mistake causes a warning, but the score is still sacrebleu's.

``python -m bleu_metric.compat.sacrebleu`` runs sacrebleu's command line with this `BLEU`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .._tokens import TOKENIZERS
from .._validation import short_repr
from ._inputs import count_texts, cut_to_shorter, warn_of_mistake, warn_of_one_string
from ._library import Lookup, needed, overrides, pass_on, with_names

with needed("sacrebleu"):
    import sacrebleu.compat as theirs
    from sacrebleu.metrics import METRICS as _METRICS

__all__ = ["BLEU", "METRICS", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

# If a subclass or an instance overrides one of these methods, sacrebleu's own code counts the n-grams
_COUNTING_METHODS = (
    "_cache_references",
    "_compute_segment_statistics",
    "_extract_reference_info",
    "_get_closest_ref_len",
)
_TOKENIZER_MODULE = "sacrebleu.tokenizers.tokenizer_"  # followed by the tokenizer's name, such as "13a"

_ADVICE = (
    "each stream must have one reference of every segment; if you have a list of references for each segment, pass "
    "list(zip(*references))"
)

Texts = Sequence[str]
Streams = Sequence[Sequence[str | None]]
Rows = Sequence[list[str]]  # the references of each segment


class _References(Sequence[dict[str, Any]]):
    """The reference texts of each segment, in place of sacrebleu's list of reference n-grams.

    Only an access to an item, by sacrebleu's own methods, counts the n-grams of a segment. `metric` is a copy, because
    later changes of options must have no effect, as in sacrebleu.
    """

    def __init__(self, metric: BLEU, rows: Rows) -> None:
        self.metric = copy.copy(metric)
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: Any) -> Any:
        texts = [self.metric._preprocess_segment(text) for text in self.rows[row]]
        return self.metric._extract_reference_info(texts)


def _counting_options(metric: BLEU) -> tuple[Any, ...]:
    """Return the options that determine the n-grams of a text."""
    return metric.tokenizer, bool(metric.lowercase), metric.max_ngram_order


class BLEU(theirs.BLEU):
    """BLEU with options that are set once. sacrebleu's documentation explains the arguments and methods.

    A subclass may override any method. If a subclass overrides a method that counts n-grams, sacrebleu's own methods do
    the rest of the counting.

    >>> metric = BLEU(effective_order=True)
    >>> metric.sentence_score("the cat", ["the cat sat"]).score
    60.653065971263366
    """

    def _cache_references(self, references: Iterable[Iterable[str | None]]) -> Sequence[dict[str, Any]]:
        """Return each segment's references without ``None``. Set `num_refs` to the number, or to -1 if it varies.

        Warn if the streams differ in length.
        """
        streams = [[*stream] for stream in references]
        lengths = {len(stream) for stream in streams}
        if len(lengths) > 1:
            warn_of_mistake(
                f"reference streams have {min(lengths)} to {max(lengths)} segments: sacrebleu cuts all streams to the "
                "length of the shortest; pass None for each missing reference"
            )
        if overrides(self, BLEU, _COUNTING_METHODS):
            return super()._cache_references(streams)
        segments = zip(*streams)  # noqa: B905 - stops at the end of the shortest stream, as sacrebleu does
        rows = [[text for text in texts if text is not None] for texts in segments]

        self.num_refs: int = -1
        numbers_of_references = {len(texts) for texts in rows}
        if len(numbers_of_references) == 1:
            [self.num_refs] = numbers_of_references
        return _References(self, rows)

    def _extract_corpus_statistics(self, hypotheses: Texts, references: Streams | None) -> Any:
        """Return the counts of each segment: both lengths, the matches of each order, the n-grams of each order.

        Warn if the numbers of hypotheses and segments differ, or if an argument is a string instead of a list.
        """
        _warn_of_strings(hypotheses, references or [])
        if overrides(self, BLEU, _COUNTING_METHODS):
            return super()._extract_corpus_statistics(hypotheses, references)
        cached: Any = self._cache_references(references) if references else self._ref_cache
        # Every segment needs a reference. The options must not have changed since the references were read
        if (
            not isinstance(cached, _References)
            or not (cached.rows and all(cached.rows))
            or _counting_options(cached.metric) != _counting_options(self)
        ):
            return super()._extract_corpus_statistics(hypotheses, references)

        texts, rows = cut_to_shorter(hypotheses, cached.rows, _ADVICE)
        counts = self._count([*texts], [*rows])
        _warn_like_sacrebleu(texts, counts, self._force)
        return counts

    def _count(self, texts: list[str], rows: list[list[str]]) -> list[list[int]]:
        """Return the counts of each segment. The tokens are the same as from `_preprocess_segment`."""
        # A user may have overridden the method, or replaced it with a function, which has no `__func__`
        is_own = getattr(self._preprocess_segment, "__func__", None) is theirs.BLEU._preprocess_segment
        _, _, tokenizer = type(self.tokenizer).__module__.partition(_TOKENIZER_MODULE)
        lowercase = bool(self.lowercase)
        if not is_own or tokenizer not in TOKENIZERS:
            preprocess = self._preprocess_segment
            texts = [preprocess(text) for text in texts]
            rows = [[preprocess(text) for text in row] for row in rows]
            # The texts are already lower-cased, if required, and tokenized
            lowercase = False
            tokenizer = "none"

        options: Any = {"tokenizer": tokenizer, "lowercase": lowercase, "max_order": self.max_ngram_order}
        statistics = count_texts(texts, rows, "sacrebleu", **options)
        first_length = 2 * self.max_ngram_order  # the lengths come after matches and n-grams
        return [[*row[first_length:], *row[:first_length]] for row in statistics.table.tolist()]

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        """Return the counts of one segment. Raise ``TypeError`` if the hypothesis has words but no reference."""
        has_references = ref_kwargs["ref_ngrams"] is not None
        if not has_references and hypothesis.split():
            text = short_repr(hypothesis)
            raise TypeError(f"BLEU: the segment with the hypothesis {text} has no reference: every stream has None")
        counts: list[int] = super()._compute_segment_statistics(hypothesis, ref_kwargs)
        return counts


def _warn_like_sacrebleu(texts: Texts, counts: list[list[int]], force: bool) -> None:
    """Warn with sacrebleu's own code if many texts seem to be tokenized. If `force` is true, do not warn.

    The warning is inside sacrebleu's method that counts a corpus. A stand-in for the metric returns `counts`, so that
    the method does not count again.
    """
    stand_in: Any = SimpleNamespace(
        _force=force,
        _ref_cache=counts,
        _preprocess_segment=lambda text: text,
        _compute_segment_statistics=lambda _, counts_of_text: counts_of_text,
    )
    # Without references, the method reads `_ref_cache`: here, the counts of each text
    theirs.BLEU._extract_corpus_statistics(stand_in, texts, references=None)


def _warn_of_strings(hypotheses: Texts, references: Streams) -> None:
    """Warn if the hypotheses or a stream of references are a single string."""
    warn_of_one_string("hypotheses", hypotheses, "sacrebleu")
    if any(isinstance(stream, str) for stream in references):
        warn_of_mistake(
            "references is a list of strings, and sacrebleu scores each of their characters as a text; pass "
            "[references], or one list per stream of references"
        )


METRICS: dict[str, Any] = {**_METRICS, "BLEU": BLEU}
if TYPE_CHECKING:
    from sacrebleu.compat import corpus_bleu, raw_corpus_bleu, sentence_bleu
else:
    corpus_bleu = with_names(theirs.corpus_bleu, __name__, BLEU=BLEU)
    sentence_bleu = with_names(theirs.sentence_bleu, __name__, BLEU=BLEU)
    raw_corpus_bleu = with_names(theirs.raw_corpus_bleu, __name__, corpus_bleu=corpus_bleu)

__getattr__: Lookup = pass_on(__name__, "sacrebleu", "", "metrics", "metrics.bleu", "compat")

if __name__ == "__main__":
    from sacrebleu import sacrebleu

    sacrebleu.METRICS["BLEU"] = BLEU  # safe, because this process only runs sacrebleu's command line
    sacrebleu.main()

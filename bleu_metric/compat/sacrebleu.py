"""sacrebleu's BLEU: write ``bleu_metric.compat.sacrebleu`` instead of ``sacrebleu`` in imports.

``sacrebleu.metrics`` becomes ``bleu_metric.compat.sacrebleu.metrics``. Names, arguments, defaults, results, printed
output and signatures equal those of sacrebleu 2.6.0. You need sacrebleu only for its other metrics and for its
tokenizers for Japanese, Korean, FLORES and SentencePiece. References are streams, as in sacrebleu: ``references[j][i]``
is reference j of segment i, and ``None`` marks a missing reference. If the input is almost certainly a mistake, the
score is still sacrebleu's, and there is a warning.
"""

from __future__ import annotations

import copy
import logging
import math
import os
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from .._bleu import corpus_statistics
from .._textbook import brevity_penalty
from .._tokenizers import SACREBLEU_TOKENIZERS
from .._validation import short_repr, unknown_message
from ._inputs import cut_to_shorter, warn_of_mistake
from ._library import pass_on
from ._sacrebleu_results import BLEUScore, BLEUSignature, Tokenizer

__all__ = ["BLEU", "BLEUScore", "BLEUSignature", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

__version__ = "2.6.0"  # the version of sacrebleu whose numbers are reproduced
_LOG_OF_ZERO = -9999999999  # sacrebleu's number for minus infinity
_TOKENIZERS = ("none", "zh", "13a", "intl", "char", *SACREBLEU_TOKENIZERS)
_SPACED_PERIODS = 100  # if so many hypotheses end in " .", they look tokenized
_NOT_CALLED = ("_cache_references", "_compute_segment_statistics", "_extract_reference_info", "_get_closest_ref_len")
_log = logging.getLogger("sacrebleu")

Streams = Sequence[Sequence[str | None]]
Rows = list[list[str]]  # the references of each segment


class BLEU:
    """The BLEU metric with one set of options. If you change an attribute, all later scores use its new value.

    A subclass may override ``_preprocess_segment``, ``_extract_corpus_statistics``, ``_aggregate_and_compute``,
    ``_compute_score_from_stats`` and ``compute_bleu``.

    >>> metric = BLEU(effective_order=True)
    >>> metric.sentence_score("the cat", ["the cat sat"]).score
    60.653065971263366
    >>> metric.get_signature()
    nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS: ClassVar = dict.fromkeys(_TOKENIZERS).keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP: ClassVar = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}

    num_refs: int  # references per segment in the last score; -1 if the number varies

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = 4,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Iterable[Iterable[str | None]] | None = None,
    ) -> None:
        """Set the options.

        Args:
            lowercase: whether to ignore case.
            force: do not warn of texts that look tokenized.
            tokenize: the name of a tokenizer. The default depends on `trg_lang`; for most languages it is 13a.
            smooth_method: ``"exp"``, ``"floor"``, ``"add-k"`` or ``"none"``.
            smooth_value: the number that replaces 0 matches in ``"floor"`` (default 0.1), or that ``"add-k"`` adds
                (default 1).
            max_ngram_order: the highest n-gram order.
            effective_order: leave out the orders for which the text is too short.
            trg_lang: the language of the texts. It selects the default tokenizer.
            references: streams that `corpus_score` uses if it gets ``None``. They are read only once, here.

        Raises:
            AssertionError: an unknown `smooth_method`. KeyError: an unknown `tokenize`.
        """
        _check_smooth_method(smooth_method)
        of_language = self._TOKENIZER_MAP.get(trg_lang)
        if tokenize is None:
            tokenize = of_language or self.TOKENIZER_DEFAULT
        if tokenize not in _TOKENIZERS:
            raise KeyError(unknown_message("tokenize", tokenize, _TOKENIZERS))
        if of_language not in (None, tokenize):
            _log.warning("texts with trg_lang=%r should be tokenized with tokenize=%r", trg_lang, of_language)
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.trg_lang = trg_lang
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.tokenizer: Any = Tokenizer(tokenize)
        self.tokenizer_signature: str = self.tokenizer.signature()
        self._force = force
        self._references: Rows | None = None
        if references is not None:
            self._references = self._rows(references)
            self._settings_of_references = self._settings()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Raise ``TypeError`` if a subclass overrides a method that `BLEU` never calls."""
        super().__init_subclass__(**kwargs)
        for name in _NOT_CALLED:
            if name in vars(cls):
                raise TypeError(
                    f"{cls.__name__}.{name} would not be called: all segments are counted in one step; override "
                    "_preprocess_segment or _extract_corpus_statistics, or derive from sacrebleu.metrics.BLEU"
                )

    def corpus_score(self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1) -> BLEUScore:
        """Score a corpus.

        Args:
            hypotheses: N strings.
            references: streams of N strings each. Pass ``None`` to use the references that were passed to `BLEU`.
            n_bootstrap: if above 1, the number of resamples for a 95 % interval. The environment variable
                ``SACREBLEU_SEED`` sets their seed, by default 12345. If it is ``none``, each call has a new seed.

        Returns:
            The score in percent.

        Raises:
            IndexError: there is no hypothesis or no stream, or a stream is empty.
            TypeError: the hypotheses or a stream are not a sequence of strings, or a segment has no reference.
            RuntimeError: `references` is ``None``, and no references were passed to `BLEU`.

        Warns:
            UserWarning: a stream and the hypotheses differ in length, or a string is passed instead of a list.

        >>> BLEU().corpus_score(["a b c d", "a b c e"], [["a b c d", "a b c f"]], n_bootstrap=100)
        BLEU = 72.31 (μ = 74.93 ± 25.00) 87.5/83.3/75.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)
        """
        _check_strings("hypotheses", hypotheses)
        if references is not None:
            _check_streams(references)
        stats = self._extract_corpus_statistics(hypotheses, references)
        result = self._aggregate_and_compute(stats)
        if n_bootstrap > 1:
            self.n_bootstrap = n_bootstrap
            result.estimate_ci(self._score_resamples(stats, n_bootstrap))
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one sentence.

        Args:
            hypothesis: the prediction.
            references: the references. ``None`` marks a missing reference.

        Returns:
            The score in percent.

        Raises:
            IndexError: there is no reference.
            TypeError: an argument has the wrong type, or every reference is ``None``.
        """
        if not self.effective_order:
            _log.warning("pass effective_order=True for sentence scores: without it, very short sentences score 0")
        if not isinstance(hypothesis, str):
            raise TypeError(f"BLEU: hypothesis must be a string, got {short_repr(hypothesis)}")
        if isinstance(references, str):
            raise TypeError(f"BLEU: references must be a list of strings, got {short_repr(references)}")
        _check_strings("references", references)
        return self._aggregate_and_compute(
            self._extract_corpus_statistics([hypothesis], [[text] for text in references])
        )

    def get_signature(self) -> BLEUSignature:
        """Return the signature. Raise ``ValueError`` if the number of references is unknown: compute a score first."""
        if not hasattr(self, "num_refs"):
            raise ValueError("the number of references is not known yet: compute a score first")
        smooth: str = self.smooth_method
        default = self.SMOOTH_DEFAULTS[smooth]
        if default is not None:
            smooth += f"[{default if self.smooth_value is None else self.smooth_value:.2f}]"
        return BLEUSignature(
            {
                "version": __version__,
                "nrefs": "var" if self.num_refs == -1 else self.num_refs,
                "bs": self.n_bootstrap,
                "ar": None,
                "seed": self.seed,
                "test": getattr(self, "test_set", None),
                "lang": getattr(self, "langpair", None),
                "origlang": getattr(self, "origlang", None),
                "subset": getattr(self, "subset", None),
                "case": "lc" if self.lowercase else "mixed",
                "eff": "yes" if self.effective_order else "no",
                "tok": self.tokenizer_signature,
                "smooth": smooth,
            }
        )

    @staticmethod
    def compute_bleu(
        correct: list[Any],
        total: list[Any],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = 4,
    ) -> BLEUScore:
        """Compute the score from counts.

        The arithmetic equals sacrebleu's to the last bit, so that rounded scores also print the same.

        Args:
            correct: clipped matches by order. ``"add-k"`` changes the list in place.
            total: n-grams of the hypotheses by order. ``"add-k"`` changes the list in place.
            sys_len: number of tokens of the hypotheses.
            ref_len: sum of the reference lengths that set the brevity penalty.
            smooth_method: as for `BLEU`, except that the default is ``"none"``.
            smooth_value: as for `BLEU`.
            effective_order: as for `BLEU`.
            max_ngram_order: as for `BLEU`.

        Returns:
            The score in percent.

        >>> BLEU.compute_bleu([5, 3, 1, 0], [6, 5, 4, 3], 6, 6, smooth_method="exp").score
        37.99178428257963
        """
        _check_smooth_method(smooth_method)
        value = BLEU.SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
        penalty = brevity_penalty(sys_len, ref_len)
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, penalty, sys_len, ref_len)
        doubled, orders = 1.0, max_ngram_order
        for order in range(max_ngram_order):
            if smooth_method == "add-k" and order > 0:
                correct[order] += value
                total[order] += value
            if total[order] == 0:
                break
            if effective_order:
                orders = order + 1
            if correct[order] != 0:
                precisions[order] = 100.0 * correct[order] / total[order]
            elif smooth_method == "exp":
                doubled *= 2
                precisions[order] = 100.0 / (doubled * total[order])
            elif smooth_method == "floor":
                precisions[order] = 100.0 * value / total[order]  # type: ignore[operator]
        logs = [_LOG_OF_ZERO if precision == 0.0 else math.log(precision) for precision in precisions[:orders]]
        score = penalty * math.exp(sum(logs) / orders)
        return BLEUScore(score, correct, total, precisions, penalty, sys_len, ref_len)

    # Subclasses may override the next four methods. sacrebleu's PairedTest calls the last three of them.

    def _preprocess_segment(self, sent: str) -> str:
        """Return the tokens of a text, joined by spaces."""
        return str(self.tokenizer((sent.lower() if self.lowercase else sent).rstrip()))

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Streams | None) -> list[list[int]]:
        """Count each segment. Return a row per segment: the two lengths, matches by order, n-grams by order."""
        if references:
            rows, settings = self._rows(references), self._settings()
        elif self._references:
            rows, settings = self._references, self._settings_of_references
        else:
            raise RuntimeError("there are no references: pass them to corpus_score, or to BLEU(references=…)")
        advice = "each stream must have one entry per hypothesis"
        if references and len(references) == len(hypotheses):
            advice = "each stream must have one reference of every segment: pass list(zip(*references))"
        texts, rows = map(list, cut_to_shorter(hypotheses, rows, advice))
        if not self._force and sum(text.endswith(" .") for text in texts) >= _SPACED_PERIODS:
            _log.warning(
                "%d or more hypotheses end in ' .': the texts look tokenized. They are tokenized again, which changes "
                "the score. Detokenize the texts, or pass force=True to hide this warning.",
                _SPACED_PERIODS,
            )
        return self._count(texts, rows, settings)

    def _aggregate_and_compute(self, stats: Sequence[Sequence[int]]) -> BLEUScore:
        """Sum the rows of counts and compute the score."""
        if not len(stats):
            raise IndexError("there is no segment that has both a hypothesis and a reference")
        return self._compute_score_from_stats([sum(column) for column in zip(*stats, strict=True)])

    def _compute_score_from_stats(self, stats: Sequence[int]) -> BLEUScore:
        """Compute the score from one row of counts."""
        matches_end = 2 + self.max_ngram_order
        options: Any = (self.smooth_method, self.smooth_value, self.effective_order, self.max_ngram_order)
        lengths = (int(stats[0]), int(stats[1]))
        return self.compute_bleu(list(stats[2:matches_end]), list(stats[matches_end:]), *lengths, *options)

    def _settings(self) -> tuple[Any, bool]:
        """Return the two settings that determine the tokens of a text: the tokenizer, and whether case is ignored."""
        return self.tokenizer, bool(self.lowercase)

    def _rows(self, streams: Iterable[Iterable[str | None]]) -> Rows:
        """Return a list of references for each segment. Leave out references that are ``None``, and set `num_refs`."""
        columns = [[*stream] for stream in streams]
        if len({*map(len, columns)}) > 1:
            lengths = " and ".join(str(len(column)) for column in columns)
            warn_of_mistake(
                f"reference streams have {lengths} segments: sacrebleu cuts all streams to the length of the shortest; "
                "pass None for each missing reference"
            )
        rows = [[text for text in texts if text is not None] for texts in zip(*columns)]  # noqa: B905
        numbers = {len(row) for row in rows}
        self.num_refs = numbers.pop() if len(numbers) == 1 else -1
        return rows

    def _count(self, hypotheses: list[str], rows: Rows, settings: tuple[Any, bool]) -> list[list[int]]:
        """Return a row of counts per segment. The tokens of references depend on `settings`, not on the attributes.

        The two differ if an attribute has changed since references were passed to `BLEU`.
        """
        is_own = getattr(self._preprocess_segment, "__func__", None) is not BLEU._preprocess_segment
        options: Any = {"max_order": self.max_ngram_order}
        if is_own or settings != self._settings() or not isinstance(self.tokenizer, Tokenizer):
            before = copy.copy(self)
            before.tokenizer, before.lowercase = settings
            hypotheses = [self._preprocess_segment(text) for text in hypotheses]
            rows = [[before._preprocess_segment(text) for text in row] for row in rows]
            options["tokenizer"] = "none"
        else:
            options |= {"tokenizer": self.tokenizer.name, "lowercase": bool(self.lowercase)}
        if not hypotheses:
            return []
        table = corpus_statistics(hypotheses, [row or [""] for row in rows], "sacrebleu", **options).table
        return _with_lengths_of_missing(np.roll(table, 2, axis=1), rows)

    def _score_resamples(self, stats: Sequence[Sequence[int]], number: int) -> list[BLEUScore]:
        """Score the same resamples that sacrebleu draws. The counts are summed in float32, as in sacrebleu."""
        chosen = os.environ.get("SACREBLEU_SEED", "12345").lower()
        generator = np.random.default_rng(None if chosen == "none" else int(chosen))
        table = np.array(stats, np.float32)
        drawn = (generator.choice(len(table), size=len(table), replace=True) for _ in range(number))
        self.seed = chosen
        return [self._compute_score_from_stats(table[rows].sum(axis=0)) for rows in drawn]


def _with_lengths_of_missing(table: Any, rows: Rows) -> list[list[int]]:
    """Return the rows. If an empty hypothesis has no reference, its reference length is -1, as in sacrebleu."""
    counts: list[list[int]] = table.tolist()
    for number, row in enumerate(rows):
        if not row and counts[number][0]:
            raise TypeError(f"BLEU: segment {number} has no reference: every stream has None at this index")
        if not row:
            counts[number][1] = -1
    return counts


def _check_smooth_method(name: str) -> None:
    if name not in BLEU.SMOOTH_DEFAULTS:
        raise AssertionError(unknown_message("smooth_method", name, BLEU.SMOOTH_DEFAULTS))


def _check_strings(name: str, texts: Any) -> None:
    if not isinstance(texts, Sequence):
        raise TypeError(f"BLEU: {name} must be a list of strings, got {short_repr(texts)}")
    if not len(texts):
        raise IndexError(f"BLEU: {name} must not be empty")
    if isinstance(texts, str):
        warn_of_mistake(f"{name} is one string, and sacrebleu scores each of its characters as a text; pass [text]")
        return
    for row, text in enumerate(texts):
        if not isinstance(text, str) and (text is not None or name == "hypotheses"):
            raise TypeError(f"BLEU: {name}[{row}] must be a string, got {short_repr(text)}")


def _check_streams(streams: Any) -> None:
    if not isinstance(streams, Sequence):
        raise TypeError(f"BLEU: references must be a list of streams (lists of strings), got {short_repr(streams)}")
    if not len(streams):
        raise IndexError("BLEU: references must not be empty; pass None to use those of BLEU(references=…)")
    for number, stream in enumerate(streams):
        if number == 0 or (isinstance(stream, Sequence) and not isinstance(stream, str) and len(stream)):
            _check_strings(f"references[{number}]", stream)


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Return the score of a corpus in percent. See `BLEU` for the options and `BLEU.corpus_score` for the texts.

    >>> round(corpus_bleu(["the cat sat on the mat"], [["the cat is on the mat"], ["a cat sat there"]]).score, 2)
    42.73
    """
    metric = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(hypotheses: Sequence[str], references: Streams, smooth_value: float | None = 0.1) -> BLEUScore:
    """Return the score of a corpus of tokenized texts in percent, with ``"floor"`` smoothing and effective order.

    >>> raw_corpus_bleu(["a b c d"], [["a b c d ."]]).score
    77.88007830714052
    """
    return corpus_bleu(hypotheses, references, "floor", smooth_value, True, tokenize="none", use_effective_order=True)


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Return the score of one sentence in percent. See `BLEU` for the options.

    >>> sentence_bleu("the cat", ["the cat sat"]).score
    60.653065971263366
    """
    metric = BLEU(lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)


_of_sacrebleu = pass_on(__name__, "sacrebleu", "metrics", "metrics.bleu", "compat")


def __getattr__(name: str) -> Any:
    """Return sacrebleu's object for a name that this module does not define. `METRICS` has this module's `BLEU`."""
    found = _of_sacrebleu(name)
    return {**found, "BLEU": BLEU} if name == "METRICS" else found

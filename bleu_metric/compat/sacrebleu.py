"""sacrebleu's BLEU: write ``bleu_metric.compat.sacrebleu`` for ``sacrebleu``, or for ``sacrebleu.metrics``.

Names, arguments, defaults, results, what they print and their signatures are those of sacrebleu 2.6.0. It need not be
installed, except for its tokenizers of Japanese, Korean, FLORES and SentencePiece. References are streams as there:
``references[j][i]`` is reference j of segment i, and ``None`` stands for a missing one. A stream with fewer or more
segments than there are hypotheses is an error here; sacrebleu drops the surplus silently.
"""

from __future__ import annotations

import logging
import math
import os
import secrets
import sys
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from .._bleu import corpus_statistics
from .._bootstrap import bootstrap
from .._statistics import BleuStatistics
from .._textbook import brevity_penalty
from .._tokenizers import SACREBLEU_TOKENIZERS, TOKENIZERS
from .._validation import short_repr, unknown_message
from ._sacrebleu_results import BLEUScore, BLEUSignature

__all__ = ["BLEU", "BLEUScore", "BLEUSignature", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

__version__ = "2.6.0"  # the sacrebleu whose numbers these are
_LOG_OF_ZERO = -9999999999  # what sacrebleu takes for it
_TOKENIZERS = ("none", "zh", "13a", "intl", "char", *SACREBLEU_TOKENIZERS)
_LANGUAGES = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_SPACED_PERIODS = 100  # lines that end in " ." from which on a text looks tokenized
_log = logging.getLogger("sacrebleu")

Streams = Sequence[Sequence[str | None]]


class BLEU:
    """Scores of one choice of options.

    >>> metric = BLEU(effective_order=True)
    >>> metric.sentence_score("the cat", ["the cat sat"]).score
    60.653065971263366
    >>> metric.get_signature()
    nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS: ClassVar = dict.fromkeys(_TOKENIZERS).keys()
    TOKENIZER_DEFAULT = "13a"

    num_refs: int  # references of each segment of the last score, -1 if they are not all of one number

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
        references: Streams | None = None,
    ) -> None:
        """Choose the options.

        Args:
            lowercase: whether case does not matter.
            force: do not warn of texts that look tokenized.
            tokenize: the name of a tokenizer; by default that of the language, which is 13a for most.
            smooth_method: ``"exp"``, ``"floor"``, ``"add-k"`` or ``"none"``.
            smooth_value: what ``"floor"`` (0.1 by default) and ``"add-k"`` (1) add.
            max_ngram_order: the longest n-gram.
            effective_order: leave out the orders for which the text is too short.
            trg_lang: the language of the texts, for its tokenizer.
            references: streams for all scores whose own references are ``None``.

        Raises:
            AssertionError: an unknown `smooth_method`. KeyError: an unknown `tokenize`.
        """
        _check_smooth_method(smooth_method)
        tokenizer = tokenize or _LANGUAGES.get(trg_lang, self.TOKENIZER_DEFAULT)
        if tokenizer not in _TOKENIZERS:
            raise KeyError(unknown_message("tokenize", tokenizer, _TOKENIZERS))
        if tokenizer != _LANGUAGES.get(trg_lang, tokenizer):
            _log.warning("trg_lang=%r has a tokenizer of its own: %r", trg_lang, _LANGUAGES[trg_lang])
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.trg_lang = trg_lang
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._tokenizer = tokenizer
        self._force = force
        self._references = references
        if references is not None:
            self.num_refs = _number_of_references(references)

    def corpus_score(self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1) -> BLEUScore:
        """Score a corpus.

        Args:
            hypotheses: N strings.
            references: streams of N strings each; ``None`` takes those that were given to `BLEU`.
            n_bootstrap: if above 1, so many resamples estimate a 95 % interval. Their seed is 12345, or the variable
                ``SACREBLEU_SEED`` of the environment; ``none`` is another one at each call.

        Returns:
            The score in percent.

        Raises:
            TypeError: hypotheses or streams that are not a sequence of strings or are empty, or a stream of another
                length than the hypotheses.
            ValueError: a segment has no reference.
            RuntimeError: there are no references.

        >>> BLEU().corpus_score(["a b c d", "a b c e"], [["a b c d", "a b c f"]], n_bootstrap=100)
        BLEU = 72.31 (μ = 74.93 ± 25.00) 87.5/83.3/75.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)
        """
        statistics = self._count_corpus(hypotheses, references)
        result = self._score(statistics)
        if n_bootstrap > 1:
            self._estimate_interval(result, statistics, n_bootstrap)
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one sentence.

        Args:
            hypothesis: a string.
            references: strings.

        Returns:
            The score in percent.

        Raises:
            TypeError: anything else, or no reference.
            ValueError: every reference is ``None``.
        """
        if not self.effective_order:
            _log.warning("sentence scores are better with effective_order=True: short sentences score 0 without it")
        if not isinstance(hypothesis, str):
            raise TypeError(f"BLEU: hypothesis must be a string, got {short_repr(hypothesis)}")
        _check_strings("references", references)
        return self._score(self._count([hypothesis], [[text] for text in references]))

    def get_signature(self) -> BLEUSignature:
        """Name every choice; ``ValueError`` before the first score, which tells the number of references."""
        if not hasattr(self, "num_refs"):
            raise ValueError("the number of references is not known yet: score something first")
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
                **dict.fromkeys(("test", "lang", "origlang", "subset")),
                "case": "lc" if self.lowercase else "mixed",
                "eff": "yes" if self.effective_order else "no",
                "tok": _tokenizer_signature(self._tokenizer),
                "smooth": smooth,
            }
        )

    @staticmethod
    def compute_bleu(
        correct: Sequence[int],
        total: Sequence[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = 4,
    ) -> BLEUScore:
        """Score counts.

        The arithmetic is sacrebleu's to the last bit: a score at the edge of rounding would print otherwise.

        Args:
            correct: clipped matches by order.
            total: n-grams of the hypotheses by order.
            sys_len: tokens of the hypotheses.
            ref_len: effective reference length.
            smooth_method: as for `BLEU`, and so are the other arguments, but here the default is ``"none"``.
            smooth_value: see there.
            effective_order: see there.
            max_ngram_order: see there.

        Returns:
            The score in percent. ``"add-k"`` adds to the counts that it reports, too.

        >>> BLEU.compute_bleu([5, 3, 1, 0], [6, 5, 4, 3], 6, 6, smooth_method="exp").score
        37.99178428257963
        """
        _check_smooth_method(smooth_method)
        value = (BLEU.SMOOTH_DEFAULTS[smooth_method] or 0) if smooth_value is None else smooth_value
        matches: list[float] = list(correct)
        totals: list[float] = list(total)
        penalty = brevity_penalty(sys_len, ref_len)
        zeros = [0.0] * max_ngram_order
        if not any(matches):
            return BLEUScore(0.0, matches, totals, zeros, penalty, sys_len, ref_len)
        if smooth_method == "add-k":
            matches[1:] = [number + value for number in matches[1:]]
            totals[1:] = [number + value for number in totals[1:]]
        present = _precisions(matches, totals, smooth_method, value)
        precisions = (present + zeros)[:max_ngram_order]
        orders = len(present) if effective_order else max_ngram_order
        logs = [math.log(precision) if precision else _LOG_OF_ZERO for precision in precisions[:orders]]
        score = penalty * math.exp(sum(logs) / orders)
        return BLEUScore(score, matches, totals, precisions, penalty, sys_len, ref_len)

    # sacrebleu's paired tests, PairedTest of sacrebleu.significance, call these three

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Streams | None) -> list[list[int]]:
        """Count each segment: the two lengths, the clipped matches, the n-grams."""
        table = self._count_corpus(hypotheses, references).table
        rows: list[list[int]] = np.roll(table, 2, axis=1).tolist()
        return rows

    def _aggregate_and_compute(self, stats: Sequence[Sequence[int]]) -> BLEUScore:
        """Score the sum of such rows."""
        return self._compute_score_from_stats([sum(column) for column in zip(*stats, strict=True)])

    def _compute_score_from_stats(self, stats: Sequence[int]) -> BLEUScore:
        """Score a row."""
        sys_len, ref_len, *counts = stats
        orders = self.max_ngram_order
        options = (self.smooth_method, self.smooth_value, self.effective_order, orders)
        return self.compute_bleu(counts[:orders], counts[orders:], int(sys_len), int(ref_len), *options)

    def _count_corpus(self, hypotheses: Sequence[str], references: Streams | None) -> BleuStatistics:
        streams = self._references if references is None else references
        if streams is None:
            raise RuntimeError("there are no references: give them to corpus_score, or to BLEU(references=…)")
        _check_strings("hypotheses", hypotheses)
        _check_streams(streams, len(hypotheses))
        return self._count(hypotheses, streams)

    def _count(self, hypotheses: Sequence[str], streams: Streams) -> BleuStatistics:
        if not self._force and sum(text.endswith(" .") for text in hypotheses) >= _SPACED_PERIODS:
            _log.warning(
                "%d or more lines end in ' .': the texts look tokenized, and are tokenized again, which changes the "
                "score. Detokenize them, or pass force=True if they are as they should be.",
                _SPACED_PERIODS,
            )
        references = [[text for text in texts if text is not None] for texts in zip(*streams, strict=True)]
        options: Any = {
            "tokenizer": self._tokenizer,
            "lowercase": bool(self.lowercase),
            "max_order": self.max_ngram_order,
            "smoothing": self.smooth_method,
            "effective_order": bool(self.effective_order),
        }
        if self.SMOOTH_DEFAULTS[self.smooth_method] is not None:
            options["smoothing_value"] = self.smooth_value
        self.num_refs = _number_of_references(streams)
        return corpus_statistics(hypotheses, references, "sacrebleu", **options)

    def _score(self, statistics: BleuStatistics) -> BLEUScore:
        return self._compute_score_from_stats(np.roll(statistics.total().table[0], 2).tolist())

    def _estimate_interval(self, result: BLEUScore, statistics: BleuStatistics, n_bootstrap: int) -> None:
        chosen = os.environ.get("SACREBLEU_SEED", "12345").lower()
        seed = secrets.randbits(32) if chosen == "none" else int(chosen)
        self.n_bootstrap, self.seed = n_bootstrap, chosen
        if len(statistics) == 1:  # every resample is the segment itself
            result.set_interval(result.score, 0.0)
            return
        interval = bootstrap(statistics, n_bootstrap, seed)
        result.set_interval(100 * interval.mean, 100 * interval.half_width)


def _number_of_references(streams: Streams) -> int:
    """Count the references of a segment; -1 if segments differ."""
    numbers = {len(texts) - texts.count(None) for texts in zip(*streams, strict=False)}
    return numbers.pop() if len(numbers) == 1 else -1


def _precisions(matches: Sequence[float], totals: Sequence[float], method: str, value: float) -> list[float]:
    """Precisions in percent, up to the first order without n-grams."""
    precisions = []
    doubled = 1.0
    for matched, total in zip(matches, totals, strict=True):
        if not total:
            break
        if matched:
            precision = 100.0 * matched / total
        elif method == "exp":
            doubled *= 2
            precision = 100.0 / (doubled * total)
        else:
            precision = 100.0 * value / total if method == "floor" else 0.0
        precisions.append(precision)
    return precisions


def _check_smooth_method(name: str) -> None:
    if name not in BLEU.SMOOTH_DEFAULTS:
        raise AssertionError(unknown_message("smooth_method", name, BLEU.SMOOTH_DEFAULTS))


def _check_strings(name: str, texts: Any) -> None:
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        raise TypeError(f"BLEU: {name} must be a list of strings, got {short_repr(texts)}")
    if not len(texts):
        raise TypeError(f"BLEU: {name} must not be empty")
    for row, text in enumerate(texts):
        if not isinstance(text, str) and (text is not None or name == "hypotheses"):
            raise TypeError(f"BLEU: {name}[{row}] must be a string, got {short_repr(text)}")


def _check_streams(streams: Any, segments: int) -> None:
    if isinstance(streams, str) or not isinstance(streams, Sequence):
        raise TypeError(f"BLEU: references must be a list of streams, got {short_repr(streams)}")
    if not len(streams):
        raise TypeError("BLEU: references must not be empty; None takes those that were given to BLEU")
    for number, stream in enumerate(streams):
        _check_strings(f"references[{number}]", stream)
        if len(stream) != segments:
            raise TypeError(
                f"BLEU: references[{number}] has {len(stream)} segments, hypotheses have {segments}; a stream holds "
                "one reference of each segment"
            )


def _tokenizer_signature(name: str) -> str:
    if name in TOKENIZERS:
        return name
    from sacrebleu.metrics import bleu

    return str(bleu._get_tokenizer(name)().signature())


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
    """Score a corpus; see `BLEU` for the options and `BLEU.corpus_score` for the texts.

    >>> round(corpus_bleu(["the cat sat on the mat"], [["the cat is on the mat"], ["a cat sat there"]]).score, 2)
    42.73
    """
    metric = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(hypotheses: Sequence[str], references: Streams, smooth_value: float | None = 0.1) -> BLEUScore:
    """Score a corpus of texts that are tokenized already, with ``"floor"`` smoothing and effective order.

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
    """Score one sentence; see `BLEU` for the options.

    >>> sentence_bleu("the cat", ["the cat sat"]).score
    60.653065971263366
    """
    metric = BLEU(lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)


# sacrebleu has the same names in these modules, too
compat = metrics = sys.modules[__name__]

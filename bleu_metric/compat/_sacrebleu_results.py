"""Scores, signatures and tokenizers for `bleu_metric.compat.sacrebleu`, with sacrebleu's attributes and output."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from typing import Any, ClassVar

import pyarrow as pa

from .._tokenize import Tokenization, token_strings, tokenize
from .._tokenizers import TOKENIZERS


class BLEUScore:
    """A score in percent and its counts. `print` shows it in sacrebleu's format.

    >>> BLEUScore(60.653, [2, 1], [2, 1], [100.0, 100.0], 0.60653, 2, 3)
    BLEU = 60.65 100.0/100.0 (BP = 0.607 ratio = 0.667 hyp_len = 2 ref_len = 3)
    """

    def __init__(
        self,
        score: float,
        counts: list[float],
        totals: list[float],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        """Set the score, the clipped matches (`counts`) and n-grams (`totals`) of each order, and the other numbers."""
        self.name = "BLEU"
        self.score = score
        self.counts = counts
        self.totals = totals
        self.precisions = precisions
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.ratio: float = sys_len / ref_len if ref_len else 0
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        lengths = f"ratio = {self.ratio:.3f} hyp_len = {sys_len:d} ref_len = {ref_len:d}"
        self._verbose = f"{self.prec_str} (BP = {bp:.3f} {lengths})"
        self._mean = self._ci = -1.0  # `estimate_ci` sets both; -1 means that there are no resamples

    def estimate_ci(self, scores: Sequence[Any]) -> None:
        """Store the mean score of the resamples and half the width of their 95 % interval, for `format`.

        >>> score = BLEUScore(50.0, [1], [2], [50.0], 1.0, 2, 2)
        >>> score.estimate_ci([score, BLEUScore(40.0, [2], [5], [40.0], 1.0, 5, 5)])
        >>> score.format(score_only=True)
        '50.00 (μ = 45.00 ± 5.00)'
        """
        values = sorted(each.score for each in scores)
        outside = len(values) // 40
        self._mean = statistics.mean(values)
        self._ci = 0.5 * (values[-1 - outside] - values[outside])

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score as text.

        Args:
            width: digits after the decimal point.
            score_only: return only the score.
            signature: the signature, which follows the name ``BLEU``.
            is_json: return JSON instead of a line.

        Returns:
            A line of text, or a JSON object as text.

        >>> BLEUScore(12.345, [1], [8], [12.5], 1.0, 8, 8).format(width=1, score_only=True)
        '12.3'
        """
        number = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half_width}"
            number += f" ({interval})"
            fields |= {"confidence_mean": float(mean), "confidence_var": float(half_width), "confidence": interval}
        if score_only:
            return number
        if is_json:
            fields["verbose_score"] = self._verbose
            for part in signature.split("|"):
                key, choice = part.split(":")
                fields[key] = choice
            return json.dumps(fields, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {number} {self._verbose}"

    def __repr__(self) -> str:
        """Return the text that `format` returns by default."""
        return self.format()


class BLEUSignature:
    """All options of a score, in sacrebleu's notation.

    >>> BLEUSignature({"version": "2.6.0", "nrefs": 1, "case": "mixed"}).format(short=True)
    '#:1|c:mixed|v:2.6.0'
    """

    _SHORT: ClassVar = {
        "nrefs": "#",
        "bs": "bs",
        "ar": "ar",
        "seed": "rs",
        "test": "t",
        "lang": "l",
        "origlang": "o",
        "subset": "S",
        "case": "c",
        "eff": "e",
        "tok": "tok",
        "smooth": "s",
        "version": "v",
    }

    def __init__(self, info: dict[str, Any]) -> None:
        """Set the options. `info` maps each key to its value. A value of ``None`` is not shown."""
        self.info = info

    def format(self, short: bool = False) -> str:
        """Return the signature as text, with short keys if `short`."""
        keys = [key for key in self.info if key != "version"]
        parts = []
        for key in [*keys, "version"]:
            value = self.info[key]
            if isinstance(value, bool):
                value = "yes" if value else "no"
            if value is not None:
                parts.append(f"{self._SHORT[key] if short else key}:{value}")
        return "|".join(parts)

    def update(self, key: str, value: Any) -> None:
        """Set the value of a key."""
        self.info[key] = value

    def __repr__(self) -> str:
        """Return the text that `format` returns by default."""
        return self.format()


class Tokenizer:
    """A tokenizer: a function that returns the tokens of a text joined by spaces. `BLEU.tokenizer` is one.

    >>> Tokenizer("13a")("Hello, world.")
    'Hello , world .'
    """

    def __init__(self, name: str) -> None:
        """Set the tokenizer. Raise ``ImportError`` if only sacrebleu has it, and sacrebleu is not installed."""
        self.name = name
        self._theirs = None
        if name not in TOKENIZERS:
            from sacrebleu.metrics import bleu

            self._theirs = bleu._get_tokenizer(name)()

    def signature(self) -> str:
        """Return the tokenizer's name in signatures."""
        return self.name if self._theirs is None else str(self._theirs.signature())

    def __call__(self, line: str) -> str:
        """Return the tokens with spaces between them."""
        if self._theirs is not None:
            return str(self._theirs(line))
        if self.name == "none":
            return line
        if self.name == "char":
            return " ".join(line)
        how = Tokenization(self.name, lowercase=False, strip=False, whitespace="python")
        return " ".join(token_strings(tokenize(pa.array([line]), how))[0])

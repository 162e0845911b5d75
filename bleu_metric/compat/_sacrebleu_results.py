"""What sacrebleu's scores and signatures are and print, for `bleu_metric.compat.sacrebleu`."""

from __future__ import annotations

import json
from typing import Any, ClassVar


class BLEUScore:
    """A score in percent with its counts; its text is sacrebleu's.

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
        """`counts`, `totals` and `precisions` are lists by order, `bp` the brevity penalty, the lengths in tokens."""
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
        self._mean = self._ci = -1.0  # of the resamples; below 0: there are none

    def set_interval(self, mean: float, half_width: float) -> None:
        """Tell what the resamples of a bootstrap gave, in percent."""
        self._mean, self._ci = mean, half_width

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Write the score.

        Args:
            width: digits after the decimal point.
            score_only: write nothing but the score.
            signature: what stands after the name.
            is_json: write a JSON object.

        Returns:
            One line, or a JSON object.

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
        """Write it as `format` does."""
        return self.format()


class BLEUSignature:
    """Every choice that made a score, as sacrebleu writes it.

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
        """`info` is what it tells, by key; ``None`` is left out."""
        self.info = info

    def format(self, short: bool = False) -> str:
        """Write the signature, with short keys if asked for."""
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
        """Set what it tells under `key`."""
        self.info[key] = value

    def __repr__(self) -> str:
        """Write it as `format` does."""
        return self.format()

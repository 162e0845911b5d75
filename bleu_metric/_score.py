"""The class `BleuScore`: a score that can be displayed and cited in a paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ._config import BleuConfig
from ._display import BLEU, amount, join_first, percent
from ._names import Signature
from ._options import sacrebleu_signature
from ._result import Column, Result, Row, latex, markdown
from ._validation import check_count, short_repr, unknown_message


@dataclass(frozen=True, kw_only=True, repr=False)
class BleuScore(Result):
    """A BLEU score with the numbers from which it is computed.

    Scores, precisions and the brevity penalty are on a scale of 0 to 1. Only displays are in percent: ``print(score)``
    shows all numbers, and a notebook shows a table. ``float(score)`` and ``f"{score:.2f}"`` return the score from 0 to
    1. ``score["bleu"]`` and ``dict(score)`` return fields by name.

    >>> from bleu_metric import corpus_bleu
    >>> result = corpus_bleu(["a b c d"], ["a b c d e"], max_order=2)
    >>> result
    <BleuScore 77.9: 100.0/100.0, brevity penalty 0.779, ratio 0.800>
    >>> f"{result:.2f}", f"{result:.1%}", result["brevity_penalty"] == float(result)
    ('0.78', '77.9%', True)
    >>> result.counts, result.totals, result.translation_length, result.reference_length
    ([4, 3], [4, 3], 4, 5)
    >>> round(result.bleu, 4), result.precisions, round(result.brevity_penalty, 4), result.length_ratio
    (0.7788, [1.0, 1.0], 0.7788, 0.8)
    """

    bleu: float
    precisions: list[float]
    """Modified precisions of orders 1 to N; smoothed if the option ``smoothing`` is set."""
    brevity_penalty: float
    length_ratio: float
    """``translation_length / reference_length``; 0.0 if ``reference_length`` is 0."""
    translation_length: int
    """Number of tokens in all predictions."""
    reference_length: int | float
    """Sum of the effective reference lengths in tokens; an integer, except if ``reference_length="average"``."""
    counts: list[int]
    """Clipped matches of orders 1 to N, without smoothing."""
    totals: list[int]
    """Numbers of n-grams of orders 1 to N in the predictions. With ``total_floor="segment"``, each segment counts for
    at least 1."""
    signature: Signature
    """All settings that produced the score, as one line of text."""

    @property
    def sacrebleu_signature(self) -> str | None:
        """The signature that sacrebleu gives to this score, or None if sacrebleu cannot compute this score.

        Also None for an order other than 4, for weights that are passed, and for a smoothing value with more than two
        digits after the point, because sacrebleu's signature shows none of these; and for ``tokenizer="whitespace"``,
        which sacrebleu calls "none". The settings of the bootstrap are only in the ``signature`` of an
        `Interval`.

        >>> from bleu_metric import corpus_bleu
        >>> corpus_bleu(["a b c d"], ["a b c d"], "sacrebleu").sacrebleu_signature
        'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
        """
        return sacrebleu_signature(self.signature)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, as plain Python values.

        >>> from bleu_metric import corpus_bleu
        >>> corpus_bleu(["a b c d"], ["a b c d"]).to_dict()["counts"]
        [4, 3, 2, 1]
        """
        # `dataclasses.asdict` takes 20 times as long, because it copies every number
        return {name: [*value] if isinstance(value, list) else value for name, value in vars(self).items()}

    def keys(self) -> list[str]:
        """Return the names of the fields, so that ``dict(score)`` and ``{**score}`` work.

        >>> from bleu_metric import corpus_bleu
        >>> corpus_bleu(["a b c d"], ["a b c d"]).keys()[:2]
        ['bleu', 'precisions']
        """
        return list(vars(self))

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __getitem__(self, field: str) -> Any:
        """Return a field by name. Raise ``KeyError`` for an unknown name; the message suggests the most similar one."""
        if field not in vars(self):
            raise KeyError(unknown_message("field of a score", field, self.keys()))
        return vars(self)[field]

    if not TYPE_CHECKING:  # type checkers must not see `__getattr__`, or they would accept any attribute

        def __getattr__(self, name: str) -> Any:
            """Raise ``AttributeError``. For sacrebleu's name ``score``, the message suggests ``bleu``."""
            if name == "score":
                raise AttributeError("a BleuScore has no 'score'; did you mean .bleu? In percent: 100 * score.bleu")
            return object.__getattribute__(self, name)  # raises the usual error

    def __float__(self) -> float:
        """Return the score from 0 to 1."""
        return self.bleu

    def __format__(self, spec: str) -> str:
        """Format the score from 0 to 1 by `spec`. If `spec` is empty, return ``str(self)``."""
        return format(float(self), spec) if spec else str(self)

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return a list with one row: the fields, and sacrebleu's signature. In percent, only one of the signatures."""
        scale = 100 if in_percent else 1
        scores = {"bleu": scale * self.bleu, "precisions": [scale * precision for precision in self.precisions]}
        row = {**self.to_dict(), **scores, "sacrebleu_signature": self.sacrebleu_signature}
        return [row | {"signature": row.pop("sacrebleu_signature") or self.signature} if in_percent else row]

    def title(self, digits: int = 1) -> str:
        """Return the score in percent."""
        return f"BLEU {percent(self.bleu, digits)}"

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with the precision in percent and the matches of each n-gram order, and with the lengths.

        A precision is marked as smoothed if it is not the number of matches divided by the number of n-grams.
        """
        width = len(f"{max(self.totals):,}")
        heads, shown, reasons = [], [], []
        for order, (precision, n, total) in enumerate(zip(self.precisions, self.counts, self.totals, strict=True), 1):
            is_smoothed = percent(precision) != percent(n / max(total, 1))
            heads.append(f"{order}-grams")
            shown.append(f"{percent(precision)} %")
            reasons.append(f"{n:>{width},} of {total:>{width},}{', smoothed' * is_smoothed}")
        lengths = f"{amount(self.translation_length, 'token')}, reference {round(self.reference_length, 4):,}"
        return [
            Column("", [*heads, "penalty", "ratio"], is_text=True),
            Column("", [*shown, f"{self.brevity_penalty:.4f}", f"{self.length_ratio:.4f}"], shares=self.precisions),
            Column("", [*reasons, "", lengths], is_text=True),
        ]

    def to_markdown(self, digits: int = 1) -> str:
        """Return the score, its precisions and the parts of its brevity penalty as a table of one row in Markdown."""
        return markdown(self._one_row(digits))

    def to_latex(self, digits: int = 1, caption: str = "") -> str:
        """Return the table of `to_markdown` as LaTeX. `caption`: as for other results."""
        return latex(self._one_row(digits), caption, self.notes())

    def _one_row(self, digits: int) -> list[Column]:
        return [column._replace(in_papers=True) for column in Scores({"": self}).columns(digits)[1:]]

    def notes(self) -> list[str]:
        """Return the signature that `citation` shows."""
        return [self.sacrebleu_signature or self.signature]

    def __repr__(self) -> str:
        precisions = join_first([percent(precision) for precision in self.precisions])
        lengths = f"brevity penalty {self.brevity_penalty:.3f}, ratio {self.length_ratio:.3f}"
        return f"<{type(self).__name__} {percent(self.bleu)}: {precisions}, {lengths}>"

    def citation(self, interval: Any = None, digits: int = 1) -> Citation:
        """Return the score as text for a paper, in percent, with its signature.

        The signature is `sacrebleu_signature` if sacrebleu can compute the score and `interval` is None, and otherwise
        the signature of this package.

        Args:
            interval: the result of `bootstrap` for the same segments; None to cite the score alone.
            digits: number of digits after the decimal point.

        Returns:
            Two strings: ``sentence`` for the running text, and ``cell`` for a table.

        Raises:
            ValueError: the interval belongs to another score, or `digits` is not from 0 to 17.
            TypeError: `digits` is not an integer, or `interval` is not a result of `bootstrap`.

        >>> from bleu_metric import corpus_bleu
        >>> cited = corpus_bleu(["the cat sat on the mat"], ["the cat sat on a mat"]).citation()
        >>> cited.cell
        '53.7'
        >>> cited.sentence
        'BLEU 53.7, signature nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
        """
        digits = check_count("digits", digits, least=0, most=_MOST_DIGITS)

        cell, signature = percent(self.bleu, digits), self.sacrebleu_signature or self.signature
        if interval is not None:
            # `isinstance` is not possible, because the module of `Interval` imports this one
            if not hasattr(interval, "score"):
                raise TypeError(f"interval must be a result of bootstrap, got {short_repr(interval)}")
            if abs(interval.score - self.bleu) > _ROUNDING:
                raise ValueError(
                    f"the interval belongs to another score: {interval.score!r}, not {self.bleu!r}; call bootstrap "
                    "with the segments of this score"
                )
            signature = interval.signature  # with the settings of the bootstrap
            cell += f" {BLEU.brackets(interval.low, interval.high, digits)}"
        return Citation(f"BLEU {cell}, signature {signature}", cell)


def signature_of(config: BleuConfig, nrefs: tuple[int, int]) -> Signature:
    """Return the signature of a score: the number of references, as in "nrefs:2", and the signature of `config`.

    `nrefs`: the smallest and the largest number of references per segment; (0, 0) if unknown.
    """
    fewest, most = nrefs
    if fewest < most:
        return Signature(f"nrefs:var|{config.signature()}")
    return Signature(f"nrefs:{fewest or 'unknown'}|{config.signature()}")


_ROUNDING = 1e-12  # rounding errors of a score are smaller
_MOST_DIGITS = 17  # 17 significant digits identify a float; further digits have no meaning


class Citation(NamedTuple):
    """A score as two strings for a paper, in percent."""

    sentence: str
    """For the running text: ``BLEU``, the score, its interval if there is one, and its signature."""
    cell: str
    """For a table: the score, and its interval if there is one."""


CAVEAT = "A score compares only with scores of the same test set and the same signature."


OneScore = TypeVar("OneScore", bound=BleuScore)


class Scores(Result, dict[Any, OneScore]):
    """The base class of dicts from names to scores. ``print`` shows a table, in percent."""

    head = "system"
    """The heading of the names, and their key in `rows`."""
    _rows_compete = False
    """Whether the best score is bold."""

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per score, as plain Python values, e.g. for pandas."""
        return [{self.head: name, **score.rows(in_percent)[0]} for name, score in self.items()]

    def title(self, digits: int = 1) -> str:
        """Return the number of scores."""
        return f"BLEU of {amount(len(self), self.head)}"

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per score."""
        scores = list(self.values())
        precisions = ["/".join(map(percent, score.precisions)) for score in scores]
        best = max((score.bleu for score in scores), default=0.0)
        bold = [row for row, score in enumerate(scores) if self._rows_compete and score.bleu == best]
        return [
            Column(self.head, list(map(str, self)), is_text=True),
            Column("BLEU", [percent(score.bleu, digits) for score in scores], metric="BLEU", bold=bold),
            Column("precisions", precisions, is_text=True, in_papers=False),
            Column("penalty", [f"{score.brevity_penalty:.3f}" for score in scores], in_papers=False),
            Column("ratio", [f"{score.length_ratio:.3f}" for score in scores], in_papers=False),
        ]

    def notes(self) -> list[str]:
        """Return the signatures, each once."""
        return list(dict.fromkeys(score.notes()[-1] for score in self.values()))

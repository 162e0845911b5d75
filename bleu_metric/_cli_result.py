"""What ``score`` prints: one system, its interval, its sentences and its groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ._cli_tables import scores_table
from ._cli_views import Terminal, flat, numbered, score_text, sentences_text, to_json, tsv
from ._levels import GroupScore
from ._meaning import meaning
from ._score import BleuScore

if TYPE_CHECKING:
    from ._significance import Interval


class Result(NamedTuple):
    """The score of one system; what was not asked for is None."""

    system: str
    segments: int
    score: BleuScore
    interval: Interval | None
    sentences: list[Any] | None
    groups: Mapping[Any, GroupScore] | None

    def printed(self, form: str, terminal: Terminal) -> str:
        """Make the text, the JSON or the TSV of it."""
        return {"json": self._json, "tsv": self._tsv, "text": self._text}[form](terminal)

    def _json(self, _: Terminal) -> str:
        bleu = self.score.bleu
        about: dict[str, Any] = {"system": self.system, **self.score.to_dict(), "segments": self.segments}
        about["meaning"] = None if isinstance(bleu, list) else meaning(bleu)
        if self.interval is not None:
            about["interval"] = self.interval.to_dict()
            about["citation"] = None if isinstance(bleu, list) else self.score.citation(self.interval).sentence
        if self.groups is not None:
            about["groups"] = [{"group": label, **one.to_dict()} for label, one in self.groups.items()]
        return to_json(about if self.sentences is None else {**about, "sentence_bleu": self.sentences})

    def _tsv(self, terminal: Terminal) -> str:
        if self.sentences is not None:
            return tsv([{"line": line, **numbered("bleu", bleu)} for line, bleu in enumerate(self.sentences, 1)])
        if self.groups is not None:
            return scores_table(self.groups, "group", "tsv", terminal)
        row = {"system": self.system, **flat(self.score), "segments": self.segments}
        if self.interval is not None:
            for key in ("low", "high", "mean", "half_width"):
                row.update(numbered(key, getattr(self.interval, key)))
            row.update({key: getattr(self.interval, key) for key in ("confidence", "n_resamples", "seed")})
            row["interval_signature"] = self.interval.signature
        return tsv([row])

    def _text(self, terminal: Terminal) -> str:
        parts = [] if self.sentences is None else [sentences_text(self.sentences)]
        parts.append(score_text(self.score, self.segments, self.interval, terminal))
        if self.groups is not None:
            parts += ["", scores_table(self.groups, "group", "text", terminal)]
        return "\n".join(parts)

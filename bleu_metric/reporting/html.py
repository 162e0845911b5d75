"""Pieces of HTML for the report and the page: a score, a table of scores, a table of sentences.

Put them into an element of class ``bleu-metric``, with `STYLE` and `SCRIPT` of `_style.py` in the page. Jinja2 escapes
whatever comes from data; characters that cannot be seen are shown by signs.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from .._bootstrap import Interval
from .._display import CAVEAT, escape_controls, meaning
from .._score import BleuScore
from ..comparison.result import Comparison
from .sentences import Sentence
from .style import AS_THE_SYSTEM, SCRIPT, STYLE
from .templates import REPORT, SCORE, SCORES, SENTENCES

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_FEW = 3  # systems whose scores can stand in columns of their own
Table = tuple[str, str, str]  # heading, note, HTML


def score_panel(score: BleuScore, name: str = "", interval: Interval | None = None) -> str:
    """One score in percent, what it means, and its parts; `name`: of the system."""
    bleu = score.bleu if isinstance(score.bleu, list) else [score.bleu]
    return _render(SCORE, score=score, name=name, bleu=bleu, interval=interval, meaning=meaning, caveat=CAVEAT)


def system_table(scores: Mapping[str, BleuScore], comparison: Comparison | None = None) -> str:
    """A row per system; they share a signature, which is left out. `comparison`: of the same systems."""
    compared = {} if comparison is None else {one.name: one for one in (comparison.baseline, *comparison.systems)}
    return _render(SCORES, scores=scores, what="System", signatures=False, comparison=comparison, compared=compared)


def dialect_table(scores: Mapping[str, BleuScore]) -> str:
    """A row per dialect, as from `score_dialects`."""
    return _render(SCORES, scores=scores, what="Dialect", signatures=True, comparison=None)


def sentence_table(rows: Sequence[Sentence], systems: Sequence[str] = ("",), max_order: int = 4) -> str:
    """Sentences of the systems, with the n-grams that matched; each number sorts by a click.

    `rows`: from `_sentences.sentences`. `systems`: their names, in the same order; ``""`` for the one that needs none.
    """
    numbers = [row.number for row in rows]
    about = {"systems": systems, "headings": _headings(systems), "numbers_of": _numbers, "beside": len(systems) > _FEW}
    order = {"orders": min(max_order, 4), "more": max_order > 4, "ordered": numbers == sorted(numbers)}
    return _render(SENTENCES, rows=rows, **about, **order)


def _headings(systems: Sequence[str]) -> list[str]:
    if len(systems) > _FEW:
        return ["Mean", "Range"]
    return [*(system or "BLEU" for system in systems), *(["Difference"] if len(systems) == 2 else [])]


def _numbers(scores: list[float]) -> list[float]:
    """What stands under the headings, in one sentence's row."""
    if len(scores) > _FEW:
        return [sum(scores) / len(scores), max(scores) - min(scores)]
    return [*scores, scores[1] - scores[0]] if len(scores) == 2 else scores


def report_page(
    title: str,
    about: Sequence[str],
    scores: Sequence[str],
    pictures: Sequence[tuple[str, str]],
    tables: Sequence[Table],
) -> str:
    """A whole page.

    `scores`, the second of each picture and the third of each table are HTML, the rest is text.
    """
    import hashlib  # here, as it loads OpenSSL: 3 ms that every import of the package would take

    parts = {"about": about, "scores": scores, "pictures": pictures, "tables": tables}
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    return _render(REPORT, title=title, style=STYLE + AS_THE_SYSTEM, script=SCRIPT, digest=digest, **parts)


def _render(source: str, **values: Any) -> str:
    return _template(source).render(values)


@cache
def _template(source: str) -> Template:
    return environment().from_string(source)


@cache
def environment() -> Environment:
    """Jinja2, set so that nothing of the data becomes markup."""
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        raise ImportError('HTML needs Jinja2: pip install "bleu_metric[report]"') from error
    html = Environment(autoescape=True, undefined=StrictUndefined, finalize=_shown)
    html.filters |= _FORMATS
    return html


_FORMATS = {
    "percent": lambda share, digits: f"{100 * share:.{digits}f}",
    "signed": lambda share, digits: f"{100 * share:+.{digits}f}",
    "decimal": lambda number, digits: f"{number:.{digits}f}",
    "share": lambda share: f"{100 * share:g}",
    "grouped": lambda number: f"{round(number, 4):,}",
}


def _shown(value: Any) -> Any:
    return (
        escape_controls(value) if type(value) is str else value
    )  # Markup, a class derived from str, is the templates' own

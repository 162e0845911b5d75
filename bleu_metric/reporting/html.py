"""Pieces of HTML for the report and for the Space's page: a score, a table of scores, a table of sentences.

A piece belongs into an element of class ``bleu-metric``, in a page with `page_style` and `page_script`. Jinja escapes
whatever comes from data, and signs stand for control characters. The templates are files in ``templates``.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from .._bootstrap import Interval
from .._config import BleuConfig
from .._display import CAVEAT, escape_controls, meaning
from .._score import BleuScore
from .._zero_score import why_zero
from ..comparison.result import Comparison
from .sentences import Sentence

if TYPE_CHECKING:
    from jinja2 import Environment

_MOST_COLUMNS = 3  # systems whose scores have a column each
_MARKED_ORDERS = 4  # the style sheet has a mark for orders 1 to 4

Table = tuple[str, str, str]  # heading, note, HTML


def score_panel(score: BleuScore, name: str = "", interval: Interval | None = None) -> str:
    """Show one score in percent, what it means, and its parts; `name` is that of the system."""
    bleu = score.bleu if isinstance(score.bleu, list) else [score.bleu]
    return _render(
        "score_panel",
        score=score,
        name=name,
        bleu=bleu,
        interval=interval,
        meaning=meaning,
        caveat=CAVEAT,
    )


def zero_notes(scores: Mapping[str, BleuScore], config: BleuConfig) -> list[str]:
    """Say of each system whose score one order makes 0 why that is, and what helps."""
    causes = {name: why_zero(system_score, config) for name, system_score in scores.items()}
    return [f"{name}: {cause.message()}." if name else f"{cause.message()}." for name, cause in causes.items() if cause]


def system_table(scores: Mapping[str, BleuScore], comparison: Comparison | None = None) -> str:
    """Make a table with a row per system, and with the results of a comparison of the same systems.

    All systems have the same signature, which the table leaves out.
    """
    compared = {}
    if comparison is not None:
        compared = {system.name: system for system in (comparison.baseline, *comparison.systems)}
    return _render(
        "score_table",
        scores=scores,
        first_heading="System",
        signatures=False,
        comparison=comparison,
        compared=compared,
    )


def dialect_table(scores: Mapping[str, BleuScore]) -> str:
    """Make a table with a row per dialect of the scores that `score_dialects` gives."""
    return _render("score_table", scores=scores, first_heading="Dialect", signatures=True, comparison=None)


def sentence_table(rows: Sequence[Sentence], systems: Sequence[str] = ("",), max_order: int = 4) -> str:
    """Make a table of sentences with their matched n-grams marked; a click on a heading sorts it.

    Args:
        rows: as `read_sentences` gives them.
        systems: names of the systems, in the order of their predictions; ``""`` for one without a name.
        max_order: the highest order that was counted.
    """
    numbers = [row.number for row in rows]
    return _render(
        "sentence_table",
        rows=rows,
        systems=systems,
        headings=_score_headings(systems),
        numbers_of=_score_columns,
        score_by_name=len(systems) > _MOST_COLUMNS,
        marked_orders=min(max_order, _MARKED_ORDERS),
        higher_orders=max_order > _MARKED_ORDERS,
        ascending=numbers == sorted(numbers),
    )


def _score_headings(systems: Sequence[str]) -> list[str]:
    """Headings of the columns that `_score_columns` fills."""
    if len(systems) > _MOST_COLUMNS:
        return ["Mean", "Range"]
    headings = [system or "BLEU" for system in systems]
    return [*headings, "Difference"] if len(systems) == 2 else headings


def _score_columns(scores: list[float]) -> list[float]:
    """Numbers in the row of one sentence: the score of each system, or a summary of the scores of many."""
    if len(scores) > _MOST_COLUMNS:
        mean = sum(scores) / len(scores)
        return [mean, max(scores) - min(scores)]
    if len(scores) == 2:
        first, second = scores
        return [first, second, second - first]
    return scores


def report_page(
    title: str,
    about: Sequence[str],
    scores: Sequence[str],
    pictures: Sequence[tuple[str, str]],
    tables: Sequence[Table],
) -> str:
    """Make a whole page that loads nothing.

    Args:
        title: text.
        about: paragraphs of text.
        scores: HTML of panels and tables.
        pictures: name and ``<svg>`` element of each.
        tables: heading, note and HTML of each table of sentences.
    """
    import hashlib  # here, as it loads OpenSSL: 3 ms that every import of the package would take

    script = page_script()
    script_hash = hashlib.sha256(script.encode()).digest()
    return _render(
        "report",
        title=title,
        about=about,
        scores=scores,
        pictures=pictures,
        tables=tables,
        style=page_style(),
        script=script,
        script_digest=base64.b64encode(script_hash).decode(),
    )


def page_style() -> str:
    """The style sheet of all pieces (CSS)."""
    return _read_file("style.css")


def page_script() -> str:
    """The script that sorts the tables (JavaScript)."""
    return _read_file("script.js")


def _read_file(name: str) -> str:
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


def _render(template: str, **values: Any) -> str:
    return environment().get_template(f"{template}.html.jinja").render(values)


@cache
def environment() -> Environment:
    """Make Jinja's environment, in which no data becomes markup."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise ImportError('HTML needs Jinja2: pip install "bleu_metric[report]"') from error
    loader = PackageLoader(__package__, "templates")
    jinja = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, finalize=_escape_data)
    jinja.filters |= _FILTERS
    return jinja


def _escape_data(value: Any) -> Any:
    is_data = isinstance(value, str) and not hasattr(value, "__html__")  # what the templates themselves make has it
    return escape_controls(value) if is_data else value


def _percent(value: float, digits: int) -> str:
    return f"{100 * value:.{digits}f}"


def _signed_percent(value: float, digits: int) -> str:
    return f"{100 * value:+.{digits}f}"


def _short_percent(value: float) -> str:
    return f"{100 * value:g}"


def _decimal(value: float, digits: int) -> str:
    return f"{value:.{digits}f}"


def _with_commas(value: float) -> str:
    return f"{round(value, 4):,}"


_FILTERS = {
    "percent": _percent,
    "signed_percent": _signed_percent,
    "short_percent": _short_percent,
    "decimal": _decimal,
    "with_commas": _with_commas,
}

"""Pieces of HTML for the report and for the Space's page: a score, tables of scores, a list of sentences.

A piece belongs into an element of class ``bleu-metric``, in a page with `page_style` and `page_script`. Jinja escapes
whatever comes from data, and signs stand for control characters. The templates are files in ``templates``.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from .._bootstrap import Interval
from .._config import BleuConfig
from .._display import as_list, escape_controls
from .._score import CAVEAT, BleuScore, meaning
from .._zero_score import why_zero
from ..comparison.ranking import Ranking, finding
from .axis import Axis
from .sentences import Sentence

if TYPE_CHECKING:
    from jinja2 import Environment

_PAGE_SIZE = 20  # sentences
_MARKED_ORDERS = 4  # the style sheet has a mark for orders 1 to 4


def score_panel(score: BleuScore, name: str = "", interval: Interval | None = None) -> str:
    """Show one score in percent, what it means, and its parts. `name` is that of the system."""
    bleu = as_list(score.bleu)
    return _render("score_panel", score=score, name=name, bleu=bleu, interval=interval, meaning=meaning, caveat=CAVEAT)


def zero_notes(scores: Mapping[str, BleuScore], config: BleuConfig) -> list[str]:
    """Say of each system whose score one order makes 0 why that is, and what helps."""
    causes = {name: why_zero(system_score, config) for name, system_score in scores.items()}
    return [
        isolate_names(f"{name}: {cause.message()}.", [name]) if name else f"{cause.message()}."
        for name, cause in causes.items()
        if cause
    ]


def isolate_names(text: str, names: Iterable[str]) -> str:
    """Put right-to-left names in a sentence into ``<bdi>``: numbers and signs beside a name then keep their places.

    Names are found by their letters: an English sentence has no right-to-left letters of its own.

    >>> str(isolate_names("A < B", ["A"])), str(isolate_names("\u05d0 < B: 1", ["\u05d0", "B"]))
    ('A < B', '<bdi>\u05d0</bdi> &lt; B: 1')
    """
    isolated = sorted((name for name in names if _is_right_to_left(name)), key=len, reverse=True)
    if not isolated:
        return text
    from markupsafe import Markup, escape

    pieces = re.split(f"({'|'.join(map(re.escape, isolated))})", text)
    html = [escape(escape_controls(piece)) for piece in pieces]
    html[1::2] = [Markup("<bdi>{}</bdi>").format(name) for name in html[1::2]]  # every second piece is a name
    return Markup("").join(html)


def _is_right_to_left(name: str) -> bool:
    """Return whether a name has letters or digits of a right-to-left script."""
    return any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in name)


def system_summary(ranking: Ranking, notes: Sequence[str] = ()) -> str:
    """Show the systems in order of their scores: error bars, and beside them the difference to the baseline.

    Args:
        ranking: as `rank_systems` gives them.
        notes: paragraphs of text that a reader needs before the numbers.
    """
    intervals = [system.interval for system in ranking.systems if system.interval]
    differences = [system.difference for system in ranking.systems if system.difference]
    ranges = [(difference.low, difference.high) for difference in differences]
    comparison = ranking.comparison
    return _render(
        "summary",
        systems=ranking.systems,
        baseline=ranking.baseline,
        about=isolate_names(comparison.about(), [ranking.baseline]) if comparison else "",
        level=comparison.confidence if comparison else 0,
        has_verdicts=bool(comparison and not comparison.has_too_few_segments),
        finding=isolate_names(finding(ranking), [system.name for system in ranking.systems]),
        notes=notes,
        caveat=CAVEAT,
        scores_axis=Axis.of([(float(interval.low), float(interval.high)) for interval in intervals]),
        differences_axis=Axis.of([(0, 0), *ranges] if ranges else []),
    )


def part_table(scores: Mapping[str, BleuScore]) -> str:
    """Make a table with a row per system of what its score is made of; a click on a heading sorts it."""
    orders = len(next(iter(scores.values())).precisions)
    label = "Table of the parts"
    return _render("score_table", scores=scores, first_heading="System", label=label, parts=True, orders=orders)


def dialect_table(scores: Mapping[str, BleuScore]) -> str:
    """Make a table with a row per dialect of the scores that `score_dialects` gives."""
    label = "Scores by dialect"
    return _render("score_table", scores=scores, first_heading="Dialect", label=label, parts=False)


def sentence_list(rows: Sequence[Sentence], systems: Sequence[str] = ("",), max_order: int = 4) -> str:
    """Make a list of sentences, outputs and references, to be searched, filtered, ordered and paged.

    Args:
        rows: as `read_sentences` gives them.
        systems: names of the systems, in the order of their predictions, the baseline first; ``""`` for one without a
            name.
        max_order: the highest order that was counted.
    """
    return _render(
        "sentence_list",
        rows=rows,
        systems=systems,
        orders=_sentence_orders(systems),
        page_size=_PAGE_SIZE,
        first_status=f"{1 if rows else 0}–{min(len(rows), _PAGE_SIZE):,} of {len(rows):,}",
        marked_orders=min(max_order, _MARKED_ORDERS),
        higher_orders=max_order > _MARKED_ORDERS,
    )


def _sentence_orders(systems: Sequence[str]) -> list[tuple[str, str]]:
    """Name the orders of sentences: the value that the script knows, and its text."""
    orders = [("number", "as in the files"), ("low", "lowest score first"), ("high", "highest score first")]
    if len(systems) == 1:
        return orders
    baseline = systems[0]
    orders += [("gain", f"most above {baseline} first"), ("loss", f"most below {baseline} first")]
    return [*orders, ("range", "largest range first")] if len(systems) > 2 else orders


def settings(facts: Sequence[tuple[str, Sequence[str]]], copied: Mapping[str, str]) -> str:
    """List what was scored, when and how.

    Args:
        facts: names and their values.
        copied: names and texts that have a button to copy them, such as the signature, or lines of code.
    """
    lines = {name: text.split("\n") for name, text in copied.items()}
    return _render("settings", facts=facts, copied=lines)


def pictures(drawn: Sequence[tuple[str, str, str]]) -> str:
    """Put pictures side by side: heading, note and ``<svg>`` element of each."""
    return _render("pictures", drawn=drawn)


class Section(NamedTuple):
    """One part of a page, which its table of contents names."""

    anchor: str
    heading: str
    html: str
    notes: Sequence[str] = ()


def report_page(title: str, subtitle: str, sections: Sequence[Section]) -> str:
    """Make a whole page that loads nothing.

    Args:
        title: text.
        subtitle: text.
        sections: in their order.
    """
    import hashlib  # here, as it loads OpenSSL: 3 ms that every import of the package would take

    script = page_script()
    script_hash = hashlib.sha256(script.encode()).digest()
    return _render(
        "report",
        title=title,
        subtitle=subtitle,
        sections=sections,
        style=page_style(),
        script=script,
        script_digest=base64.b64encode(script_hash).decode(),
    )


def page_style() -> str:
    """Read the style sheet of all pieces (CSS)."""
    return _read_file("style.css")


def page_script() -> str:
    """Read the script that sorts tables and searches sentences (JavaScript)."""
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


_FILTERS = {
    "percent": lambda value, digits: f"{100 * value:.{digits}f}",
    "signed_percent": lambda value, digits: f"{100 * value:+.{digits}f}",
    "short_percent": lambda value: f"{100 * value:g}",
    "decimal": lambda value, digits: f"{value:.{digits}f}",
    "with_commas": lambda value: f"{round(value, 4):,}",
    "sentence": lambda text: text[:1].upper() + text[1:],  # begins with a capital letter
}

"""HTML fragments for the report and for the demo on Hugging Face Spaces: a score, tables, a list of sentences.

Put a fragment into an element of class ``bleu-metric``. The page must contain the style sheet of `page_style` and the
script of `page_script`. Jinja escapes all data. Visible symbols replace control characters in the data. The templates
are files in ``templates``.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from .._config import BleuConfig
from .._display import as_list, equation, escape_controls, percent, signed_percent
from .._score import CAVEAT, BleuScore, meaning
from .._zero_score import why_zero
from ..comparison.ranking import Ranking, headline, verdict, verdicts
from ..comparison.result import about_test
from .axis import Axis, Bounded
from .lengths import Bucket
from .sentences import MARKED_ORDERS, Sentence, as_json

_PAGE_SIZE = 20  # number of sentences that the list shows at once


def score_panel(score: BleuScore, digits: int = 1, has_headline: bool = True) -> str:
    """Return HTML that shows one score in percent, its meaning and its parts.

    Without `has_headline`, the fragment leaves out the score itself, so the page must show it.
    """
    return _render(
        "score_panel",
        score=score,
        bleu=as_list(score.bleu),
        digits=digits,
        has_headline=has_headline,
        meaning=meaning,
        caveat=CAVEAT,
    )


def zero_notes(scores: Mapping[str, BleuScore], config: BleuConfig) -> list[str]:
    """Return one note for each score that is 0 because an n-gram order has no match.

    A note names the system, the cause and the options that give a score above 0.
    """
    causes = {name: why_zero(system_score, config) for name, system_score in scores.items()}
    return [
        isolate_names(f"{name}: {cause}.", [name]) if name else f"{cause}." for name, cause in causes.items() if cause
    ]


def isolate_names(text: str, names: Iterable[str]) -> str:
    """Return a sentence as HTML, with each right-to-left name in a ``<bdi>`` element.

    Without this element, browsers would reorder the numbers and signs beside the name. If no name is right-to-left,
    the sentence is returned unchanged. Names are found by a text search. This is safe, because the words around them
    are English and have no right-to-left letters.

    >>> str(isolate_names("A < B", ["A"])), str(isolate_names("\u05d0 < B: 1", ["\u05d0", "B"]))
    ('A < B', '<bdi>\u05d0</bdi> &lt; B: 1')
    """
    isolated = sorted((name for name in names if _is_right_to_left(name)), key=len, reverse=True)
    if not isolated:
        return text
    from markupsafe import Markup, escape

    pieces = re.split(f"({'|'.join(map(re.escape, isolated))})", text)
    html = [escape(escape_controls(piece)) for piece in pieces]
    html[1::2] = [Markup("<bdi>{}</bdi>").format(name) for name in html[1::2]]  # re.split puts the names at odd indices
    return Markup("").join(html)


def _is_right_to_left(name: str) -> bool:
    """Return whether a name has letters or digits of a right-to-left script."""
    return any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in name)


def finding(ranking: Ranking, digits: int = 1) -> tuple[str, str]:
    """Return the headline of a page, and a text that names the systems that differ from the baseline."""
    names = ranking.names
    return isolate_names(headline(ranking, digits), names), isolate_names(verdicts(ranking), names)


def system_summary(ranking: Ranking, notes: Sequence[str] = (), digits: int = 1, worst: str = "") -> str:
    """Return an HTML table of the systems from best to worst, with their scores and differences from the baseline.

    Args:
        ranking: the result of `rank_systems`.
        notes: paragraphs of text to show above the table.
        digits: number of decimals of the scores, which are in percent.
        worst: a sentence to show below the table, written by `worst_note`.
    """
    comparison = ranking.comparison
    return _render(
        "summary",
        systems=ranking.systems,
        baseline=ranking.baseline,
        about=isolate_names(about_test(comparison), [ranking.baseline]) if comparison else "",
        level=comparison.confidence if comparison else 0,
        has_verdicts=bool(comparison and not comparison.has_too_few_segments),
        verdict_of=verdict,
        notes=notes,
        worst=worst,
        digits=digits,
        caveat=CAVEAT,
        scores_axis=_axis_of([system.interval for system in ranking.systems if system.interval]),
        differences_axis=_differences_axis(ranking.differences()),
    )


def _axis_of(ranges: Sequence[Any]) -> Axis | None:
    return Axis.of(ranges) if ranges else None


def _differences_axis(differences: Sequence[Any]) -> Axis | None:
    """Build an axis that shows all differences and 0. Return None if there are no differences."""
    return _axis_of([Bounded(0, 0, 0), *differences]) if differences else None


def worst_note(name: str, other: str, bucket: Bucket | None, difference: float, rows: Sequence[int]) -> str:
    """Return one sentence as HTML: at which reference lengths and in which sentences a system loses most to another.

    Args:
        name: the system.
        other: the system that it loses to.
        bucket: the segments with the reference lengths at which it loses most, or None if it loses at none.
        difference: the system's score in these segments minus the other system's score.
        rows: numbers of the sentences with the largest losses, counted from 1. They become links, so the page must list
            these sentences.
    """
    return _render("worst", name=name, other=other, bucket=bucket, difference=difference, rows=rows)


class Distribution(NamedTuple):
    """The distribution of the sentence scores of a system."""

    median: float
    zeros: int
    percents: Sequence[float]
    """The percentages of sentences in bins of equal width, from the lowest scores to the highest."""

    @property
    def path(self) -> str:
        """Return the outline of the histogram as the data of an SVG path, in a square of 100 by 100 units."""
        tallest = max(self.percents) or 1.0
        width = 100 / len(self.percents)
        corners = []
        for number, share in enumerate(self.percents, 1):
            top = 100 - 95 * share / tallest  # SVG measures from the top
            right = width * number
            corners.append(f"V{top:.1f}H{right:g}")
        return f"M0 100{''.join(corners)}V100Z"


class Shown(NamedTuple):
    """The systems of a page, and how their numbers are shown."""

    names: Sequence[str]  # ``""`` is a system without a name
    baseline: int  # index of the system that the others are compared with
    confidence: float  # confidence level of the intervals
    digits: int = 1  # digits after the decimal point of scores in percent


def charts(buckets: Sequence[Bucket], distributions: Sequence[Distribution], shown: Shown) -> str:
    """Return two charts as HTML: scores by reference length, and the distribution of each system's sentence scores.

    Args:
        buckets: the result of `score_lengths`.
        distributions: one distribution per system.
        shown: the systems.
    """
    axis = Axis(0.0, 1.0, 0.25)
    return _render("charts", distributions=distributions, axis=axis, **_bucket_values(buckets, shown))


def group_table(groups: Sequence[Bucket], shown: Shown) -> str:
    """Return an HTML table with one row per group and one column per system. `groups`: from `score_buckets`."""
    return _render("groups", **_bucket_values(groups, shown))


def _bucket_values(buckets: Sequence[Bucket], shown: Shown) -> dict[str, Any]:
    """Return what the templates need to draw the scores and differences of buckets."""
    scores = [bounded for bucket in buckets for bounded in bucket.scores]
    differences = [bounded for bucket in buckets for bounded in bucket.differences if bounded]
    return {
        "buckets": buckets,
        "names": shown.names,
        "baseline": shown.names[shown.baseline],
        "level": shown.confidence,
        "digits": shown.digits,
        "scores_axis": _axis_of(scores),
        "differences_axis": _differences_axis(differences),
    }


def part_table(scores: Mapping[str, BleuScore], baseline: str, digits: int = 1) -> str:
    """Return an HTML table with the parts of each system's score. A click on a heading sorts the table."""
    orders = len(next(iter(scores.values())).precisions)
    label = "Table of the parts"
    return _render(
        "score_table",
        scores=scores,
        baseline=baseline,
        first_heading="System",
        label=label,
        parts=True,
        orders=orders,
        digits=digits,
    )


def dialect_table(scores: Mapping[str, BleuScore], digits: int = 1) -> str:
    """Return an HTML table with one row per dialect. `scores`: the result of `score_dialects`."""
    label = "Scores by dialect"
    return _render("score_table", scores=scores, first_heading="Dialect", label=label, parts=False, digits=digits)


def sentence_list(rows: Sequence[Sentence], systems: Sequence[str] = ("",), max_order: int = 4, digits: int = 1) -> str:
    """Return an HTML list of sentences with outputs and references, which readers can search, filter and sort.

    Args:
        rows: the result of `read_sentences`.
        systems: names of the systems in the order of each sentence's predictions, the baseline first. ``""`` is a
            system without a name.
        max_order: the highest n-gram order that was counted.
        digits: digits after the decimal point of scores in percent.
    """
    return _render(
        "sentence_list",
        rows=json.dumps(as_json(rows), ensure_ascii=False, separators=(",", ":")),
        systems=systems,
        orders=_sentence_orders(systems),
        page_size=_PAGE_SIZE,
        digits=digits,
        marked_orders=min(max_order, MARKED_ORDERS),
        higher_orders=max_order > MARKED_ORDERS,
    )


def _sentence_orders(systems: Sequence[str]) -> list[tuple[str, str]]:
    """Return the orders in which a page can sort sentences, the default first: pairs of a script value and a label."""
    orders = [("low", "lowest score"), ("high", "highest score"), ("number", "as in the files")]
    if len(systems) == 1:
        return [("cost", "largest loss"), *orders]
    baseline = systems[0]
    of_baseline = [("gain", f"largest gain over {baseline}"), ("loss", f"largest loss to {baseline}")]
    return [("range", "largest effect"), *of_baseline, *orders]


def settings(facts: Sequence[tuple[str, Sequence[str]]], copied: Mapping[str, str]) -> str:
    """Return an HTML list of files, date and settings.

    Args:
        facts: pairs of a name and its values, e.g. ``("Segments", ["2,000"])``.
        copied: name -> text that has a button to copy it, e.g. the signature or lines of code.
    """
    lines = {name: text.split("\n") for name, text in copied.items()}
    return _render("settings", facts=facts, copied=lines)


class Section(NamedTuple):
    """One part of a page. The table of contents links to it."""

    anchor: str
    heading: str
    html: str
    notes: Sequence[str] = ()


def report_page(title: str, subtitle: str, found: tuple[str, str], sections: Sequence[Section]) -> str:
    """Return a complete HTML page that loads no other files.

    Args:
        title: title, as text.
        subtitle: text beside the title, e.g. the number of segments.
        found: the headline and the sentence below it, from `finding`.
        sections: the parts of the page, in order.
    """
    import hashlib  # imported here because it loads OpenSSL, which would add 3 ms to every import of the package

    script = page_script()
    script_hash = hashlib.sha256(script.encode()).digest()
    return _render(
        "report",
        title=title,
        subtitle=subtitle,
        headline=found[0],
        verdicts=found[1],
        sections=sections,
        style=page_style(),
        script=script,
        script_digest=base64.b64encode(script_hash).decode(),
    )


def page_style() -> str:
    """Return the style sheet (CSS) that all fragments need."""
    return _read_file("style.css")


def page_script() -> str:
    """Return the script (JavaScript) that sorts tables and shows the list of sentences."""
    return _read_file("script.js")


def _read_file(name: str) -> str:
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(f"{template}.html.jinja").render(values)


@cache
def _environment() -> Environment:
    """Return the Jinja environment of the templates, which escapes all data."""
    loader = PackageLoader(__package__, "templates")
    jinja = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, finalize=_escape_data)
    jinja.filters |= _FILTERS
    return jinja


def _escape_data(value: Any) -> Any:
    is_data = isinstance(value, str) and not hasattr(value, "__html__")  # HTML from a template has __html__
    return escape_controls(value) if is_data else value


_FILTERS = {
    "percent": percent,
    "signed_percent": signed_percent,
    "equation": equation,
    "short_percent": lambda value: f"{100 * value:g}",
    "decimal": lambda value, digits: f"{value:.{digits}f}",
    "with_commas": lambda value: f"{round(value, 4):,}",
    "sentence": lambda text: text[:1].upper() + text[1:],  # Jinja's `capitalize` would lower the other letters
}

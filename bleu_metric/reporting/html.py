"""Pieces of HTML for the report and for the Space's page: a score, tables of scores, a list of sentences.

A piece belongs into an element of class ``bleu-metric``, in a page with `page_style` and `page_script`. Jinja escapes
whatever comes from data, and signs stand for control characters. The templates are files in ``templates``.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from .._config import BleuConfig
from .._display import as_list, equation, escape_controls, signed_percent
from .._score import CAVEAT, BleuScore, meaning
from .._zero_score import why_zero
from ..comparison.ranking import Ranking, headline, verdict, verdicts
from .axis import Axis
from .lengths import Bounded, LengthBucket
from .sentences import MARKED_ORDERS, Sentence, as_json

if TYPE_CHECKING:
    from jinja2 import Environment

_PAGE_SIZE = 20  # sentences


def score_panel(score: BleuScore, digits: int = 1, has_headline: bool = True) -> str:
    """Show one score in percent, what it means, and its parts; without a headline where the page has one."""
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


def finding(ranking: Ranking, digits: int = 1) -> tuple[str, str]:
    """Return what was found: the headline of a page, and which systems differ from the baseline."""
    names = [system.name for system in ranking.systems]
    return isolate_names(headline(ranking, digits), names), isolate_names(verdicts(ranking), names)


def system_summary(ranking: Ranking, notes: Sequence[str] = (), digits: int = 1, worst: str = "") -> str:
    """Show the systems in order of their scores, with the differences to the baseline.

    Args:
        ranking: as `rank_systems` gives them.
        notes: paragraphs of text that a reader needs before the numbers.
        digits: of scores in percent, after the decimal point.
        worst: a sentence on where the lowest system loses, as HTML.
    """
    comparison = ranking.comparison
    return _render(
        "summary",
        systems=ranking.systems,
        baseline=ranking.baseline,
        about=isolate_names(comparison.about(), [ranking.baseline]) if comparison else "",
        level=comparison.confidence if comparison else 0,
        has_verdicts=bool(comparison and not comparison.has_too_few_segments),
        verdict_of=verdict,
        notes=notes,
        worst=worst,
        digits=digits,
        caveat=CAVEAT,
        scores_axis=Axis.of([system.interval for system in ranking.systems if system.interval]),
        differences_axis=_differences_axis(ranking.differences()),
    )


def _differences_axis(differences: Sequence[Any]) -> Axis | None:
    """Choose an axis that has room for all differences and for none; None where there is nothing to compare."""
    return Axis.of([Bounded(0, 0, 0), *differences]) if differences else None


def worst_note(name: str, other: str, bucket: LengthBucket | None, difference: float, rows: Sequence[int]) -> str:
    """Say where a system loses most to another: in which segments by length, and in which sentences.

    Args:
        name: the system.
        other: the system that it loses to.
        bucket: the segments in which it loses most; None where it loses nowhere.
        difference: how much it loses in these.
        rows: the numbers of the sentences with the largest losses, which the page lists.
    """
    return _render("worst", name=name, other=other, bucket=bucket, difference=difference, rows=rows)


class Distribution(NamedTuple):
    """How the sentence scores of a system are distributed."""

    median: float
    zeros: int
    percents: Sequence[float]
    """Of the sentences in bins of equal width, from the lowest scores to the highest."""

    @property
    def path(self) -> str:
        """The outline of the histogram, 100 wide and 100 high."""
        tallest = max(self.percents) or 1.0
        width = 100 / len(self.percents)
        steps = (
            f"V{100 - 95 * share / tallest:.1f}H{width * number:g}" for number, share in enumerate(self.percents, 1)
        )
        return f"M0 100{''.join(steps)}V100Z"


def charts(
    names: Sequence[str],
    baseline: int,
    buckets: Sequence[LengthBucket],
    distributions: Sequence[Distribution],
    confidence: float,
    digits: int = 1,
) -> str:
    """Show the scores by reference length and the distributions of the sentence scores, with a row for each system.

    Args:
        names: of the systems; ``""`` for one without a name.
        baseline: which of them the others are compared with.
        buckets: as `score_lengths` gives them.
        distributions: of the systems.
        confidence: level of the intervals.
        digits: of scores in percent, after the decimal point.
    """
    differences = [bounded for bucket in buckets for bounded in bucket.differences if bounded]
    return _render(
        "charts",
        names=names,
        baseline=names[baseline],
        buckets=buckets,
        distributions=distributions,
        level=confidence,
        digits=digits,
        axis=Axis(0.0, 1.0, 0.25),
        scores_axis=Axis.of([bounded for bucket in buckets for bounded in bucket.scores]),
        differences_axis=_differences_axis(differences),
    )


def part_table(scores: Mapping[str, BleuScore], baseline: str, digits: int = 1) -> str:
    """Make a table with a row per system of what its score is made of; a click on a heading sorts it."""
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
    """Make a table with a row per dialect of the scores that `score_dialects` gives."""
    label = "Scores by dialect"
    return _render("score_table", scores=scores, first_heading="Dialect", label=label, parts=False, digits=digits)


def sentence_list(rows: Sequence[Sentence], systems: Sequence[str] = ("",), max_order: int = 4, digits: int = 1) -> str:
    """Make a list of sentences, outputs and references, to be searched, filtered, ordered and paged.

    Args:
        rows: as `read_sentences` gives them.
        systems: names of the systems, in the order of their predictions, the baseline first; ``""`` for one without a
            name.
        max_order: the highest order that was counted.
        digits: of scores in percent, after the decimal point.
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
    """Name the orders of sentences, the first one first: the value that the script knows, and its text."""
    orders = [("low", "lowest score first"), ("high", "highest score first"), ("number", "as in the files")]
    if len(systems) == 1:
        return orders
    baseline = systems[0]
    of_baseline = [("gain", f"most above {baseline} first"), ("loss", f"most below {baseline} first")]
    return [("range", "largest differences first"), *of_baseline, *orders]


def settings(facts: Sequence[tuple[str, Sequence[str]]], copied: Mapping[str, str]) -> str:
    """List what was scored, when and how.

    Args:
        facts: names and their values.
        copied: names and texts that have a button to copy them, such as the signature, or lines of code.
    """
    lines = {name: text.split("\n") for name, text in copied.items()}
    return _render("settings", facts=facts, copied=lines)


class Section(NamedTuple):
    """One part of a page, which its table of contents names."""

    anchor: str
    heading: str
    html: str
    notes: Sequence[str] = ()


def report_page(title: str, subtitle: str, found: tuple[str, str], sections: Sequence[Section]) -> str:
    """Make a whole page that loads nothing.

    Args:
        title: text.
        subtitle: text beside it.
        found: the headline and the sentence below it, as `finding` gives them.
        sections: in their order.
    """
    import hashlib  # here, as it loads OpenSSL: 3 ms that every import of the package would take

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
    """Read the style sheet of all pieces (CSS)."""
    return _read_file("style.css")


def page_script() -> str:
    """Read the script that sorts tables and shows sentences (JavaScript)."""
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
    "signed_percent": signed_percent,
    "equation": equation,
    "short_percent": lambda value: f"{100 * value:g}",
    "decimal": lambda value, digits: f"{value:.{digits}f}",
    "with_commas": lambda value: f"{round(value, 4):,}",
    "sentence": lambda text: text[:1].upper() + text[1:],  # begins with a capital letter
}

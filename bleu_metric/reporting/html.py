"""Render HTML for the report and the demo on Hugging Face Spaces, from the Jinja templates in ``templates``.

Put a template's HTML into an element of class ``bleu-metric``, on a page that contains ``style.css`` and ``script.js``.
Jinja escapes all data for HTML. Visible symbols replace control characters.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from .._bootstrap import MIN_SEGMENTS
from .._display import amount, escape_controls, join_words, level_text, percent, signed_percent, significance_level
from .._score import CAVEAT
from .._validation import typed
from ..comparison.result import TOO_FEW, Compared, Comparison, about_trials, advice, interval_notes, p_text
from .axis import Axis
from .lengths import largest_difference


def render(template: str, **values: Any) -> str:
    """Fill a template with values, and return the HTML. A comment at the top of each template lists these values."""
    return _environment().get_template(f"{template}.html.jinja").render(values)


def page_file(name: str) -> str:
    """Return one of the files that all templates need: ``style.css`` or ``script.js``."""
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    """Return the Jinja environment that loads the templates and escapes all data."""
    loader = PackageLoader(__package__, "templates")
    jinja = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, finalize=_escape_data)
    # For the filter tojson
    jinja.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    jinja.filters |= _FILTERS
    jinja.globals |= _GLOBALS
    return jinja


def _escape_data(value: Any) -> Any:
    """Replace control characters in a string with visible symbols. Return HTML and values of other types unchanged."""
    is_html = hasattr(value, "__html__")  # from a template or macro, which has escaped the data
    if is_html or not isinstance(value, str):
        return value
    return escape_controls(value)


def _sha256(text: str) -> str:
    """Return the SHA-256 digest of a script in Base64, as a content security policy needs it."""
    digest = hashlib.sha256(text.encode()).digest()
    return base64.b64encode(digest).decode()


def _name_html(name: str) -> Markup:
    return Markup("<bdi>{}</bdi>").format(escape_controls(name))


def equation(system: Compared, comparison: Comparison) -> str:
    """Return the corrected p-value of a system with a sign in front, to follow the letter p: "= 0.009", "≤ 0.006"."""
    text = p_text(comparison, system, system.p_adjusted)
    return f"= {text}" if text[:1].isdigit() else text


def _verdict(comparison: Comparison, digits: int) -> Markup:
    """Return the verdict as HTML. Scores follow the names of systems that may be the best."""
    ranks = comparison.ranks() if comparison.has_all_pairs else {}
    scores = {system.name: percent(system.interval.score, digits) for system in comparison.ranked}

    def name_html(name: str) -> str:
        html = _name_html(name)
        best_rank, _ = ranks.get(name, (1, 1))
        return html + f" ({scores[name]})" if best_rank == 1 or len(scores) <= _MOST_SCORES else html

    return Markup(comparison.verdict(name_html))  # only names are data, and they are escaped


def _lead(comparison: Comparison) -> Compared:
    """Return the comparison of the two systems with the highest scores, in the order in which they were tested."""
    names = {system.name for system in comparison.ranked[:2]}
    return next(pair for pair in comparison.pairs if {pair.name, pair.baseline} == names)


_MOST_SCORES = 4  # with more systems, the verdict omits the scores of systems that cannot be the best
_FUNCTIONS = (advice, amount, equation, interval_notes, level_text, percent, signed_percent, significance_level)
_FILTERS: dict[str, Any] = {function.__name__: function for function in _FUNCTIONS}
_FILTERS |= {
    # Two digits are certain: 4567 -> "4,600"
    "about": lambda number: f"{float(f'{number:.1e}'):,.0f}",
    "differs_from": lambda mended, comparison: mended.is_tested and mended.ranks() != comparison.ranks(),
    "largest": largest_difference,
    "lead": _lead,
    "names": lambda names: Markup(join_words(list(map(_name_html, names)))),
    "outcome": lambda system, comparison: comparison.outcome(system),
    # Jinja's `capitalize` would lower-case the other letters
    "sentence": lambda text: text[:1].upper() + text[1:],
    "trials": about_trials,
    "verdict": _verdict,
    "verdict_of_metric": lambda comparison: Markup(comparison.verdict(_name_html)),
    "sha256": _sha256,
    "with_commas": lambda value: f"{round(value, 4):,}",
}
_SIGNS = {"better": "▲", "worse": "▼", "not significant": "○"}
_GLOBALS: dict[str, Any] = {"Axis": Axis, "CAVEAT": CAVEAT, "SIGNS": _SIGNS, "typed": typed}
_GLOBALS |= {"MIN_SEGMENTS": MIN_SEGMENTS, "TOO_FEW": TOO_FEW}

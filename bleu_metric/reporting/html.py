"""HTML for the report and for the demo on Hugging Face Spaces, from the Jinja templates in the folder ``templates``.

To use a template, put its HTML into an element of class ``bleu-metric``. The page must also contain the results of
`page_style` and `page_script`. Jinja escapes all data for HTML. Visible symbols replace control characters in the data.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import chain
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from .._config import BleuConfig
from .._display import amount, equation, escape_controls, level_text, percent, signed_percent, significance_level
from .._score import CAVEAT, meaning
from .._smoothing import SMOOTHINGS
from .._zero_score import why_zero
from ..comparison.result import MIN_SEGMENTS, about_trials, advice
from .axis import Axis
from .lengths import Bucket
from .sentences import MARKED_ORDERS, as_json


def render(template: str, **values: Any) -> str:
    """Fill a template with values and return the HTML. The comment at the top of each template lists its values."""
    return _environment().get_template(f"{template}.html.jinja").render(values)


def page_style() -> str:
    """Return the style sheet (CSS) that all templates need."""
    return _read_file("style.css")


def page_script() -> str:
    """Return the script (JavaScript) that sorts tables and shows the list of sentences."""
    return _read_file("script.js")


def _read_file(name: str) -> str:
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    """Return the Jinja environment that loads the templates and escapes all data."""
    loader = PackageLoader(__package__, "templates")
    jinja = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, finalize=_escape_data)
    jinja.filters |= _FILTERS
    jinja.globals |= _GLOBALS
    return jinja


def _escape_data(value: Any) -> Any:
    """Replace the control characters of a string, unless it is HTML that a template made."""
    is_html = hasattr(value, "__html__")
    return escape_controls(value) if isinstance(value, str) and not is_html else value


def _sha256(text: str) -> str:
    """Return the SHA-256 digest of a script in Base64, as a content security policy needs it."""
    import hashlib  # imported here because it loads OpenSSL, which would add 3 ms to every import of the package

    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _bucket_axis(buckets: Sequence[Bucket], is_one: bool) -> Axis:
    """Return the axis for all buckets: for scores if there is one system, else for differences from the baseline."""
    systems = chain.from_iterable(bucket.systems for bucket in buckets)
    return Axis.of(system.bleu if is_one else system.difference for system in systems)


def _fills_zeros(config: BleuConfig) -> bool:
    """Return whether smoothing gives a sentence a score above 0 even if an n-gram order has no match."""
    return SMOOTHINGS[config.smoothing].fills_zeros


_FILTERS = {
    "about_trials": about_trials,
    "advice": advice,
    "amount": amount,
    "as_json": as_json,
    "decimal": lambda value, digits: f"{value:.{digits}f}",
    "equation": equation,
    "level_text": level_text,
    "percent": percent,
    "sentence": lambda text: text[:1].upper() + text[1:],  # Jinja's `capitalize` would lower-case the other letters
    "sha256": _sha256,
    "signed_percent": signed_percent,
    "significance_level": significance_level,
    "with_commas": lambda value: f"{round(value, 4):,}",
}
_GLOBALS = {
    "Axis": Axis,
    "CAVEAT": CAVEAT,
    "MARKED_ORDERS": MARKED_ORDERS,
    "MIN_SEGMENTS": MIN_SEGMENTS,
    "bucket_axis": _bucket_axis,
    "fills_zeros": _fills_zeros,
    "meaning": meaning,
    "why_zero": why_zero,
}

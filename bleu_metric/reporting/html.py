"""Render HTML for the report and the demo on Hugging Face Spaces, from the Jinja templates in ``templates``.

To use a template, put its HTML into an element of class ``bleu-metric``. The page must also contain the files
``style.css`` and ``script.js``. Jinja escapes all data for HTML. Visible symbols replace control characters.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from .._advice import why_zero
from .._display import amount, equation, escape_controls, level_text, percent, signed_percent, significance_level
from .._formula import SMOOTHINGS
from .._score import CAVEAT
from ..comparison.result import MIN_SEGMENTS, about_trials, advice
from .axis import Axis
from .sentences import MARKED_ORDERS


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
    is_html = hasattr(value, "__html__")  # of templates and macros, whose data are escaped already
    if is_html or not isinstance(value, str):
        return value
    return escape_controls(value)


def _sha256(text: str) -> str:
    """Return the SHA-256 digest of a script in Base64, as a content security policy needs it."""
    digest = hashlib.sha256(text.encode()).digest()
    return base64.b64encode(digest).decode()


_FUNCTIONS = (about_trials, advice, amount, equation, level_text, percent, signed_percent, significance_level)
_FILTERS: dict[str, Any] = {function.__name__: function for function in _FUNCTIONS}
_FILTERS |= {
    # Jinja's `capitalize` would lower-case the other letters
    "sentence": lambda text: text[:1].upper() + text[1:],
    "sha256": _sha256,
    "with_commas": lambda value: f"{round(value, 4):,}",
}
_GLOBALS: dict[str, Any] = {"Axis": Axis, "SMOOTHINGS": SMOOTHINGS, "why_zero": why_zero}
_GLOBALS |= {"CAVEAT": CAVEAT, "MARKED_ORDERS": MARKED_ORDERS, "MIN_SEGMENTS": MIN_SEGMENTS}

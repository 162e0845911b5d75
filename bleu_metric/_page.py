"""Pieces of HTML for the report and the page: a score, a table of scores, a table of sentences.

Put them into an element of class ``bleu-metric``, with `STYLE` and `SCRIPT` of `_style.py` in the page. Jinja2 escapes
whatever comes from data; characters that cannot be seen are shown by signs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ._meaning import CAVEAT, meaning
from ._score import BleuScore
from ._sentences import Sentence
from ._templates import SCORE, SCORES, SENTENCES
from ._visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment, Template


def score_panel(score: BleuScore, name: str = "") -> str:
    """One score in percent, what it means, and its parts; `name`: of the system."""
    bleu = score.bleu if isinstance(score.bleu, list) else [score.bleu]
    return _render(SCORE, score=score, name=name, bleu=bleu, meaning=meaning, caveat=CAVEAT)


def system_table(scores: Mapping[str, BleuScore]) -> str:
    """A row per system."""
    return _render(SCORES, scores=scores, what="System")


def dialect_table(scores: Mapping[str, BleuScore]) -> str:
    """A row per dialect, as from `score_dialects`."""
    return _render(SCORES, scores=scores, what="Dialect")


def sentence_table(rows: Sequence[Sentence], systems: Sequence[str] = ("",), max_order: int = 4) -> str:
    """Sentences of the systems, with the n-grams that matched; each number sorts by a click.

    `rows`: from `_sentences.sentences`. `systems`: their names, in the same order; ``""`` for the one that needs none.
    """
    return _render(SENTENCES, rows=rows, systems=systems, orders=min(max_order, 4), more=max_order > 4)


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
    "grouped": lambda number: f"{number:,}",
}


def _shown(value: Any) -> Any:
    return visible(value) if type(value) is str else value  # Markup, a class derived from str, is the templates' own

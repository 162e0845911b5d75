"""One HTML file about one system or several: scores, pictures, sentences with their matches. It loads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._arrays import Floats, Ints
from .._bleu import fit_config
from .._bootstrap import bootstrap
from .._config import BleuConfig, BleuOptions
from .._corpus import Corpus
from .._counting import count_corpus
from .._dialects import config_of
from .._score import score, score_sentences
from .._smoothing import SMOOTHINGS
from .._statistics import BleuStatistics
from .._storage import write_atomically
from ..comparison.paired import paired_bootstrap
from ..comparison.systems import corpora_of_systems, join_systems
from .html import report_page, score_panel, sentence_table, system_table
from .plots import Drawn, panels, prepare, single_panel, to_svg
from .sentences import sentences

if TYPE_CHECKING:
    from typing_extensions import Unpack

_TOP = 10  # best sentences, worst sentences, …
_PANELS = 2  # most systems that have a panel each


class Section(NamedTuple):
    """A table of sentences."""

    heading: str
    note: str
    rows: Ints


def report(
    path: str | Path,
    predictions: Any,
    references: Any,
    dialect: str = "default",
    *,
    title: str | None = None,
    shown: int = 2000,
    confidence: float = 0.95,
    **options: Unpack[BleuOptions],
) -> None:
    """Write one self-contained HTML file: scores in percent, intervals, pictures, sentences with matched n-grams.

    Of several systems, each is compared with the first by `paired_bootstrap`, unless there is one segment only.

    Args:
        path: where to write it; a file that is there is replaced once the new one is whole.
        predictions: as for `corpus_bleu`; or a mapping of names to the predictions of several systems.
        references: as for `corpus_bleu`; all systems share them.
        dialect: name in `DIALECTS`.
        title: heading of the report.
        shown: most segments in the table of sentences, at least 2; of more, the best and the worst are shown.
        confidence: of the bootstrap intervals, between 0 and 1.
        **options: override the dialect's choices; no list of several weights.

    Raises:
        ImportError: Jinja2 or matplotlib is not installed. Else the errors of `corpus_bleu`, which name the system,
            too, where there are several.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(Path(folder, "report.html"), ["the cat sat on the mat"], ["the cat sat on a mat"], title="Mats")
    ...     "Mats</title>" in Path(folder, "report.html").read_text(encoding="utf-8")
    True
    """
    if isinstance(shown, bool) or not isinstance(shown, int) or shown < 2:
        raise ValueError(f"shown must be a whole number >= 2, got {shown!r}")
    systems = predictions if isinstance(predictions, Mapping) else {"": predictions}
    counted, statistics = _count(systems, references, config_of(dialect, options))
    drawn = prepare(statistics)
    sections = _sections(statistics, shown)
    picked = np.unique(np.concatenate([section.rows for section in sections]))
    read = dict(zip(picked.tolist(), sentences(counted, statistics, picked.tolist()), strict=True))
    orders = drawn.statistics[0].config.max_order
    tables = [
        (
            section.heading,
            section.note,
            sentence_table([read[row] for row in section.rows.tolist()], [*systems], orders),
        )
        for section in sections
    ]
    scores = _scores(statistics, confidence)
    html = report_page(title or "BLEU report", _about(statistics), scores, _pictures(drawn), tables)
    write_atomically(path, html.encode())


def _count(
    systems: Mapping[Any, Any], references: Any, config: BleuConfig
) -> tuple[dict[str, Corpus], dict[str, BleuStatistics]]:
    """Read and count all systems; an error names the one it is about."""
    for name in systems:
        if not isinstance(name, str):
            raise TypeError(f"predictions must map names to predictions, got the name {name!r}")
        if not name and len(systems) > 1:
            raise ValueError("one of several systems has the name ''; give each a name, e.g. {'A': …, 'B': …}")
    counted = corpora_of_systems(systems, references)
    joined = join_systems(counted)
    statistics = count_corpus(joined, [fit_config(config, joined)])
    return counted, dict(zip(systems, statistics, strict=True))


def _about(statistics: Mapping[str, BleuStatistics]) -> list[str]:
    """What has to be said before the numbers."""
    (first, *others) = statistics.values()
    about = [f"Segments: {len(first):,}" + (f", systems: {1 + len(others)}" if others else "")]
    zeros = int(sum((score_sentences(one) == 0).sum() for one in statistics.values()))
    if zeros:
        about.append(f"Sentence scores of 0: {zeros:,}.")
        if not SMOOTHINGS[first.config.smoothing].fills_zeros:
            smoothed = 'an option such as smoothing="exp" tells such sentences apart.'
            about[-1] += f" A score is 0 where an order has no match; {smoothed}"
    return about


def _scores(statistics: Mapping[str, BleuStatistics], confidence: float) -> list[str]:
    """A table of the systems, where there are several, and a panel for each of a few."""
    scores = {name: score(one) for name, one in statistics.items()}
    (first, baseline), *others = statistics.items()
    if not others:
        interval = bootstrap(baseline, confidence=confidence) if len(baseline) > 1 else None
        return [score_panel(scores[first], first, interval)]
    if len(baseline) == 1:  # no test can be made of one segment
        return [system_table(scores)]
    comparison = paired_bootstrap(baseline, dict(others), confidence=confidence, baseline_name=first)
    table = system_table(scores, comparison)
    if len(scores) > _PANELS:
        return [table]
    compared = (comparison.baseline, *comparison.systems)
    return [table, *(score_panel(scores[one.name], one.name, one.interval) for one in compared)]


def _pictures(drawn: Drawn) -> list[tuple[str, str]]:
    return [(name, to_svg(single_panel(drawn, draw), name)) for name, draw in panels(drawn).items()]


def _sections(statistics: Mapping[str, BleuStatistics], shown: int) -> list[Section]:
    """Which rows to show under which heading."""
    scores = np.stack([score_sentences(one) for one in statistics.values()])
    ranked = _ranked(scores, list(statistics.values()))
    segments, top = len(ranked), min(_TOP, len(ranked) // 2)
    of_all = ", by their mean score" if len(scores) > 1 else ""
    sections = _differences(list(statistics), scores)
    if top:
        sections += [
            Section("Best sentences", f"{top} of {segments:,}{of_all}.", ranked[::-1][:top]),
            Section("Worst sentences", f"{top} of {segments:,}{of_all}.", ranked[:top]),
        ]
    if segments <= shown:
        return [*sections, Section("All sentences", "", np.arange(segments))]
    worst, best = ranked[: shown // 2], ranked[segments - (shown - shown // 2) :]
    note = (
        f"{shown:,} of {segments:,} segments: the {len(best):,} best and the {len(worst):,} worst{of_all}. "
        f"The {segments - shown:,} between them are left out."
    )
    return [*sections, Section("Sentences", note, np.sort(np.concatenate([worst, best])))]


def _ranked(scores: Floats, statistics: list[BleuStatistics]) -> Ints:
    """Ints from the worst to the best; of equal scores, which may all be 0, by the share of n-grams that match."""
    orders = statistics[0].config.max_order
    matches = np.sum([one.table[:, :orders] for one in statistics], axis=(0, 2))
    totals = np.sum([one.table[:, orders : 2 * orders] for one in statistics], axis=(0, 2))
    return np.lexsort((matches / np.maximum(totals, 1), scores.mean(axis=0).round(12)))


def _differences(names: list[str], scores: Floats) -> list[Section]:
    """Where the systems differ most: of two, to either side."""
    if len(names) == 1:
        return []
    if len(names) > 2:
        spread = scores.max(axis=0) - scores.min(axis=0)
        rows = np.argsort(-spread, kind="stable")[:_TOP]
        return [Section("Where the systems differ most", "By the range of their scores.", rows[spread[rows] > 0])]
    difference = scores[1] - scores[0]
    sections = []
    for sign, better, worse in ((1, names[1], names[0]), (-1, names[0], names[1])):
        rows = np.argsort(-sign * difference, kind="stable")[:_TOP]
        rows = rows[sign * difference[rows] > 0]
        sections.append(Section(f"Where {better} is better than {worse}", "The largest differences.", rows))
    return [section for section in sections if len(section.rows)]

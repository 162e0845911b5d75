"""Pictures of one system or of several in one figure. Needs matplotlib."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._config import differences
from ._drafts import write_whole
from ._panels import FEW, Drawn, bleu_of, finish, legend, new_figure, panels
from ._score import score
from ._statistics import BleuStatistics
from ._visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
_LONGEST_NAME = 28


def plot(
    systems: BleuStatistics | Mapping[str, BleuStatistics],
    path: str | Path | None = None,
    *,
    title: str | None = None,
) -> Figure:
    """Draw one figure: precision by order, sentence scores, score by reference length; of several systems also totals.

    Args:
        systems: counts with a row per segment, as from `corpus_statistics`; or a mapping of names to the counts of
            several systems on the same segments, up to about 15.
        path: where to write it, as ``.png``, ``.svg`` or ``.pdf``; a file that is there is replaced once the new one
            is whole. Nowhere by default.
        title: of the figure.

    Returns:
        A matplotlib ``Figure`` of its own, which pyplot does not know. Scores and precisions are in percent. Names in
        any script are drawn with fonts found on the machine; before version 3.11, matplotlib does not join Arabic
        letters.

    Raises:
        ImportError: matplotlib is not installed. ValueError: counts without rows, or of several systems that were
            counted in different ways or on different numbers of segments; another suffix. TypeError: no counts.

    >>> from bleu_metric import corpus_statistics
    >>> figure = plot(corpus_statistics(["the cat sat on the mat"], ["the cat sat on a mat"]))
    >>> [axes.get_title() for axes in figure.axes][:2]
    ['Precision by n-gram order', 'Sentence scores']
    """
    target = None if path is None else _checked_path(path)
    drawn = prepare(systems)
    from matplotlib.font_manager import FontProperties

    several = len(drawn.names) > 1
    rows, columns = (2, 2) if several else (1, 3)
    figure = new_figure(13, 8 + 0.15 * len(drawn.names) if several else 4.6)
    for axes, (heading, draw) in zip(figure.subplots(rows, columns).flat, panels(drawn).items(), strict=True):
        draw(axes, drawn)
        axes.set_title(heading)
    segments = len(drawn.statistics[0])
    about = f"{len(drawn.names)} systems" if several else f"BLEU {100 * bleu_of(drawn.scores[0]):.1f}"
    about = f"{about}, {segments:,} segment{'s' * (segments != 1)}"
    figure.suptitle(visible(title) if title else about, fontsize="x-large")
    signature = drawn.scores[0].signature
    if several:
        # A label of the figure would lie over the legend
        legend(figure, drawn).set_title(signature, FontProperties(size=7))
    else:
        figure.supxlabel(signature, fontsize=7)
    finish(figure, [*drawn.names, title or ""])
    if target is not None:
        picture = io.BytesIO()
        figure.savefig(picture, dpi=150, format=target.suffix[1:].lower())
        write_whole(target, picture.getvalue())
    return figure


def prepare(systems: BleuStatistics | Mapping[str, BleuStatistics]) -> Drawn:
    """Check what is to be drawn, and score it."""
    try:
        from matplotlib import colormaps
    except ImportError as error:
        raise ImportError('pictures need matplotlib: pip install "bleu_metric[plot]"') from error
    named = {"": systems} if isinstance(systems, BleuStatistics) else systems
    _check(named)
    scored = {name: score(statistics) for name, statistics in named.items()}
    if len(named) > FEW:  # then a lighter colour is a lower score, and neighbouring lines are neighbours in the legend
        scored = dict(sorted(scored.items(), key=lambda item: -bleu_of(item[1])))
    names = [_short(visible(name)) for name in scored]
    colours = list(colormaps["viridis"](np.linspace(0.12, 0.8, len(names)))) if len(names) > 1 else ["#2a5d9f"]
    return Drawn(list(scored), names, [named[name] for name in scored], list(scored.values()), colours)


def _short(name: str) -> str:
    """Cut a long name in its middle: names often differ at their ends."""
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def _checked_path(path: str | Path) -> Path:
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise ValueError(f"a picture is written as {', '.join(SUFFIXES)}; got {str(target)!r}: try {target.stem}.png")
    return target


def _check(systems: Any) -> None:
    if not isinstance(systems, Mapping):
        raise TypeError(
            f"plot takes BleuStatistics or a mapping of names to them, got {type(systems).__name__}; "
            "try plot(corpus_statistics(predictions, references))"
        )
    if not systems:
        raise ValueError("there is no system to draw; give at least one, e.g. {'name': statistics}")
    first, expected = next(iter(systems.items()))
    for name, statistics in systems.items():
        if not isinstance(name, str) or not isinstance(statistics, BleuStatistics):
            kinds = f"{type(name).__name__} -> {type(statistics).__name__}"
            raise TypeError(f"systems must map names to BleuStatistics, got {kinds} for {name!r}")
        if statistics.is_total or not len(statistics):
            state = "a total" if statistics.is_total else "empty"
            raise ValueError(f"the counts of {name!r} are {state}: a picture needs a row per segment")
        if statistics.config.has_many_weights:
            raise ValueError("weights is a list of lists: a picture shows one list of weights")
        if statistics.config != expected.config:
            ways = differences(expected.config, statistics.config)
            raise ValueError(f"{first!r} and {name!r} were counted in different ways: {ways}")
        if len(statistics) != len(expected):
            raise ValueError(
                f"{first!r} has {len(expected)} segments, {name!r} has {len(statistics)}; all systems need the same"
            )

"""Pictures of one system or of several in one figure. Needs matplotlib."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._arrays import Floats, Ints
from .._config import describe_differences
from .._display import escape_controls
from .._reference_length import units_per_token
from .._score import BleuScore, score, score_sentences
from .._statistics import BleuStatistics
from .._storage import write_atomically
from .fonts import families

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

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
    figure.suptitle(escape_controls(title) if title else about, fontsize="x-large")
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
        write_atomically(target, picture.getvalue())
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
    names = [_short(escape_controls(name)) for name in scored]
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
            ways = describe_differences(expected.config, statistics.config)
            raise ValueError(f"{first!r} and {name!r} were counted in different ways: {ways}")
        if len(statistics) != len(expected):
            raise ValueError(
                f"{first!r} has {len(expected)} segments, {name!r} has {len(statistics)}; all systems need the same"
            )


FEW = 4  # systems whose bars can stand side by side
_BUCKETS = 6
_HATCHES = ("", "///", "...", "xxx")
_MARKERS = "osD^vP*X<>ph8d"
_LINES = ("-", "--", "-.", ":")


class Drawn(NamedTuple):
    """What the pictures show; one entry per system, many systems by falling score."""

    keys: list[str]  # names as they came
    names: list[str]  # names as they are shown
    statistics: list[BleuStatistics]
    scores: list[BleuScore]
    colours: list[Any]


Panel = Callable[["Axes", Drawn], None]


def panels(drawn: Drawn) -> dict[str, Panel]:
    """The pictures by their headings."""
    totals: dict[str, Panel] = {"Corpus BLEU": _draw_totals} if len(drawn.names) > 1 else {}
    return {
        **totals,
        "Precision by n-gram order": _draw_precisions,
        "Sentence scores": _draw_sentences,
        "BLEU by reference length": _draw_lengths,
    }


def single_panel(drawn: Drawn, draw: Panel) -> Figure:
    """Draw one of the pictures alone, small enough for a column of a page."""
    systems = len(drawn.names)
    named = draw is _draw_totals or (draw is _draw_sentences and systems > FEW)  # on an axis
    width = 5.4
    lines = systems if named else -(-systems // _legend_columns(width, drawn))
    figure = new_figure(width, 3.4 + 0.2 * lines)
    draw(figure.subplots(), drawn)
    if systems > 1 and not named:
        legend(figure, drawn)
    finish(figure, drawn.names)
    return figure


def legend(figure: Figure, drawn: Drawn) -> Legend:
    """Name the systems above the panels."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    numbers = range(len(drawn.names))
    few = len(numbers) <= FEW
    handles = [Patch(**_bar(drawn, i)) if few else Line2D([], [], color=drawn.colours[i], **_line(i)) for i in numbers]
    columns = _legend_columns(figure.get_figwidth(), drawn)
    box = figure.legend(handles, list(map(str, numbers)), loc="outside lower center", ncols=columns)
    for text, name in zip(box.get_texts(), drawn.names, strict=True):
        text.set_text(name)  # as a label, a name that starts with _ would be left out
    return box


def _legend_columns(width: float, drawn: Drawn) -> int:
    """How many names stand side by side in a figure of so many inches."""
    return min(len(drawn.names), max(1, int(11 * width) // (max(map(len, drawn.names)) + 6)))


def finish(figure: Figure, texts: Sequence[str]) -> None:
    """Draw all texts as they are, dollar signs too, with fonts that have their characters."""
    from matplotlib.text import Text

    fonts = families(texts)
    for axes in figure.axes:
        axes.tick_params(labelfontfamily=fonts)
    for text in figure.findobj(Text):
        text.set_fontfamily(fonts)
        text.set_parse_math(False)


def to_svg(figure: Figure, name: str) -> str:
    """Make an ``<svg>`` element for a page; its texts are texts, which the browser draws. `name`: of the picture."""
    from matplotlib import rc_context

    file = io.StringIO()
    about = dict.fromkeys(("Creator", "Date", "Format", "Type"))  # else they bring addresses
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(file, format="svg", metadata=about, transparent=True)
    element = file.getvalue()
    element = element[element.index("<svg") :]
    element = re.sub(r'<g id="[^"]*"', "<g", element)  # the same in all pictures, and not needed
    element = re.sub(r"<style.*?</style>", "", element, count=1, flags=re.DOTALL)  # would style the page, not it alone
    return element.replace("<svg", f'<svg role="img" aria-label="{name}"', 1)


def new_figure(width: float, height: float) -> Figure:
    """Make an empty figure of a size in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)  # type: ignore[union-attr,call-arg]
    return figure


def bleu_of(one: BleuScore) -> float:
    """Take the score as one number."""
    return float(one.bleu)  # several lists of weights are refused


def _line(place: int) -> dict[str, Any]:
    return {"marker": _MARKERS[place % len(_MARKERS)], "linestyle": _LINES[place % len(_LINES)]}


def _bar(drawn: Drawn, place: int) -> dict[str, Any]:
    hatch = _HATCHES[place % len(_HATCHES)] if len(drawn.names) <= FEW else ""
    return {"facecolor": drawn.colours[place], "hatch": hatch, "edgecolor": "white", "linewidth": 0.5}


def _draw_totals(axes: Axes, drawn: Drawn) -> None:
    places = np.arange(len(drawn.names))
    values = [100 * bleu_of(one) for one in drawn.scores]
    for place, value in enumerate(values):
        axes.barh(place, value, height=0.7, **_bar(drawn, place))
        axes.annotate(f"{value:.1f}", (value, place), (4, 0), textcoords="offset points", va="center")
    axes.set_yticks(places, labels=drawn.names)
    axes.invert_yaxis()
    axes.set_xlim(0, max(1.0, 1.15 * max(values)))
    axes.set_xlabel("BLEU")


def _draw_precisions(axes: Axes, drawn: Drawn) -> None:
    orders = len(drawn.scores[0].precisions)
    _draw_groups(
        axes, drawn, list(map(str, range(1, orders + 1))), 100 * np.array([s.precisions for s in drawn.scores])
    )
    axes.set_xlabel("order")
    axes.set_ylabel("precision, %")


def _draw_sentences(axes: Axes, drawn: Drawn) -> None:
    scores = [100 * score_sentences(statistics) for statistics in drawn.statistics]
    if len(scores) > FEW:
        _draw_boxes(axes, drawn, scores)
        return
    edges = np.arange(0, 101, 10)
    bins = [np.searchsorted(edges, one.round(9)) for one in scores]
    shares = np.array([np.bincount(np.minimum(one, 10), minlength=11) * 100 / len(one) for one in bins])
    _draw_groups(axes, drawn, list(map(str, edges)), shares)
    axes.set_xlabel("sentence BLEU, up to (0: exactly)")
    axes.set_ylabel("segments, %")


def _draw_boxes(axes: Axes, drawn: Drawn, scores: list[Floats]) -> None:
    places = np.arange(len(scores))
    outliers = {"markersize": 2, "markeredgecolor": "0.5"}
    options: dict[str, Any] = {"positions": places, "widths": 0.6, "patch_artist": True, "flierprops": outliers}
    boxes = axes.boxplot(scores, **options, **_horizontal(), medianprops={"color": "black", "linewidth": 1.5})
    for box, colour in zip(boxes["boxes"], drawn.colours, strict=True):
        box.set(facecolor=(*colour[:3], 0.6))
    axes.set_yticks(places, labels=drawn.names)
    axes.invert_yaxis()
    axes.set_xlabel("sentence BLEU: median, quartiles, range")


def _horizontal() -> dict[str, Any]:
    import matplotlib

    return {"orientation": "horizontal"} if matplotlib.__version_info__ >= (3, 10) else {"vert": False}


def _draw_lengths(axes: Axes, drawn: Drawn) -> None:
    buckets, labels = length_buckets(drawn.statistics)
    values = np.full((len(drawn.names), len(labels)), np.nan)
    for bucket in np.unique(buckets):
        rows = buckets == bucket
        values[:, bucket] = [100 * bleu_of(score(statistics[rows])) for statistics in drawn.statistics]
    sizes = np.bincount(buckets, minlength=len(labels))
    _draw_groups(axes, drawn, [f"{label}\n{size:,}" for label, size in zip(labels, sizes, strict=True)], values)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("reference length in tokens; segments")
    axes.set_ylabel("BLEU")


def length_buckets(statistics: Sequence[BleuStatistics]) -> tuple[Ints, list[str]]:
    """The bucket of each segment by the mean of its reference lengths, and the buckets' labels.

    With several references, the one that counts can differ between systems: hence the mean.
    """
    config = statistics[0].config
    lengths = np.mean([one.table[:, 2 * config.max_order + 1] for one in statistics], axis=0)
    lengths = lengths / units_per_token(config.reference_length)
    usual = float(np.quantile(lengths, 0.95))
    width = next(step * 10**power for power in range(10) for step in (1, 2, 5) if usual < _BUCKETS * step * 10**power)
    buckets = np.minimum(lengths // width, _BUCKETS).astype(np.int64)
    starts = range(0, width * (int(buckets.max()) + 1), width)
    labels = [str(start) if width == 1 else f"{start}–{start + width - 1}" for start in starts]
    if len(labels) > _BUCKETS:
        labels[-1] = f"≥{width * _BUCKETS}"
    return buckets, labels


def _draw_groups(axes: Axes, drawn: Drawn, labels: list[str], values: Floats) -> None:
    """Bars side by side, lines if there are many systems; values of shape (systems, labels), NaN for none."""
    places, systems = np.arange(len(labels)), len(values)
    for place, row in enumerate(values):
        if systems <= FEW:
            width = 0.8 / systems
            axes.bar(places + (place - (systems - 1) / 2) * width, row, width, **_bar(drawn, place))
        else:
            axes.plot(places, row, color=drawn.colours[place], markersize=5, linewidth=1.3, **_line(place))
    axes.set_xticks(places, labels=labels)
    axes.set_xlim(-0.6, len(labels) - 0.4)
    if systems <= FEW:
        axes.set_ylim(0, max(1.0, 1.05 * np.nanmax(values)))
    axes.grid(axis="y", color="0.9")
    axes.set_axisbelow(True)

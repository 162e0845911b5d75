"""Code for all figures: their size, their files, and fonts for names in any script. Needs matplotlib."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from .._storage import check_target, write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
LONGEST_NAME = 28  # characters of a name that are drawn
_MOST_SHOWN = 10  # maximum number of characters that a warning lists
# Families that matplotlib tries, if they are installed, for characters that its own font lacks
_FALLBACKS = (
    "Noto Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Sans Symbols2",
    "Arial Unicode MS",
    "Microsoft YaHei",
)


def import_matplotlib() -> None:
    """Raise ``ImportError`` with advice if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError('pictures need matplotlib: pip install "bleu_metric[plot]"') from error


def check_path(path: str | Path) -> Path:
    """Return a path as ``Path``. Raise ``ValueError`` if its suffix is not one of `SUFFIXES`.

    Raise the errors of `check_target` if the file cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise ValueError(f"a picture is written as {', '.join(SUFFIXES)}; got {str(target)!r}: try {target.stem}.png")
    check_target(path)
    return target


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure that pyplot does not know. `width` and `height` are in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)  # type: ignore[union-attr,call-arg]
    return figure


def finish_figure(figure: Figure, target: Path | None) -> None:
    """Set the fonts of a figure. If `target` is a path, write the figure to it, in the format of its suffix.

    If writing fails, an existing file is left unchanged.
    """
    _set_fonts(figure)
    if target is None:
        return
    picture = io.BytesIO()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.savefig(picture, dpi=150, format=target.suffix[1:].lower())
    _warn_of_boxes([str(warning.message) for warning in caught])
    write_atomically(target, picture.getvalue())


def _set_fonts(figure: Figure) -> None:
    """Set the fonts of all texts of a figure, and turn off formulas, so that a dollar sign is drawn as one."""
    from matplotlib import font_manager, rcParams
    from matplotlib.text import Text

    installed = {font.name for font in font_manager.fontManager.ttflist}
    fonts = [*rcParams["font.family"], *(name for name in _FALLBACKS if name in installed)]
    for axes in figure.axes:
        axes.tick_params(labelfontfamily=fonts)
    for text in figure.findobj(Text):
        text.set_fontfamily(fonts)
        text.set_parse_math(False)


def _warn_of_boxes(messages: list[str]) -> None:
    """Warn once, with advice, instead of once for each character as matplotlib does."""
    codes = {int(code) for message in messages for code in re.findall(r"^Glyph (\d+) ", message)}
    if codes:
        shown = " ".join(map(chr, sorted(codes)[:_MOST_SHOWN]))
        warnings.warn(
            f"no font that matplotlib knows has {shown}, so boxes are drawn; install fonts with these characters, "
            "e.g. from https://fonts.google.com/noto (Debian: apt install fonts-noto-core fonts-noto-cjk)",
            stacklevel=4,
        )

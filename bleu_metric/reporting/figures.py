"""Create figures, choose fonts that can draw names in any script, and write figures to files. Needs matplotlib."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from .._display import escape_controls, shorten
from .._files import check_target, write_atomically
from .._lazy import missing_package
from .._validation import warn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
_LONGEST_NAME = 28  # longer names are shortened to this number of characters
_MARGIN = 0.1  # space around each panel, in inches
_DOTS_PER_INCH = 150  # of PNG files
# Font families for characters that matplotlib's own font lacks. Only installed families are used.
_FALLBACKS = [
    *("Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans Arabic", "Noto Sans Hebrew"),
    *("Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Symbols2", "Arial Unicode MS", "Microsoft YaHei"),
]
_NO_FONT = (
    "no installed font has some characters of the names, so boxes are drawn: install fonts with these characters, e.g. "
    "from https://fonts.google.com/noto (Debian: apt install fonts-noto-core fonts-noto-cjk)"
)


def check_path(path: str | Path) -> Path:
    """Return the path as a ``Path``. Raise ``ValueError`` if the suffix is not in `SUFFIXES`.

    Raise ``OSError`` if the path ends in a slash or is a write-protected file.
    """
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        suffixes = ", ".join(SUFFIXES)
        raise ValueError(f"a picture's name must end in one of {suffixes}; got {str(target)!r}: try {target.stem}.png")
    check_target(path)
    return target


def drawn_name(name: str) -> str:
    """Return a name as it is drawn: shortened, with visible signs in place of control characters."""
    return shorten(escape_controls(name), _LONGEST_NAME)


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure that is not registered with pyplot. `width` and `height` are in inches.

    Raise ``ImportError``, with the command to install matplotlib, if matplotlib is missing.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing_package("a picture", "matplotlib", error) from error
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=_MARGIN, h_pad=_MARGIN)  # type: ignore[union-attr,call-arg]
    return figure


def finish_figure(figure: Figure, target: Path | None) -> None:
    """Set the fonts of a figure. If `target` is a path, also write the figure to it, in the format of the suffix.

    If writing fails, an existing file stays unchanged.
    """
    _set_fonts(figure)
    if target is None:
        return

    picture = io.BytesIO()
    file_format = target.suffix.removeprefix(".").lower()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.savefig(picture, dpi=_DOTS_PER_INCH, format=file_format)

    # matplotlib warns of each missing character ("Glyph …"). Replace all of them with one warning
    messages = [str(warning.message) for warning in caught]
    other_messages = [message for message in messages if not message.startswith("Glyph ")]
    if len(other_messages) < len(messages):
        other_messages.append(_NO_FONT)
    for message in other_messages:
        warn(message)

    write_atomically(target, picture.getvalue())


def _set_fonts(figure: Figure) -> None:
    """Set the fonts of all texts of a figure. Turn off formulas, so that "$" is drawn as a dollar sign."""
    from matplotlib import font_manager, rcParams
    from matplotlib.text import Text

    installed = {font.name for font in font_manager.fontManager.ttflist}
    fallbacks = [name for name in _FALLBACKS if name in installed]
    fonts = [*rcParams["font.family"], *fallbacks]
    for axes in figure.axes:
        # matplotlib creates some labels of ticks only while it draws
        axes.tick_params(labelfontfamily=fonts)
    for text in figure.findobj(Text):
        text.set_fontfamily(fonts)
        text.set_parse_math(False)

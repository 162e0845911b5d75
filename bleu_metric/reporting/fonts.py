"""Figures that draw names in any script, with the fonts installed on this machine. Needs matplotlib."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from matplotlib import font_manager, rcParams
from matplotlib.figure import Figure
from matplotlib.text import Text

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


def set_fonts(figure: Figure) -> None:
    """Set the fonts of all texts of a figure, and turn off formulas, so that a dollar sign is drawn as one."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    fonts = [*rcParams["font.family"], *(name for name in _FALLBACKS if name in installed)]
    for axes in figure.axes:
        axes.tick_params(labelfontfamily=fonts)
    for text in figure.findobj(Text):
        text.set_fontfamily(fonts)
        text.set_parse_math(False)


@contextmanager
def one_warning() -> Iterator[None]:
    """Replace matplotlib's warnings about single characters, while a figure is drawn, by one with advice."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    messages = [str(warning.message) for warning in caught]
    codes = {int(code) for message in messages for code in re.findall(r"^Glyph (\d+) ", message)}
    if codes:
        shown = " ".join(map(chr, sorted(codes)[:_MOST_SHOWN]))
        warnings.warn(
            f"no font that matplotlib knows has {shown}, so boxes are drawn; install fonts with these characters, "
            "e.g. from https://fonts.google.com/noto (Debian: apt install fonts-noto-core fonts-noto-cjk)",
            stacklevel=2,
        )

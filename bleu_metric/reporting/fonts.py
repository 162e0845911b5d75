"""Figures that draw texts with the fonts installed on this machine. Needs matplotlib."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from matplotlib import font_manager, rcParams
from matplotlib.figure import Figure
from matplotlib.text import Text

_MOST_SHOWN = 10  # maximum number of characters that a warning lists


class QuietFigure(Figure):
    """A figure without matplotlib's warnings about missing characters and unsupported scripts.

    matplotlib draws missing characters as boxes.
    """

    def draw(self, *args: Any, **kwargs: Any) -> Any:
        """Draw the figure. matplotlib calls this method for every output file."""
        with _quiet():
            return super().draw(*args, **kwargs)

    def get_tightbbox(self, *args: Any, **kwargs: Any) -> Any:
        """Measure the figure. Notebooks call this method before they draw it."""
        with _quiet():
            return super().get_tightbbox(*args, **kwargs)


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ |Matplotlib currently does not support", UserWarning)
        yield


def set_fonts(figure: Figure, texts: Sequence[str]) -> set[str]:
    """Set the fonts of a figure to fonts that have the characters of `texts`. Return the characters that no font has.

    Also turn off matplotlib's formulas, so that a dollar sign in a text is drawn as a dollar sign.
    """
    fonts, missing = choose_fonts(texts)
    for axes in figure.axes:
        axes.tick_params(labelfontfamily=fonts)
    for text in figure.findobj(Text):
        text.set_fontfamily(fonts)
        text.set_parse_math(False)
    return missing


def warn_of_missing(characters: set[str], texts: Sequence[str]) -> None:
    """Issue one warning about characters that no font has. It quotes the first text with them, and names fonts."""
    concerned = [text for text in texts if characters & set(text)]
    if not concerned:
        return
    shown = " ".join(sorted(characters)[:_MOST_SHOWN])
    others = f" and {len(concerned) - 1} more" if len(concerned) > 1 else ""
    warnings.warn(
        f"no font of this machine has {shown} of {concerned[0]!r}{others}, so boxes are drawn; install fonts "
        "with these characters, e.g. from https://fonts.google.com/noto "
        "(Debian: apt install fonts-noto-core fonts-noto-cjk)",
        stacklevel=3,
    )


def choose_fonts(texts: Iterable[str]) -> tuple[list[str], set[str]]:
    """Choose font families for texts: matplotlib's defaults, then others for characters that the defaults lack.

    Return the families, and the characters that no font of the machine has.
    """
    manager = font_manager.fontManager
    usual_font = font_manager.findfont(font_manager.FontProperties())
    missing = {character for text in texts for character in text if _is_visible(character)} - _characters(usual_font)
    chosen, missing = _choose(manager.ttflist, missing)
    if missing:
        more, missing = _choose(_new_fonts(manager, missing), missing)
        chosen += more
    return [*rcParams["font.family"], *dict.fromkeys(chosen)], missing


def _is_visible(character: str) -> bool:
    return character.isprintable() and not character.isspace()


def _choose(fonts: Iterable[Any], missing: set[str]) -> tuple[list[str], set[str]]:
    """Choose font families that have the missing characters. Return them, and the characters that none of them has."""
    # The Last Resort font of matplotlib has a box for every character, so it must not be chosen
    candidates = [font for font in fonts if "Last Resort" not in font.name]
    chosen = []
    for font in sorted(candidates, key=_preference):
        if not missing:
            break
        drawable = missing & _characters(font.fname)
        if drawable:
            chosen.append(str(font.name))
            missing = missing - drawable
    return chosen, missing


def _new_fonts(manager: Any, missing: set[str]) -> list[Any]:
    """Add newly installed fonts that have missing characters to matplotlib's list of fonts. Return the added fonts.

    matplotlib stores its list, so the list lacks fonts that were installed later.
    """
    listed = {font.fname for font in manager.ttflist}
    count = len(manager.ttflist)
    for path in sorted(set(font_manager.findSystemFonts()) - listed):
        if missing & _characters(path):
            manager.addfont(path)
    return list(manager.ttflist[count:])


def _preference(font: Any) -> tuple[bool, ...]:
    """Return the sort key of a font.

    Upright, regular, sans-serif and proportional fonts come first. Of the CJK fonts, simplified Chinese comes first.
    """
    name = str(font.name)
    is_other_cjk = "CJK" in name and not name.endswith("SC")
    return (font.style != "normal", font.weight != 400, "Sans" not in name, "Mono" in name, is_other_cjk)


def _characters(path: str) -> set[str]:
    """Return the characters of a font file. Return an empty set if matplotlib cannot load the font."""
    try:
        return set(map(chr, font_manager.get_font(path).get_charmap()))
    except (OSError, RuntimeError):
        return set()

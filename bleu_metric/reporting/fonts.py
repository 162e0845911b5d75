"""Fonts of this machine that together have all characters of some texts. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def families(texts: Iterable[str]) -> list[str]:
    """Families to draw the texts with: matplotlib's own choice, and others for what that lacks, where there are any."""
    from matplotlib import font_manager, rcParams

    known = font_manager.fontManager
    missing = {char for text in texts for char in text if char.isprintable() and not char.isspace()}
    missing -= _characters(font_manager.findfont(font_manager.FontProperties()))
    chosen = _cover(missing, known.ttflist)
    if missing:  # matplotlib keeps a list of fonts, and does not see those that were installed after it was made
        seen = {font.fname for font in known.ttflist}
        count = len(known.ttflist)
        for path in sorted(set(font_manager.findSystemFonts()) - seen):
            if missing & _characters(path):
                known.addfont(path)
        chosen += _cover(missing, known.ttflist[count:])
    return [*rcParams["font.family"], *dict.fromkeys(chosen)]


def _cover(missing: set[str], fonts: list[Any]) -> list[str]:
    """Choose families, plain ones first, until no character is missing; takes what they have out of `missing`.

    The Last Resort font, which comes with matplotlib, has a box for every character.
    """
    chosen = []
    for font in sorted((font for font in fonts if "Last Resort" not in font.name), key=_preference):
        if not missing:
            break
        if found := missing & _characters(font.fname):
            chosen.append(str(font.name))
            missing -= found
    return chosen


def _preference(font: Any) -> tuple[bool, ...]:
    name = str(font.name)
    other_cjk = "CJK" in name and not name.endswith("SC")
    return (font.style != "normal", font.weight != 400, "Sans" not in name, "Mono" in name, other_cjk)


def _characters(path: str) -> set[str]:
    from matplotlib.font_manager import get_font

    try:
        return set(map(chr, get_font(path).get_charmap()))
    except (OSError, RuntimeError):  # no font that matplotlib can draw, as those of coloured emoji
        return set()

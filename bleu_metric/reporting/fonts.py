"""Choose fonts of this machine that together can draw every character of some texts. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def families(texts: Iterable[str]) -> list[str]:
    """Choose font families for texts: matplotlib's own, then others for the characters that these lack.

    A character that no font of the machine has gets no family; matplotlib draws a box for it.
    """
    from matplotlib import font_manager, rcParams

    manager = font_manager.fontManager
    usual_font = font_manager.findfont(font_manager.FontProperties())
    missing = {character for text in texts for character in text if _is_visible(character)} - _characters(usual_font)
    chosen, missing = _choose(manager.ttflist, missing)
    if missing:
        more, _ = _choose(_new_fonts(manager, missing), missing)
        chosen += more
    return [*rcParams["font.family"], *dict.fromkeys(chosen)]


def _is_visible(character: str) -> bool:
    return character.isprintable() and not character.isspace()


def _choose(fonts: Iterable[Any], missing: set[str]) -> tuple[list[str], set[str]]:
    """Choose families that have the missing characters, plain ones first; return what is still missing, too."""
    # The Last Resort font, which comes with matplotlib, has nothing but boxes
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
    """Add fonts with missing characters that were installed after matplotlib made its list of fonts."""
    from matplotlib import font_manager

    listed = {font.fname for font in manager.ttflist}
    count = len(manager.ttflist)
    for path in sorted(set(font_manager.findSystemFonts()) - listed):
        if missing & _characters(path):
            manager.addfont(path)
    return list(manager.ttflist[count:])


def _preference(font: Any) -> tuple[bool, ...]:
    """Sort key of a font: upright before slanted, regular before bold, sans before serif; of CJK the simplified one."""
    name = str(font.name)
    is_other_cjk = "CJK" in name and not name.endswith("SC")
    return (font.style != "normal", font.weight != 400, "Sans" not in name, "Mono" in name, is_other_cjk)


def _characters(path: str) -> set[str]:
    """All characters of a font file; none where matplotlib cannot draw with it, as with coloured emoji."""
    from matplotlib.font_manager import get_font

    try:
        return set(map(chr, get_font(path).get_charmap()))
    except (OSError, RuntimeError):
        return set()

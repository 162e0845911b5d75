"""Characters that cannot be seen, made visible: for pages and pictures."""

from __future__ import annotations

_SHOWN = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}  # ␀ to ␟, ␡
# C1 controls, line separators, the marks that change the direction of what follows, and zero-width ones that no
# script needs. The joiners of Persian and Indic texts stay, and so do the marks for one direction of one place.
_NAMED = [*range(0x80, 0xA0), 0x200B, 0x2028, 0x2029, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF]
_SHOWN |= {code: f"[U+{code:04X}]" for code in (*_NAMED, *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)}


def visible(text: str) -> str:
    r"""Replace them by signs that stand for them.

    >>> visible("a\x00b" + chr(0x202e))
    'a␀b[U+202E]'
    """
    return text.translate(_SHOWN)

"""Read HTML for tests: its elements, their attributes and its text."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from typing import NamedTuple

VOID = {"meta", "br", "link", "img", "input", "hr", "col"}


class Element(NamedTuple):
    tag: str
    attributes: dict[str, str | None]
    inside: tuple[str, ...]  # tags of the elements around it


class Page(HTMLParser):
    """The elements and texts of a page; an end tag that does not match fails the test."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.texts: list[tuple[str, str]] = []  # (tag around it, text)
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs), tuple(self._open)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs), tuple(self._open)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self._open[-1] if self._open else "", data))

    def all(self, tag: str, **attributes: str) -> list[Element]:
        elements = [element for element in self.elements if element.tag == tag]
        return [element for element in elements if attributes.items() <= element.attributes.items()]

    def text(self) -> str:
        """All text that a reader sees."""
        return "".join(text for tag, text in self.texts if tag not in ("style", "script"))


class Sentence(NamedTuple):
    """A sentence of a list, as the page's script reads it."""

    number: int
    scores: list[float]
    effects: list[float]
    outputs: list[str]  # a run on each line, after its digits
    references: list[str]
    source: str
    group: int  # index of its label; -1 without groups


def sentences_of(page: str) -> list[Sentence]:
    """Read the sentences of a page."""
    (rows,) = re.findall('<div class="rows" hidden>(.*?)</div>', page, re.DOTALL)
    return [Sentence(*row) for row in json.loads(html.unescape(rows))]

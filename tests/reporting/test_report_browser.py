"""The report in a real browser: it sorts by a click, fits a narrow screen, runs and loads nothing of the data."""

from __future__ import annotations

from typing import Any

import pytest
from browser import Browser, browser

from bleu_metric import report

__all__ = ["browser"]

ONE = [
    "the cat sat on the mat",
    "a dog barks",
    "<script>window.hacked = 1</script>",
    "قال الرجل إن القط جلس",
    "猫坐在垫子上。",
]
TWO = ["a cat sat on the mat", "the dog", "<img src=x onerror='window.hacked = 1'>", "قال إن القط جلس", "猫在垫子上。"]
REFERENCES = [
    ["the cat sat on a mat"],
    ["a dog barks", "dogs"],
    ["<script>"],
    ["قال الولد إن القط جلس"],
    ["猫在垫子上。"],
]
NAMES = ["<b onclick='window.hacked = 1'>نظام", "系统 " + "long-name" * 12]


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    path = tmp_path_factory.mktemp("report") / "report.html"
    systems = dict(zip(NAMES, (ONE, TWO), strict=True))
    report(path, systems, REFERENCES, "sacrebleu", tokenizer="zh", title="</title><script>window.hacked = 1</script>")
    browser.size(1280)
    browser.open(path)
    return browser


def column(page: Browser, number: int) -> list[float]:
    """The values in one column of the last table, as the page shows them now."""
    script = "return [...[...document.querySelectorAll('table.sentences')].pop().tBodies[0].rows].map(r => "
    return [float(value) for value in page.run(f"{script} r.cells[{number}].dataset.value)")]


def headings(page: Browser) -> list[Any]:
    return list(page.all("table.sentences")[-1].find_elements("css selector", "th[aria-sort]"))


def test_sorted_by_click_and_key(page: Browser) -> None:
    unsorted = column(page, 1)
    heading = headings(page)[1]
    heading.find_element("css selector", "button").click()
    assert column(page, 1) == sorted(unsorted) != unsorted
    assert [heading.get_attribute("aria-sort") for heading in headings(page)] == ["none", "ascending", "none", "none"]
    button = heading.find_element("css selector", "button")
    button.send_keys("\ue007")  # Enter
    assert column(page, 1) == sorted(unsorted, reverse=True)
    assert heading.get_attribute("aria-sort") == "descending"
    headings(page)[3].find_element("css selector", "button").click()
    assert column(page, 3) == sorted(column(page, 3))
    headings(page)[0].find_element("css selector", "button").click()
    assert column(page, 1) == unsorted


@pytest.mark.parametrize("width", [1280, 390, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_wider_than_the_screen(page: Browser, width: int, scheme: str) -> None:
    page.size(width)
    page.scheme(scheme)
    assert page.run("return window.innerWidth") == width
    assert page.overflow() == 0
    colour = page.run("return getComputedStyle(document.body).color")
    assert (sum(map(int, colour.strip("rgb()").split(","))) > 380) == (scheme == "dark")
    page.size(1280)


def palette(page: Browser, element: str) -> dict[str, str]:
    """The colours that the style sheet names, as they apply to an element."""
    script = f"return [...{element}.computedStyleMap()].map(([name, [value]]) => [name, value.toString()])"
    return {name: value for name, value in page.run(script) if name.startswith("--")}


def test_the_class_dark_has_the_colours_of_a_dark_system(page: Browser) -> None:
    """The Space's page sets the class; the report follows the system."""
    page.scheme("dark")
    of_system = palette(page, "document.documentElement")
    page.scheme("light")
    of_page = palette(page, "document.documentElement")
    page.run("document.body.insertAdjacentHTML('beforeend', '<p class=dark><b class=bleu-metric></b></p>')")
    of_class = palette(page, "document.querySelector('.dark .bleu-metric')")
    page.driver.refresh()
    assert len(of_system) > 10
    assert of_class == of_system
    assert of_class.keys() == of_page.keys()
    assert not of_class.items() & of_page.items()


def test_text_of_the_data_is_text(page: Browser) -> None:
    assert page.run("return window.hacked") is None
    shown = "".join(page.texts("table.sentences td"))
    assert "<script>window.hacked = 1</script>" in shown
    assert "<img src=x onerror='window.hacked = 1'>" in shown
    assert page.run("return document.title") == "</title><script>window.hacked = 1</script>"
    assert not page.all("td img, td script, td b")


def test_right_to_left(page: Browser) -> None:
    script = "return [...document.querySelectorAll('td .text')].filter(e => e.textContent.includes('قال'))"
    directions = page.run(script + ".map(e => getComputedStyle(e).direction)")
    assert directions
    assert set(directions) == {"rtl"}


def test_nothing_is_loaded_and_no_error_is_logged(page: Browser) -> None:
    page.driver.refresh()
    assert page.console_errors() == []
    requests = page.requests()
    assert requests
    assert all(address.startswith("file:///") and address.endswith("report.html") for address in requests)

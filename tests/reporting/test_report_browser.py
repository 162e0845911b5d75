"""The report in a real browser: search, order, pages, links, CSV, keys, accessibility; nothing of the data runs."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, browser
from html_of import sentences_of
from waiting import wait

from bleu_metric import corpus_bleu, paired_bootstrap, report, sentence_bleu, system_statistics

__all__ = ["browser"]

ONE = [
    "the cat sat on the mat",
    "a dog barks",
    "<script>window.hacked = 1</script>",
    "قال الرجل إن القط جلس",
    "猫坐在垫子上。",
    *["one two three four"] * 20,
]
TWO = ["a cat sat on the mat", "the dog", "<img src=x onerror='window.hacked = 1'>", "قال إن القط جلس", "猫在垫子上。"]
TWO += ["one two three five"] * 20
REFERENCES = [
    ["the cat sat on a mat"],
    ["a dog barks", "dogs"],
    ["<script>"],
    ["قال الولد إن القط جلس"],
    ["猫在垫子上。"],
    *[["one two three four"]] * 20,
]
SOURCE = ["the source", 'a "quoted", one', "=1+1", "-19.3", "<i>x</i>", "- a line", "+1 a", "@a", "\tb", *["four"] * 16]
NAMES = ["<b onclick='window.hacked = 1'>نظام", "系统 " + "long-name" * 12]


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    path = tmp_path_factory.mktemp("report") / "report.html"
    systems = dict(zip(NAMES, (ONE, TWO), strict=True))
    title = "</title><script>window.hacked = 1</script>"
    groups = ["short", "<b onclick='window.hacked = 1'>"] * 2 + ["long"] * 21
    report(path, systems, REFERENCES, "sacrebleu", tokenizer="zh", title=title, source=SOURCE, groups=groups)
    browser.size(1280)
    browser.open(path)
    return browser


@pytest.fixture
def fresh(page: Browser) -> Browser:
    """The page as it is first shown."""
    page.driver.refresh()
    return page


def shown(page: Browser) -> list[int]:
    """The numbers of the sentences on the page, in their order."""
    script = "return [...document.querySelectorAll('.sentence')].filter(e => e.offsetHeight).map(e => e.dataset.number)"
    return [int(number) for number in page.run(script)]


def control(page: Browser, name: str) -> Any:
    (element,) = page.all(f".controls [name='{name}']")
    return element


def choose(page: Browser, name: str, value: str) -> None:
    (option,) = page.all(f".controls [name='{name}'] option[value='{value}']")
    option.click()


def status(page: Browser) -> str:
    return page.texts(".status")[0]


def test_search(fresh: Browser) -> None:
    box = control(fresh, "query")
    box.send_keys("CAT SAT")
    assert shown(fresh) == [1]
    assert status(fresh) == "1–1 of 1"
    box.clear()
    box.send_keys("猫坐")
    assert shown(fresh) == [5]
    box.clear()
    box.send_keys("#2")
    assert shown(fresh) == [2]
    box.clear()
    box.send_keys("nowhere")
    assert (shown(fresh), status(fresh)) == ([], "No sentence matches")
    fresh.all("[data-action='reset']")[0].click()
    assert len(shown(fresh)) == 20
    assert box.get_attribute("value") == ""
    box.send_keys("the source")
    assert shown(fresh) == [1]


def scores(system: list[str]) -> list[float]:
    values: list[float] = sentence_bleu(system, REFERENCES, "sacrebleu", tokenizer="zh").tolist()
    return values


def gains(page: Browser) -> list[float]:
    """The effect of each sentence on the difference between the systems."""
    effects = [sentence.effects for sentence in sentences_of(page.source())]
    return [two - one for one, two in effects]


def test_the_largest_effects_come_first(fresh: Browser) -> None:
    by_number = [abs(gain) for gain in gains(fresh)]
    assert [by_number[number - 1] for number in shown(fresh)] == sorted(by_number, reverse=True)[:20]
    choose(fresh, "order", "number")
    effect = f"{gains(fresh)[0]:+.3f}".replace("-", "−")
    numbers = fresh.run("return [...document.querySelectorAll('#s1 .value')].map(e => e.textContent)")
    assert list(filter(None, numbers)) == [f"{100 * scores(ONE)[0]:.1f}", f"{100 * scores(TWO)[0]:.1f}", effect]


def test_order_and_filter(fresh: Browser) -> None:
    first = scores(ONE)
    choose(fresh, "system", "0")
    choose(fresh, "order", "low")
    numbers = shown(fresh)
    assert [first[number - 1] for number in numbers] == sorted(first)[: len(numbers)]
    choose(fresh, "order", "high")
    assert [first[number - 1] for number in shown(fresh)] == sorted(first, reverse=True)[: len(numbers)]
    choose(fresh, "order", "gain")
    choose(fresh, "system", "")
    by_number = gains(fresh)
    assert [by_number[number - 1] for number in shown(fresh)] == sorted(by_number, reverse=True)[: len(numbers)]
    choose(fresh, "order", "loss")
    assert [by_number[number - 1] for number in shown(fresh)] == sorted(by_number)[: len(numbers)]
    choose(fresh, "system", "0")
    control(fresh, "low").send_keys("99")
    high = [number for number, value in enumerate(first, 1) if value >= 0.99]
    assert set(shown(fresh)) < set(high)
    assert status(fresh) == f"1–20 of {len(high)}"


def test_pages_are_turned_by_keys(fresh: Browser) -> None:
    choose(fresh, "order", "number")
    assert shown(fresh) == list(range(1, 21))
    following = fresh.all("[data-action='next']")[0]
    following.send_keys("\ue007")  # Enter
    assert shown(fresh) == [21, 22, 23, 24, 25]
    assert status(fresh) == "21–25 of 25"
    assert following.get_attribute("aria-disabled") == "true"
    following.send_keys(" ")  # stays where it is, and keeps the focus
    assert status(fresh) == "21–25 of 25"
    assert fresh.run("return document.activeElement.dataset.action") == "next"
    fresh.all("[data-action='previous']")[0].send_keys(" ")
    assert shown(fresh) == list(range(1, 21))


def test_the_first_and_the_last_of_many_pages_have_a_button(fresh: Browser) -> None:
    fresh.run("document.querySelector('.sentences').dataset.page = 2")
    choose(fresh, "order", "number")
    assert fresh.texts(".numbers > *") == ["1", "2", "…", "13"]
    fresh.all(".numbers button")[-1].click()
    assert fresh.texts(".numbers > *") == ["1", "…", "12", "13"]
    assert shown(fresh) == [25]


def test_a_link_leads_to_a_segment(fresh: Browser) -> None:
    address = fresh.run("return location.href.split('#')[0]")
    fresh.open(f"{address}#s23")
    fresh.driver.refresh()
    assert 23 in shown(fresh)
    in_view = "const box = document.querySelector('#s23').getBoundingClientRect(); return [box.top, innerHeight]"
    top, height = fresh.run(in_view)
    assert 0 < top < height
    control(fresh, "query").send_keys("nowhere")
    fresh.run("location.hash = '#s4'")  # is shown whatever is filtered
    assert 4 in shown(fresh)
    assert fresh.texts("#s4 a") == ["#4"]
    assert fresh.run("return document.activeElement.hash") == "#s4"
    fresh.open(address)


def test_the_sentences_are_saved_as_csv(fresh: Browser, tmp_path: Path) -> None:
    fresh.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    choose(fresh, "order", "number")
    choose(fresh, "system", "0")
    control(fresh, "high").send_keys("99")
    count = int(status(fresh).split(" of ")[1])
    fresh.all("[data-action='csv']")[0].send_keys(" ")
    path = tmp_path / "sentences.csv"
    wait(path.exists)
    head, *rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    assert len(rows) == count < 25
    table = [dict(zip(head, row, strict=True)) for row in rows]
    for row in table:
        index = int(row["segment"]) - 1
        is_formula = SOURCE[index][:1] in tuple("=+-@\t") and SOURCE[index] != "-19.3"
        assert row["source"] == "'" * is_formula + SOURCE[index]
        assert [row[name] for name in NAMES] == [ONE[index], TWO[index]]
        assert row["reference 1"] == REFERENCES[index][0]
        assert float(row[f"BLEU of {NAMES[1]}"]) == pytest.approx(100 * scores(TWO)[index], abs=1e-4)
        assert float(row[f"effect of {NAMES[1]}"]) == pytest.approx(gains(fresh)[index], abs=1e-6)
    control(fresh, "query").send_keys("nowhere")
    assert fresh.all("[data-action='csv']")[0].get_attribute("aria-disabled") == "true"


def test_every_control_is_reached_by_tab(fresh: Browser) -> None:
    from selenium.webdriver import ActionChains

    reached = []
    for _ in range(60):
        ActionChains(fresh.driver).send_keys("\ue004").perform()  # Tab
        element = "const e = document.activeElement; return e.name || e.dataset.action || e.getAttribute('href') || ''"
        reached.append(fresh.run(element))
    assert [name for name in reached if name.startswith("#")][:5] == [
        "#summary",
        "#groups",
        "#distributions",
        "#parts",
        "#sentences",
    ]
    assert {"query", "system", "order", "low", "high", "reset", "previous", "next", "copy"} <= set(reached)


def test_references_show_what_the_chosen_system_lacks(fresh: Browser) -> None:
    def marks() -> list[str]:
        spans = fresh.run("return [...document.querySelector('#s1 .reference').querySelectorAll('.text span')]")
        return [(span.get_attribute("class"), span.text) for span in spans]

    choose(fresh, "order", "number")
    assert fresh.texts("#s1 .reference .text") == ["the cat sat on a mat"]
    assert marks() == [("m1", "a mat")]  # words that match alike have one mark
    choose(fresh, "system", "0")
    assert marks() == [("m0", "a"), ("m1", "mat")]
    choose(fresh, "system", "1")
    assert marks() == [("m1", "the"), ("m3", "cat sat on"), ("m1", "a mat")]
    assert fresh.texts(".missing-from")[0].startswith("系统")


def test_the_signature_is_copied(fresh: Browser) -> None:
    fresh.run("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    fresh.all("[data-action='copy']")[0].click()
    assert fresh.run("return window.copied") == fresh.texts(".settings code")[0]
    fresh.run("navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))")
    fresh.all("[data-action='copy']")[0].click()
    assert fresh.run("return getSelection().toString()").strip() == fresh.texts(".settings code")[0]


def test_a_table_is_sorted_by_click_and_key(fresh: Browser) -> None:
    script = "return [...document.querySelector('.scores').tBodies[0].rows].map(r => +r.cells[1].dataset.value)"
    button = fresh.all(".scores th button")[1]
    button.click()
    assert fresh.run(script) == sorted(fresh.run(script))
    button.send_keys("\ue007")  # Enter
    assert fresh.run(script) == sorted(fresh.run(script), reverse=True)
    heading = fresh.all(".scores th")[1]
    assert heading.get_attribute("aria-sort") == "descending"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_no_violation_of_the_accessibility_rules(fresh: Browser, scheme: str, width: int) -> None:
    """The rules of WCAG 2.2, levels A and AA, that axe-core checks."""
    pytest.importorskip("selenium_axe_python", reason="needs axe-core: pip install '.[test-all]'")
    fresh.size(width)
    fresh.scheme(scheme)
    choose(fresh, "order", "low")
    assert fresh.axe_violations() == []
    fresh.size(1280)
    fresh.scheme("light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_notebooks_output_is_accessible(browser: Browser, tmp_path: Path, scheme: str) -> None:
    pytest.importorskip("selenium_axe_python", reason="needs axe-core: pip install '.[test-all]'")
    statistics = system_statistics({"one": ONE, "two": TWO}, REFERENCES)
    results = [corpus_bleu(ONE, REFERENCES), paired_bootstrap(statistics["one"], {"two": statistics["two"]})]
    pieces = "".join(result._repr_html_() for result in results)
    style = "<style>:root { color-scheme: light dark; }</style>"
    page = tmp_path / "notebook.html"
    page.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>x</title>{style}<main><h1>x</h1>{pieces}</main></html>",
        encoding="utf-8",
    )
    address = browser.run("return location.href")
    try:
        browser.scheme(scheme)
        browser.open(page)
        assert browser.axe_violations() == []
    finally:
        browser.scheme("light")
        browser.open(address)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light"), (320, "dark")])
def test_no_wider_than_the_screen(page: Browser, width: int, scheme: str) -> None:
    page.size(width)
    page.scheme(scheme)
    assert page.run("return window.innerWidth") == width
    assert page.overflow() == 0
    colour = page.run("return getComputedStyle(document.body).color")
    assert (sum(map(int, colour.strip("rgb()").split(","))) > 380) == (scheme == "dark")
    page.size(1280)


def test_text_of_the_data_is_text(page: Browser) -> None:
    choose(page, "order", "number")
    assert page.run("return window.hacked") is None
    shown = "".join(page.texts(".sentence"))
    assert "<script>window.hacked = 1</script>" in shown
    assert "<img src=x onerror='window.hacked = 1'>" in shown
    assert page.run("return document.title") == "</title><script>window.hacked = 1</script>"
    assert not page.all("main img, main script, bdi b, .text b")


def test_nothing_is_loaded_and_no_error_is_logged(page: Browser) -> None:
    page.requests()  # drops those of other tests
    page.driver.refresh()
    assert page.console_errors() == []
    [policy] = page.all("meta[http-equiv='Content-Security-Policy']")
    assert policy.get_attribute("content").startswith("default-src 'none';")
    links = [link.get_attribute("href") for link in page.all("nav:not(.pager) a")]
    assert [link.split("#")[1] for link in links] == [part.get_attribute("id") for part in page.all("section.part")]
    requests = page.requests()
    assert requests
    assert all(address.startswith("file:///") and address.endswith("report.html") for address in requests)

"""The report in a real browser: search, order, pages, links, CSV, keys, accessibility; nothing of the data runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, browser
from html_of import sentences_of
from waiting import wait

from bleu_metric import corpus_bleu, paired_bootstrap, report, sentence_bleu, system_statistics

__all__ = ["browser"]

pytestmark = pytest.mark.heavy

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
GROUPS = ["short", "<b onclick='window.hacked = 1'>"] * 2 + ["long"] * 21
NAMES = ["<b onclick='window.hacked = 1'>نظام", "系统 " + "long-name" * 12]


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    path = tmp_path_factory.mktemp("report") / "report.html"
    systems = dict(zip(NAMES, (ONE, TWO), strict=True))
    title = "</title><script>window.hacked = 1</script>"
    report(path, systems, REFERENCES, tokenizer="zh", title=title, source=SOURCE, groups=GROUPS, baseline=NAMES[0])
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


SEARCHES = {"CAT SAT": [1], "猫坐": [5], "#2": [2], "the source": [1], "nowhere": []}


@pytest.mark.parametrize("query", SEARCHES)
def test_search(fresh: Browser, query: str) -> None:
    box = control(fresh, "query")
    box.send_keys(query)
    found = SEARCHES[query]
    assert (shown(fresh), status(fresh)) == (found, "1–1 of 1" if found else "No sentence matches")
    fresh.all("[data-action='reset']")[0].click()
    assert (len(shown(fresh)), box.get_attribute("value")) == (20, "")


def scores(system: list[str]) -> list[float]:
    return [100 * float(score) for score in sentence_bleu(system, REFERENCES, tokenizer="zh")]


def gains(page: Browser) -> list[float]:
    """The effect of each sentence on the difference between the systems."""
    effects = [sentence.effects for sentence in sentences_of(page.source())]
    return [two - one for one, two in effects]


# Order -> the key of a sentence, computed from the first system's score and from the effect on the difference
ORDERS: dict[str, Callable[[float, float], float]] = {
    "range": lambda score, gain: -abs(gain),
    "gain": lambda score, gain: -gain,
    "loss": lambda score, gain: gain,
    "low": lambda score, gain: score,
    "high": lambda score, gain: -score,
}


@pytest.mark.parametrize("order", ORDERS)
def test_order(fresh: Browser, order: str) -> None:
    if order != "range":  # the default
        choose(fresh, "system", "0" if order in ("low", "high") else "")
        choose(fresh, "order", order)
    keys = list(map(ORDERS[order], scores(ONE), gains(fresh)))
    assert [keys[number - 1] for number in shown(fresh)] == sorted(keys)[:20]


def test_the_numbers_of_a_sentence(fresh: Browser) -> None:
    choose(fresh, "order", "number")
    effect = f"{gains(fresh)[0]:+.3f}".replace("-", "−")
    numbers = list(filter(None, fresh.texts("#s1 .value")))
    assert numbers == [f"{scores(ONE)[0]:.1f}", f"{scores(TWO)[0]:.1f}", effect]


def test_filter(fresh: Browser) -> None:
    choose(fresh, "system", "0")
    control(fresh, "low").send_keys("99")
    high = [number for number, value in enumerate(scores(ONE), 1) if value >= 99]
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
        index = int(row["line"]) - 1
        assert row["group"].lstrip("'") == GROUPS[index]
        is_formula = SOURCE[index][:1] in tuple("=+-@\t") and SOURCE[index] != "-19.3"
        assert row["source"] == "'" * is_formula + SOURCE[index]
        assert [row[name] for name in NAMES] == [ONE[index], TWO[index]]
        assert row["reference 1"] == REFERENCES[index][0]
        assert float(row[f"bleu of {NAMES[1]}"]) == pytest.approx(scores(TWO)[index], abs=1e-4)
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
    sections = ["#summary", "#parts", "#sentences", "#settings"]
    assert [name for name in reached if name.startswith("#")][: len(sections)] == sections
    assert {"query", "system", "group", "order", "low", "high", "reset", "previous", "next", "copy"} <= set(reached)


def test_references_show_what_the_chosen_system_lacks(fresh: Browser) -> None:
    def marks() -> list[str]:
        spans = fresh.run("return [...document.querySelector('#s1 .reference').querySelectorAll('.text span')]")
        return [(span.get_attribute("class"), span.text) for span in spans]

    choose(fresh, "order", "number")
    assert fresh.texts("#s1 .reference .text") == ["the cat sat on a mat"]
    assert marks() == []  # each word is in one of the outputs
    choose(fresh, "system", "0")
    assert marks() == [("m0", "a")]
    choose(fresh, "system", "1")
    assert marks() == []
    assert fresh.texts(".missing-from")[0].startswith("系统")


def test_the_signature_is_copied(fresh: Browser) -> None:
    fresh.run("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    fresh.all("[data-action='copy']")[0].click()
    assert fresh.run("return window.copied") == fresh.texts(".settings code")[0]
    fresh.run("navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))")
    fresh.all("[data-action='copy']")[0].click()
    assert fresh.run("return getSelection().toString()").strip() == fresh.texts(".settings code")[0]


def test_sentences_are_filtered_by_group(fresh: Browser) -> None:
    choose(fresh, "order", "number")
    choose(fresh, "group", "1")
    assert shown(fresh) == [2, 4]
    assert fresh.texts(".position") == [f"#{number} <b onclick='window.hacked = 1'>" for number in (2, 4)]
    fresh.all("[data-action='reset']")[0].click()
    assert len(shown(fresh)) == 20


def test_groups_are_sorted_by_name_size_and_difference(fresh: Browser) -> None:
    def order() -> list[str]:
        return fresh.texts("#parts tbody th")

    values = "return [...document.querySelector('#parts table').tBodies[0].rows].map(r => +r.cells[arguments[0]].dataset.value)"
    buttons = fresh.all("#parts th button")
    for column in (1, 2, 3):
        buttons[column].click()
        assert fresh.run(values, column) == sorted(fresh.run(values, column))
        buttons[column].send_keys("\ue007")  # Enter
        assert fresh.run(values, column) == sorted(fresh.run(values, column), reverse=True)
        assert fresh.all("#parts th")[column].get_attribute("aria-sort") == "descending"
    buttons[0].click()
    assert order() == ["<b onclick='window.hacked = 1'>", "long", "short"]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_wide_table_says_that_it_scrolls_sideways(page: Browser, tmp_path: Path, width: int) -> None:
    """No box scrolls downwards, no row is hidden, and the hint stands only above a table that is too wide."""
    references = ["a b c d"] * 80
    systems = {f"a long name {number}": ["a b c d"] * 66 + ["a b d"] * 14 for number in range(9)}
    address = page.run("return location.href")
    hints, downwards = [], []
    for named in (systems, dict(list(systems.items())[:2])):
        path = tmp_path / "report.html"
        report(path, named, references, groups=[f"g {row // 2}" for row in range(80)], max_sentences=20, test="none")
        page.size(width)
        page.open(path)
        hints.append(page.run("return document.querySelector('#parts .hint').offsetHeight > 0"))
        downwards.append(
            page.run("return [...document.querySelectorAll('.box')].every(b => b.scrollHeight <= b.clientHeight)")
        )
        names = page.run("document.querySelector('#parts th button').click(); return 0") or page.texts(
            "#parts tbody th"
        )
    page.size(1280)
    page.open(address)
    assert hints == [width == 390, False]
    assert downwards == [True, True]
    assert names[:3] == ["g 0", "g 1", "g 2"]  # and not "g 0", "g 1", "g 10"


SCREENS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"), (320, "dark")]


@pytest.fixture
def screen(page: Browser, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The page on a screen of some width, with light or dark colours."""
    width, scheme = request.param
    page.size(width)
    page.scheme(scheme)
    yield page
    page.size(1280)
    page.scheme("light")


@pytest.mark.parametrize("screen", SCREENS[::3], indirect=True)
def test_no_violation_of_the_accessibility_rules(screen: Browser) -> None:
    """The rules of WCAG 2.2, levels A and AA, that axe-core checks."""
    pytest.importorskip("selenium_axe_python", reason="needs axe-core: pip install --group test-all")
    choose(screen, "order", "low")
    assert screen.axe_violations() == []


@pytest.mark.parametrize("screen", SCREENS, indirect=True)
def test_no_wider_than_the_screen(screen: Browser, request: pytest.FixtureRequest) -> None:
    width, scheme = request.node.callspec.params["screen"]
    assert (screen.run("return window.innerWidth"), screen.overflow()) == (width, 0)
    colour = screen.run("return getComputedStyle(document.body).color")
    assert (sum(map(int, colour.strip("rgb()").split(","))) > 380) == (scheme == "dark")


@pytest.mark.parametrize("screen", SCREENS[:2], indirect=True)
def test_a_notebooks_output_is_accessible(screen: Browser, tmp_path: Path) -> None:
    pytest.importorskip("selenium_axe_python", reason="needs axe-core: pip install --group test-all")
    one, two = system_statistics({"one": ONE, "two": TWO}, REFERENCES).values()
    pieces = corpus_bleu(ONE, REFERENCES)._repr_html_() + paired_bootstrap(one, two)._repr_html_()
    head = "<meta charset=utf-8><title>x</title><style>:root { color-scheme: light dark; }</style>"
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><html lang=en>{head}<main><h1>x</h1>{pieces}</main></html>", encoding="utf-8")
    address = screen.run("return location.href")
    screen.open(path)
    violations = screen.axe_violations()
    screen.open(address)
    assert violations == []


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

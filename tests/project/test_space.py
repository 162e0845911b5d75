"""The Space: the folder that is built, and its page in a real browser."""

from __future__ import annotations

import ast
import os
import re
import socket
import subprocess
import sys
import threading
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, browser
from html_of import sentences_of
from packaging.specifiers import SpecifierSet
from waiting import wait

from bleu_metric import corpus_bleu, paired_bootstrap, score_dialects, system_statistics

__all__ = ["browser"]

pytestmark = pytest.mark.heavy

ROOT = Path(__file__).resolve().parents[2]
HYP = [
    "the cat sat on the mat",
    "جلست القطة على السجادة الحمراء",
    "猫坐在垫子上。",
    "<script>window.hacked = 1</script> ${1+1} {{1+1}}",
]
REF = [
    "the cat sat on a mat",
    "جلست القطة على البساط الأحمر",
    "猫坐在一张垫子上。",
    "<script>window.hacked = 1</script> ${1+1}",
]

OTHER = ["a cat is on the mat", "جلست القطة", "猫在垫子上。", "<b>window.hacked = 1</b>"]


def build(out: Path, *python_options: str) -> str:
    """Run the script that assembles the Space; return its error, if any."""
    command = [sys.executable, *python_options, str(ROOT / "scripts" / "build_space.py"), str(out)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert bool(ran.returncode) == bool(ran.stderr)
    return ran.stderr


def run_app(space: Path, code: str) -> str:
    """Return what the code prints after it has imported the Space's app."""
    pytest.importorskip("gradio", reason="needs Gradio: pip install 'bleu_metric[space]'")
    command = [sys.executable, "-W", "ignore", "-c", f"import app\n{code}"]
    return subprocess.check_output(command, cwd=space, text=True)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("space") / "bleu_metric"
    assert build(out) == ""
    return out


@pytest.fixture(scope="module")
def page(space: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    pytest.importorskip("gradio", reason="needs Gradio: pip install 'bleu_metric[space]'")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1"}
    environment |= {"HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
    address = f"http://127.0.0.1:{port}/"
    log = tmp_path_factory.mktemp("log") / "log"
    with (
        log.open("wb") as file,
        subprocess.Popen([sys.executable, "app.py"], cwd=space, env=environment, stdout=file, stderr=file) as server,
    ):
        try:
            wait(lambda: answers(address) or server.poll() is not None)
            assert server.poll() is None, log.read_text()
            browser.size(1280)
            browser.open(address)
            wait(lambda: browser.all("#score"))
            yield browser
        finally:
            server.terminate()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def type_into(page: Browser, box: str, text: str) -> None:
    """Fill a text box as a paste does: the driver cannot type every character."""
    (element,) = page.all(f"#{box} textarea")
    page.run(
        "const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;"
        "set.call(arguments[0], arguments[1]); arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        *(element, text),
    )


def score_as(page: Browser, systems: list[list[str]], references: list[str], shown: str, where: str = ".big") -> None:
    """Type one system or two, click, and wait until the page shows a text."""
    first, second = [*systems, []][:2]
    for box, lines in {"other": second, "hypotheses": first, "references": references}.items():
        type_into(page, box, "\n".join(lines))
    page.all("#score")[0].click()
    texts = f"return [...document.querySelectorAll('#result {where}')].map(e => e.innerText).join()"
    wait(lambda: shown in page.run(texts))


def reload(page: Browser, query: str = "") -> None:
    """Open the page anew, so that nothing is chosen or uploaded."""
    page.open(page.run("return location.origin") + query)
    wait(lambda: page.all("#score"))


def test_type_click_read(page: Browser) -> None:
    score = corpus_bleu(HYP, REF)
    score_as(page, [HYP], REF, f"BLEU {100 * score.bleu:.1f}")
    signatures = [score.signature, score.sacrebleu_signature]
    assert page.texts("#result .settings .copied")[:3] == [f"{100 * score.bleu:.1f}", *signatures]
    numbers = page.texts("#result .scores tbody td:nth-child(2)")
    assert numbers == [f"{100 * each.bleu:.1f}" for each in score_dialects(HYP, REF).values()]
    assert HYP[3] in page.texts("#result #s4 .text")[0]
    assert page.run("return window.hacked") is None


def choose(page: Browser, dialect: str) -> None:
    """Choose a dialect from the list by its name, and wait until the list is closed, which takes a moment."""
    (box,) = page.all("#dialect input")
    box.click()
    box.send_keys(
        f"\ue009a\ue000{dialect}: "
    )  # Control and A, then the name: the list shows the options that contain it
    line = f"[role=option][aria-label*=' {dialect}: ']"
    wait(lambda: click_if_shown(page, line))
    wait(lambda: not page.all("[role=option]"))


def click_if_shown(page: Browser, selector: str) -> bool:
    """Click the first element that is displayed, unless the page replaces it at this moment. Return whether it worked."""
    from selenium.common.exceptions import StaleElementReferenceException

    with suppress(StaleElementReferenceException):
        for element in page.all(selector):
            if element.is_displayed():
                element.click()
                return True
    return False


def compare(page: Browser) -> None:
    """Score two systems, and wait until the page shows both."""
    score_as(page, [HYP, OTHER], REF, "System B", ".systems")


def test_two_systems(page: Browser, tmp_path: Path) -> None:
    compare(page)
    statistics = system_statistics({"System A": HYP, "System B": OTHER}, REF, "sacrebleu")
    expected = paired_bootstrap(statistics["System A"], {"System B": statistics["System B"]}, baseline_name="System A")
    assert page.texts("#result .sentence:first-child .who bdi") == ["System A", "System B", "Reference"]
    assert len(page.all("#result .scores")) == 2  # every dialect of each system
    assert run_code(copy(page, "Python"), "comparison.rows()", tmp_path) == expected.rows()
    assert copy(page, "Signature") == expected.signature


@pytest.mark.parametrize(("system", "theme", "width"), [("light", "dark", 1280), ("dark", "light", 390)])
def test_the_page_is_accessible_in_its_own_theme(system: str, theme: str, width: int, page: Browser) -> None:
    """The panel follows the theme of the page around it, not the setting of the system."""
    try:
        page.size(width)
        page.scheme(system)
        reload(page, f"/?__theme={theme}")
        compare(page)
        for summary in page.all("#result summary")[:2]:
            summary.click()
        colours = page.run(
            "const look = getComputedStyle(document.querySelector('#result .bleu-metric'));"
            "return [look.color, look.backgroundColor]"
        )
        text, ground = (sum(map(int, re.findall("[0-9]+", colour)[:3])) for colour in colours)
        assert (text > ground) == (theme == "dark"), colours
        assert page.overflow() == 0
        wait(lambda: page.run("return document.getAnimations().length === 0"))
        assert page.axe_violations() == []
    finally:
        page.size(1280)
        page.scheme("light")
        reload(page)


def test_an_example_fills_the_boxes(page: Browser) -> None:
    next(button for button in page.all("button") if button.text == "Two systems").click()
    wait(lambda: page.run("return document.querySelector('#other textarea').value.startsWith('A known fact')"))
    page.all("#score")[0].click()
    wait(lambda: any("System B" in text for text in page.texts("#result .systems")))


def copy(page: Browser, name: str) -> str:
    """Click the button beside a text, and return what it copies."""
    page.run("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    for summary in page.all("#result details:not([open]):has(.settings) > summary"):
        summary.click()
    (row,) = [row for row in page.all("#result .settings > div") if row.text.startswith(name)]
    row.find_element("css selector", "button").click()
    return str(page.run("return window.copied"))


def run_code(code: str, shown: str, folder: Path) -> Any:
    """Run what was copied as a program of its own, and return the value of an expression after it."""
    faster = "import sys; sys.modules['transformers'] = None"  # evaluate would import it, which takes seconds
    program = f"{faster}\n{code}\nprint(repr({shown}))"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-c", program]
    output = subprocess.check_output(command, cwd=folder, env=environment, text=True, encoding="utf-8")
    return ast.literal_eval(output.splitlines()[-1])


def test_copied_code_gives_the_result(page: Browser, tmp_path: Path, own_cache: None) -> None:
    choose(page, "nltk")
    hypotheses = [*HYP, 'it\'s "quoted" \\n {x}']
    references = [*REF, 'it is "quoted" \\n {x}']
    expected = corpus_bleu(hypotheses, references, "nltk")
    score_as(page, [hypotheses], references, expected.signature, ".settings code")
    assert copy(page, "Signature") == expected.signature
    assert run_code(copy(page, "Python"), "score.bleu", tmp_path) == expected.bleu
    assert run_code(copy(page, "With evaluate"), "result['bleu']", tmp_path) == expected.bleu
    choose(page, "sacrebleu")


def test_code_for_long_texts_reads_files(space: Path, tmp_path: Path, own_cache: None) -> None:
    """All options are chosen; the texts are those of files with line ends of all sorts."""
    files = {"hyp.txt": HYP * 20, "ref 'one'.txt": REF * 20, "ref2.txt": HYP[::-1] * 20}
    for name, lines in files.items():
        (tmp_path / name).write_bytes("\r\n".join([*lines, "a\rb"]).encode("utf-8-sig"))
    hypothesis_file, *reference_files = (str(tmp_path / name) for name in files)
    arguments = ["", "", "", hypothesis_file, reference_files, None, "sacrebleu", "char", "floor", 3, True]
    html = run_app(space, f"print(app.answer(*{arguments!r}))")
    found = re.findall('<code class="copied[^"]*">(.*?)</code>', html, re.DOTALL)
    percent, signature, of_package, of_evaluate = map(unescape, found)
    first, *others = ([*lines, "a\rb"] for lines in files.values())
    options: Any = {"tokenizer": "char", "smoothing": "floor", "max_order": 3, "lowercase": True}
    expected = corpus_bleu(first, list(zip(*others, strict=True)), "sacrebleu", **options)
    assert (percent, signature) == (f"{100 * expected.bleu:.1f}", expected.signature)
    assert run_code(of_package, "score.bleu", tmp_path) == expected.bleu
    assert run_code(of_evaluate, "result['bleu']", tmp_path) == expected.bleu


def test_upload(page: Browser, tmp_path: Path) -> None:
    paths = {"hyp.txt": HYP, "ref1.txt": REF, "ref2.txt": HYP[::-1]}
    for name, lines in paths.items():
        (tmp_path / name).write_text("\r\n".join(lines), encoding="utf-8-sig")
    next(button for button in page.all("button") if button.text.startswith("Upload files")).click()
    wait(lambda: page.all("#hypothesis-file input[type=file]") and page.all("#reference-files input[type=file]"))
    page.all("#hypothesis-file input[type=file]")[0].send_keys(str(tmp_path / "hyp.txt"))
    page.all("#reference-files input[type=file]")[0].send_keys(f"{tmp_path / 'ref1.txt'}\n{tmp_path / 'ref2.txt'}")
    wait(lambda: len([row for row in page.all(".file-preview tr") if row.text]) >= 3)
    expected = corpus_bleu(HYP, list(zip(REF, HYP[::-1], strict=True)), "sacrebleu")
    score_as(page, [["ignored"]], ["ignored"], expected.signature, ".settings code")
    assert page.texts("#result .big") == [f"BLEU {100 * expected.bleu:.1f}"]


def test_nothing_comes_from_elsewhere(page: Browser) -> None:
    assert [url for url in page.requests() if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []
    left_early = ("AbortError", "Connection errored out")  # Gradio says so when a page is left during a request
    assert [error for error in page.console_errors() if not any(words in error for words in left_early)] == []


def test_the_hub_serves_the_metric(space: Path, tmp_path: Path) -> None:
    """A local server stands for the Hub: it has the branch main of the Space user/bleu_metric, and no tags."""
    branch = "/spaces/user/bleu_metric/resolve/main/"

    class Hub(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            return str(space / path.removeprefix(branch)) if path.startswith(branch) else "/no such file"

        def log_message(self, *_: Any) -> None:
            pass

    code = (
        "import sys; sys.modules['transformers'] = None\n"
        "import evaluate\n"
        "metric = evaluate.load('user/bleu_metric', 'nltk')\n"
        "print(metric.compute(predictions=['the cat sat on the mat'], references=['the cat sat on a mat'])['signature'])"
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        environment |= {"HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "HF_HOME": str(tmp_path)}
        command = [sys.executable, "-W", "ignore", "-c", code]
        ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        server.shutdown()
    assert ran.returncode == 0, ran.stderr
    signature = corpus_bleu(["the cat sat on the mat"], ["the cat sat on a mat"], "nltk").signature
    assert ran.stdout.splitlines()[-1] == signature


def test_limits(space: Path) -> None:
    """This calls the app itself: a browser takes minutes to lay out two megabytes in a box."""
    code = (
        "for text in ('a b c d\\n' * 260_000, 'a b\\n' * 201):\n"
        "    print(app.answer(text, text, '', None, None, None, 'sacrebleu', app.AS_DIALECT, app.AS_DIALECT, 4, False))"
    )
    shown = run_app(space, code)
    assert "the texts have 4,160,000 bytes; this page accepts up to 2,000,000 bytes." in shown
    assert "201 in all, the first 200 are shown" in shown
    assert len(sentences_of(shown)) == 200


def test_what_the_hub_needs(space: Path) -> None:
    card = (space / "README.md").read_text()
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert SpecifierSet(needed).contains(re.findall(r'^python_version: "(.*)"', card, re.MULTILINE)[0])
    assert (space / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert "import bleu_metric" not in card
    assert "bleu_metric.PATH" not in card
    assert card.count('evaluate.load("user/bleu_metric")') == 2


def test_other_folders_are_left_alone(space: Path, tmp_path: Path) -> None:
    for out in (ROOT, ROOT / "bleu_metric", ROOT.parent, ROOT / "scripts" / "new"):
        assert "is inside this project or contains it" in build(out)
    (tmp_path / "letter.txt").touch()
    assert "is not empty and not a Space" in build(tmp_path)
    assert "bleu_metric is not installed" in build(tmp_path / "space", "-S", "-E")  # without installed packages
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    (space / "_mine.py").touch()
    assert build(space) == ""
    assert (space / "_mine.py").exists()

"""The Space: the folder that is built, and its page in a real browser."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import evaluate
import pytest
from browser import Browser, browser

from bleu_metric import DIALECTS, corpus_bleu, score_dialects

__all__ = ["browser"]

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


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("space") / "bleu_metric"
    subprocess.run([sys.executable, str(ROOT / "scripts" / "build_space.py"), str(out)], check=True)
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
            wait(lambda: answers(address) or server.poll() is not None, 90)
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


def wait(until: Callable[[], Any], seconds: float = 20) -> Any:
    """Wait until something is true, and return it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := until():
            return result
        time.sleep(0.1)
    raise TimeoutError(f"still not true after {seconds} seconds")


def type_into(page: Browser, box: str, text: str) -> None:
    """Fill a text box as a paste does: the driver cannot type every character."""
    (element,) = page.all(f"#{box} textarea")
    page.run(
        "const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;"
        "set.call(arguments[0], arguments[1]); arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        *(element, text),
    )


def score_as(page: Browser, hypotheses: list[str], references: list[str], shown: str, where: str = ".big") -> None:
    """Type, click, and wait until the page shows a text."""
    type_into(page, "hypotheses", "\n".join(hypotheses))
    type_into(page, "references", "\n".join(references))
    page.all("#score")[0].click()
    wait(
        lambda: (
            shown in page.run(f"return [...document.querySelectorAll('#result {where}')].map(e => e.innerText).join()")
        )
    )


def headline(dialect: str = "sacrebleu") -> str:
    return f"BLEU {100 * corpus_bleu(HYP, REF, dialect).bleu:.1f}"


def test_type_click_read(page: Browser) -> None:
    score = corpus_bleu(HYP, REF, "sacrebleu")
    score_as(page, HYP, REF, headline())
    assert page.texts("#result .score code") == [score.signature]
    assert page.texts("#result .score .bars .number")[0].startswith(f"{100 * score.precisions[0]:.1f} %")
    assert len(page.all("#result .sentence")) == len(HYP)
    assert "the cat sat on" in page.texts("#result .sentences .m4")
    numbers = page.texts("#result .scores tbody td:nth-child(2)")
    expected = score_dialects(HYP, REF)
    texts = {dialect: f"{100 * score.bleu:.2f}" for dialect, score in expected.items()}
    assert dict(zip(DIALECTS, numbers, strict=True)) == texts


def test_text_stays_text(page: Browser) -> None:
    score_as(page, HYP, REF, headline())
    assert HYP[3] in page.texts("#result .sentence:nth-child(4) .text")[0]
    assert page.run("return window.hacked") is None
    directions = page.run(
        "return [...document.querySelectorAll('#result .sentences .text')].map(e => getComputedStyle(e).direction)"
    )
    assert directions[:4] == ["ltr", "ltr", "rtl", "rtl"]


def test_sentences_are_searched_and_ordered(page: Browser) -> None:
    score_as(page, HYP, REF, headline())
    shown = "return [...document.querySelectorAll('#result .sentence')].filter(e => e.offsetHeight)"
    (choice,) = page.all("#result [name='order'] option[value='low']")
    choice.click()
    values = page.run(f"{shown}.map(e => +e.dataset.scores)")
    assert values == sorted(values) != sorted(values, reverse=True)
    (box,) = page.all("#result [name='query']")
    box.send_keys("#2")
    assert page.run(f"{shown}.map(e => e.dataset.number)") == ["2"]


def choose(page: Browser, dialect: str) -> None:
    """Choose a dialect from the list by its name, and wait until the list is closed, which takes a moment."""
    (box,) = page.all("#dialect input")
    box.click()
    box.send_keys("\ue009a\ue000" + dialect)  # Control and A, then the name: the list shows the options that contain it
    wait(lambda: any(option.is_displayed() for option in page.all(f"[role=option][aria-label='{dialect}']")))
    page.all(f"[role=option][aria-label='{dialect}']")[0].click()
    wait(lambda: not page.all("[role=option]"))


def test_another_dialect(page: Browser) -> None:
    choose(page, "torchtext")
    score_as(page, HYP, REF, headline("torchtext"))
    choose(page, "sacrebleu")
    score_as(page, HYP, REF, headline())


def test_bad_input_shows_the_error(page: Browser) -> None:
    score_as(page, ["one", "two"], ["one"], "2 lines of hypotheses, but 1 of references", ".error")
    score_as(page, [], [], "no predictions to score", ".error")
    score_as(page, HYP, REF, headline())


def test_on_a_telephone(page: Browser, tmp_path: Path) -> None:
    page.size(390, 844)
    try:
        score_as(page, HYP, REF, headline())
        assert page.overflow() == 0
        widths = page.run(
            "return [...document.querySelectorAll('textarea, #score')].map(e => e.getBoundingClientRect().width)"
        )
        assert min(widths) > 250
    finally:
        page.size(1280)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("system", ["light", "dark"])
def test_readable_in_the_theme_of_the_page(system: str, theme: str, page: Browser) -> None:
    """The panel follows the theme of the page around it, not the setting of the system."""
    address = page.run("return location.origin")
    try:
        page.scheme(system)
        page.open(f"{address}/?__theme={theme}")
        wait(lambda: page.all("#score"))
        score_as(page, HYP, REF, headline())
        text, ground = page.run(
            "const panel = document.querySelector('#result .bleu-metric');"
            "return [getComputedStyle(panel.querySelector('.big')).color, getComputedStyle(panel).backgroundColor]"
        )
    finally:
        page.scheme("light")
        page.open(address)
        wait(lambda: page.all("#score"))
    contrast = brightness(text) - brightness(ground)
    assert (contrast > 300) == (theme == "dark"), (text, ground)
    assert abs(contrast) > 300, (text, ground)


def brightness(colour: str) -> int:
    """The sum of red, green and blue."""
    return sum(map(int, re.findall("[0-9]+", colour)[:3]))


def test_upload(page: Browser, tmp_path: Path) -> None:
    paths = {"hyp.txt": HYP, "ref1.txt": REF, "ref2.txt": HYP[::-1]}
    for name, lines in paths.items():
        (tmp_path / name).write_text("\r\n".join(lines), encoding="utf-8-sig")
    next(button for button in page.all("button") if button.text.startswith("Upload files")).click()
    wait(lambda: page.all("#hypothesis-file input[type=file]") and page.all("#reference-files input[type=file]"))
    page.all("#hypothesis-file input[type=file]")[0].send_keys(str(tmp_path / "hyp.txt"))
    page.all("#reference-files input[type=file]")[0].send_keys(f"{tmp_path / 'ref1.txt'}\n{tmp_path / 'ref2.txt'}")
    wait(lambda: len([row for row in page.all(".file-preview tr") if row.text]) >= 3)
    references = list(zip(REF, HYP[::-1], strict=True))
    expected = corpus_bleu(HYP, references, "sacrebleu")
    score_as(
        page, ["ignored"], ["ignored, too"], expected.signature, ".score code"
    )  # another corpus may have the same score
    assert page.texts("#result .big") == [f"BLEU {100 * expected.bleu:.1f}"]


def test_nothing_comes_from_elsewhere(page: Browser) -> None:
    assert [url for url in page.requests() if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []
    assert page.console_errors() == []


def test_the_folder_is_a_metric(space: Path, own_cache: None) -> None:
    for path in (space, space / "bleu_metric.py"):
        metric = evaluate.load(str(path), "sacrebleu")
        assert metric.compute(predictions=HYP, references=REF)["bleu"] == corpus_bleu(HYP, REF, "sacrebleu").bleu


def test_another_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    command = [sys.executable, str(ROOT / "scripts" / "build_space.py"), str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "is not empty and not a Space" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_limits(space: Path) -> None:
    """This calls the app itself: a browser takes minutes to lay out two megabytes in a box."""
    pytest.importorskip("gradio", reason="needs Gradio: pip install 'bleu_metric[space]'")
    code = (
        "import app\n"
        "for text in ('a b c d\\n' * 260_000, 'a b\\n' * 201):\n"
        "    print(app.answer(text, text, None, None, 'sacrebleu', app.AS_DIALECT, app.AS_DIALECT, 4, False))"
    )
    shown = subprocess.check_output([sys.executable, "-W", "ignore", "-c", code], cwd=space, text=True)
    assert "the texts have 4,160,000 bytes; this page takes 2,000,000." in shown
    assert "201 in all, the first 200 are shown" in shown
    assert shown.count('<li class="sentence"') == 200


def test_the_project_is_left_alone(space: Path, tmp_path: Path) -> None:
    for out in (ROOT, ROOT / "bleu_metric", ROOT.parent, ROOT / "scripts" / "new"):
        command = [sys.executable, str(ROOT / "scripts" / "build_space.py"), str(out)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 1
        assert "is part of this project or holds it" in ran.stderr
    (space / "_mine.py").touch()
    subprocess.run([sys.executable, str(ROOT / "scripts" / "build_space.py"), str(space)], check=True)
    assert (space / "_mine.py").exists()


def test_front_matter(space: Path) -> None:
    card = (space / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\ntitle: BLEU")
    assert card.endswith((ROOT / "metric_card.md").read_text(encoding="utf-8"))
    assert "evaluate>=" in (space / "requirements.txt").read_text()

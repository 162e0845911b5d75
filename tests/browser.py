"""A real browser for the tests of pages: Chromium, driven by Selenium.

``from browser import browser`` makes the fixture known in a test module. The browser needs no window.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

BINARIES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = "--headless --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()
ARGUMENTS += "--disable-component-update --disable-sync --disable-default-apps --lang=en".split()
HINT = (
    "needs Chromium with its driver, and Selenium: apt install chromium chromium-driver; pip install --group test-all"
)


class Browser:
    """A browser with one open page; `driver` is Selenium's."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, address: str | Path) -> None:
        self.driver.get(address.absolute().as_uri() if isinstance(address, Path) else address)

    def size(self, width: int, height: int = 900) -> None:
        """Set the size of the screen in pixels; a window cannot be as narrow as that of a telephone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def scheme(self, name: str) -> None:
        """Prefer ``light`` or ``dark`` colours."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript: ``run("return document.title")``."""
        return self.driver.execute_script(script, *arguments)

    def source(self) -> str:
        """The file of the page, as it was written."""
        return Path(url2pathname(urlsplit(self.driver.current_url).path)).read_text(encoding="utf-8")

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", selector))

    def texts(self, selector: str) -> list[str]:
        return [element.text for element in self.all(selector)]

    def overflow(self) -> int:
        """How many pixels the page is wider than the screen."""
        return int(self.run("const page = document.documentElement; return page.scrollWidth - page.clientWidth"))

    def console_errors(self) -> list[str]:
        """The errors of the page since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def requests(self) -> list[str]:
        """The addresses that the page requested since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [message["params"] for message in messages if message["method"] == "Network.requestWillBeSent"]
        return [request["request"]["url"] for request in sent]

    def axe_violations(self) -> list[str]:
        """What axe-core, which selenium-axe-python brings, finds against WCAG 2.2, levels A and AA."""
        axe = resources.files("selenium_axe_python") / "axe-core" / "axe.min.js"
        if not self.run("return 'axe' in window"):
            self.run(axe.read_text(encoding="utf-8"))
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
        self.driver.set_script_timeout(300)  # seconds, for a machine under load
        script = "const done = arguments[1]; axe.run({runOnly: arguments[0]}).then(done)"
        found = self.driver.execute_async_script(script, tags)
        return [
            f"{violation['id']}: {node['html'][:200]}"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    binary = next(filter(None, map(shutil.which, BINARIES)), None)
    driver_path = shutil.which("chromedriver")
    if binary is None or driver_path is None:
        pytest.skip(HINT)
    webdriver = pytest.importorskip("selenium.webdriver", reason=HINT)
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    profile = tmp_path_factory.mktemp("browser")
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root:  # Chromium refuses to run as root in its sandbox
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(driver_path))
    try:
        driver.get("about:blank")
        opened = Browser(driver)
        opened.requests()  # drops those of the browser's own first page
        yield opened
    finally:
        driver.quit()

"""Options of the test run."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A shell that starts pytest in the background has it ignore Ctrl-C, and so the processes that tests start
signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.pop("COLUMNS", None)  # pytest-xdist sets it, and commands would wrap what they print

if "MUTANT_UNDER_TEST" in os.environ:
    # mutmut calls the package's functions through this module, whose lines would else count as the user's
    sys.modules["mutmut.mutation.trampoline"].__name__ = "bleu_metric.trampoline"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--heavy", action="store_true", help="run the heavy tests, too")
    parser.addoption(
        "--more-cases", type=float, metavar="N", help="draw N times as many random cases (default: 0.5, --heavy: 1)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Set how many examples Hypothesis draws, before tests are collected: their own settings are multiples of it."""
    if config.option.more_cases is None:
        config.option.more_cases = 1.0 if config.option.heavy else 0.5
    # A first call builds tables: no deadline. A failure prints the line that reproduces it.
    settings.register_profile(
        "bleu_metric",
        deadline=None,
        print_blob=True,
        max_examples=max(1, round(40 * config.getoption("--more-cases"))),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("bleu_metric")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let `pytest -n auto` run each file in one process, which starts a cluster or a browser of the file once."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave heavy tests out: `pip install ".[test]" && pytest` is to be short. Let random texts look like mistakes."""
    for item in items:
        is_random = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if is_random and not item.get_closest_marker("filterwarnings"):
            item.add_marker(pytest.mark.filterwarnings("ignore::UserWarning"))
    if config.getoption("--heavy"):
        return
    heavy = [item for item in items if item.get_closest_marker("heavy")]
    items[:] = [item for item in items if item not in heavy]
    config.hook.pytest_deselected(items=heavy)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Write one line that says which tests were left out, and how to run them."""
    missing = len(terminalreporter.stats.get("skipped", ()))
    left_out = [] if config.getoption("--heavy") else ["heavy tests (pytest --heavy)"]
    hint = "pytest -rs names them; most: pip install --group test-all"
    left_out += [f"{missing} tests of packages that are not installed ({hint})"] * (missing > 0)
    if left_out:
        terminalreporter.write_line("left out: " + ", ".join(left_out))


@pytest.fixture(scope="session")
def cases(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """Multiply the usual number of random cases by what --more-cases asks for."""
    more = request.config.getoption("--more-cases")
    return lambda usual: max(1, round(usual * more))


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let evaluate stage its data in a folder of the test's own."""
    import evaluate

    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", str(tmp_path / "metrics"))


@pytest.fixture
def metric(own_cache: None) -> object:
    """The metric in its default dialect, loaded as users load it."""
    import evaluate

    import bleu_metric

    return evaluate.load(bleu_metric.PATH)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with hyp.txt, ref.txt and ref2.txt."""
    from command_line import HYP, OTHER, REF, write_lines

    monkeypatch.chdir(tmp_path)
    for name, lines in {"hyp": HYP, "ref": REF, "ref2": OTHER}.items():
        write_lines(f"{name}.txt", lines)
    return tmp_path


@pytest.fixture
def bleu(files: Path, capsys: pytest.CaptureFixture[str]) -> object:
    """A `CommandLine` in the folder of `files`."""
    from command_line import CommandLine

    return CommandLine(capsys)

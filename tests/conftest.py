"""Options of the test run."""

import importlib.metadata
import importlib.util
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A first call builds tables: no deadline. A failure prints the line that reproduces it.
settings.register_profile("default", deadline=None, print_blob=True)
# For hours: `pytest tests/peers/test_oracle.py --hypothesis-profile=long`
settings.register_profile(
    "long", settings.get_profile("default"), max_examples=26_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")  # --hypothesis-profile is loaded later, and wins

# A shell that starts pytest in the background has it ignore Ctrl-C, and so the processes that tests start
signal.signal(signal.SIGINT, signal.default_int_handler)

# evaluate 0.4.6 asks transformers for a class that version 5 no longer has: its evaluators need version 4.
# .ci/hosts has an environment with version 4, and runs these tests there.
_versions = {package.name: package.version for package in importlib.metadata.distributions()}
collect_ignore = [] if _versions.get("transformers", "5").startswith("4.") else ["host/test_evaluator.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--corpora", type=int, default=300, help="random corpora to compare with each peer")
    parser.addoption("--lines", type=int, default=5000, help="random lines to compare each tokenizer on")
    parser.addoption("--calls", type=int, default=300, help="random calls of each compat module and its library")
    parser.addoption("--damages", type=int, default=2000, help="damaged files, over all formats")
    parser.addoption("--cases", type=int, default=1000, help="hostile cases, over all entry points")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave heavy tests out where only the test extra is installed: `pip install ".[test]" && pytest` is to be short."""
    if importlib.util.find_spec("pyspark") is None:
        for item in items:
            if item.get_closest_marker("heavy"):
                item.add_marker(pytest.mark.skip(reason="takes long, and runs after pip install '.[test-all]'"))


@pytest.fixture
def corpora(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--corpora")


@pytest.fixture
def lines(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--lines")


@pytest.fixture
def calls(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--calls")


@pytest.fixture
def cases(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--cases")


@pytest.fixture
def damages(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--damages")


@pytest.fixture
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether the long profile was asked for."""
    return request.config.getoption("--hypothesis-profile") == "long"


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

    return evaluate.load(str(Path(bleu_metric.__file__).parent))


@pytest.fixture(scope="module")
def by_arrays() -> Iterator[None]:
    """Count and score by arrays alone, which few texts do not need."""
    from inner_doors import by_arrays_alone

    with by_arrays_alone():
        yield


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with hyp.txt, ref.txt and ref2.txt."""
    from command_line import HYP, OTHER, REF

    monkeypatch.chdir(tmp_path)
    for name, lines in {"hyp": HYP, "ref": REF, "ref2": OTHER}.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path

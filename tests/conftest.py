"""Options of the test run."""

import importlib.metadata

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None)  # a first call builds tables
settings.load_profile("default")

# evaluate 0.4.6 asks transformers for a class that version 5 has no more: its evaluators run with version 4 alone.
# .ci/run has an environment with version 4, and runs these tests there.
_installed = {one.name: one.version for one in importlib.metadata.distributions()}
collect_ignore = [] if _installed.get("transformers", "5").startswith("4.") else ["test_evaluator.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--corpora", type=int, default=300, help="random corpora to compare with each peer")
    parser.addoption("--lines", type=int, default=5000, help="random lines to compare each tokenizer on")


@pytest.fixture
def corpora(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--corpora")


@pytest.fixture
def lines(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--lines")

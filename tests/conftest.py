"""Options of the test run."""

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None)  # a first call builds tables
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--corpora", type=int, default=300, help="random corpora to compare with each peer")
    parser.addoption("--lines", type=int, default=5000, help="random lines to compare each tokenizer on")


@pytest.fixture
def corpora(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--corpora")


@pytest.fixture
def lines(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--lines")

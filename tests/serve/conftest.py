"""One server for all tests of this folder."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.serve.running import Person, running


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="package")
def port(folder: Path) -> Iterator[int]:
    with running(folder) as own:
        yield own


@pytest.fixture
def people(port: int) -> Iterator[Callable[[], Person]]:
    """Give a new person at each call."""
    with ExitStack() as open_ones:
        yield lambda: open_ones.enter_context(Person(port))


@pytest.fixture
def person(people: Callable[[], Person]) -> Person:
    return people()

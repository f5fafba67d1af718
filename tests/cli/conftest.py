"""The command line: `puzzlekit` in this process, `started` as a process of its own."""

import pytest

from tests import commands
from tests.commands import Command


@pytest.fixture(scope="session")
def puzzlekit() -> Command:
    return commands.called


@pytest.fixture(scope="session")
def started() -> Command:
    return commands.started

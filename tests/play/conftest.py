"""One browser for the tests of this folder."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser import started


@pytest.fixture(scope="package")
def browser() -> Iterator[Page]:
    with started() as page:
        yield page

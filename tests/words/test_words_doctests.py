"""The examples in the docstrings are true."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("module", ["cache", "files", "lexicon", "lists", "marking", "paths", "sources"])
def test_examples(module: str) -> None:
    assert doctest.testmod(import_module(f"puzzlekit.words.{module}")).failed == 0

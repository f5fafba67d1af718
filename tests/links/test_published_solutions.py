"""Published links of boards of the collection, solved from the link:
the solution is the collection's.
"""

import json
import re

import pytest

from puzzlekit import load
from tests.corpus.kinds import kinds
from tests.corpus.notation import page
from tests.links.test_puzzlink import PUBLISHED

CORPUS = PUBLISHED.parent / "corpus"
BOARD = re.compile(r"own encoding of corpus (\w+) (\S+);")


def boards() -> list[tuple[str, str, str]]:
    """The links of boards of the collection, with the kind and the name of each."""
    if not PUBLISHED.is_file() or not CORPUS.is_dir():
        return []
    known = kinds()
    lines = map(json.loads, PUBLISHED.read_text("utf-8").splitlines())
    found = [(BOARD.search(line["checked"]), line["url"]) for line in lines]
    return [
        (match[1], match[2], url) for match, url in found if match is not None and match[1] in known
    ]


@pytest.mark.slow
@pytest.mark.skipif(not boards(), reason="the published links are not part of the project")
@pytest.mark.parametrize(
    "kind, name, link", boards(), ids=[f"{kind}-{name}" for kind, name, _ in boards()]
)
def test_the_solution_of_a_link_is_the_published_one(kind: str, name: str, link: str) -> None:
    pages = json.loads((CORPUS / f"{kind}.json").read_text("utf-8"))["data"][name]
    _, answer = kinds()[kind][0].convert(page(pages["problem"]), page(pages["solution"]))
    solutions = list(load(spec=link).solve(limit=2))
    assert [answer.found(solution.json()) for solution in solutions] == [answer.expected]

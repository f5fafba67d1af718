"""docs/security.md names tests: each is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)?(?:::(test_\w+))?`(?!`)")


def test_each_test_that_the_page_names_is_there() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = 0
    path = ""
    for found in filter(lambda found: found[1] or found[2], NAMED.finditer(text)):
        path = found[1] or path
        source = (ROOT / path).read_text(encoding="utf-8")
        assert found[2] is None or f"def {found[2]}(" in source, f"{path} has no {found[2]}"
        named += found[2] is not None
    assert named > 25

"""The text of a stranger becomes text: in a page and a picture it is no mark-up,
and in a lexicon's error it is not quoted.
"""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words import load

MARKUP = "</title></pre></style></text><script>alert(1)</script><img src=x onerror=alert(1)>\"'&]]>"
QUOTED = MARKUP.replace("'", "''")
TYPE = f"""puzzle: hostile
title: '{QUOTED}'
data:
  names: list[text]
variables:
  x[w]: bool for w in names
rules:
  all: all(x[w] for w in names)
show:
  shown: names
  x: {{}}
"""


class Elements(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}


def test_text_is_no_markup_in_a_page_or_a_picture(tmp_path: Path) -> None:
    (tmp_path / "hostile.yaml").write_text(TYPE)
    (tmp_path / "spec.yaml").write_text(
        f"puzzle: hostile\ntitle: '{QUOTED}'\nnames: ['{QUOTED}', b]\n"
    )
    command = ["solve", "hostile.yaml", "spec.yaml", "--svg", "p.svg", "--html", "p.html"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "puzzlekit", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    page, picture = (tmp_path / "p.html").read_text(), (tmp_path / "p.svg").read_text()
    assert "&lt;script&gt;" in page
    assert "&lt;script&gt;" in picture
    found = Elements(page)
    assert not found.tags & {"script", "img", "iframe", "object", "link", "base", "form"}
    assert not {
        name for name in found.attributes if name.startswith("on") or name in ("href", "src")
    }
    names = {part.tag.rpartition("}")[2] for part in ElementTree.fromstring(picture).iter()}
    assert not names & {"script", "image", "foreignObject", "a", "use"}


def test_a_lexicon_that_cannot_be_read_is_not_quoted(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"password\xff\xfe\n")
    with pytest.raises(LexiconError) as raised:
        load(str(secret))
    assert "password" not in str(raised.value)

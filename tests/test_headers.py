"""Headers of types: they say what the reader of types says, at a fraction of its cost."""

from pathlib import Path

import pytest

from puzzlekit import reading
from puzzlekit.catalogue import example_specs, read_header
from puzzlekit.errors import InputError
from puzzlekit.lang import read_type
from puzzlekit.links.link_format import links_of

ROOT = Path(__file__).resolve().parents[1]
TYPES = sorted((ROOT / "puzzles").glob("*.yaml"))
REST = "variables:\n  x: bool\n"


def test_a_header_says_what_the_reader_says_of_each_type(subtests: pytest.Subtests) -> None:
    for path in TYPES:
        with subtests.test(path.stem):
            header_says_what_the_reader_says(path)


def header_says_what_the_reader_says(path: Path) -> None:
    header, made = read_header(path), read_type(path)
    assert header.is_type
    for name in ("name", "title", "aliases", "group", "tags", "about"):
        assert getattr(header, name) == getattr(made, name), name
    assert header.goals == tuple(made.goals)
    form = links_of(made).puzzlink
    assert (form is not None) == ("puzzlink" in header.links)
    assert form is None or {*form.names, *form.also} <= header.links["puzzlink"]


def test_a_spec_is_no_type() -> None:
    assert not any(read_header(path).is_type for path in (ROOT / "specs" / "waffle").glob("*.yaml"))


@pytest.mark.parametrize(
    "text",
    [
        "puzzle: p\ntitle: plain\n" + REST,
        "# a comment\n\n---\npuzzle: p\ntitle: it's 3:4#1\n" + REST,
        "puzzle: p  # a comment\ntitle: a  # title\n" + REST,
        "puzzle: p\ntitle: 'it''s: quoted'\n" + REST,
        'puzzle: p\ntitle: "a\\u00e4 # b"\n' + REST,
        "puzzle: p\ntitle: >\n  a\n  folded one\n" + REST,
        "puzzle: p\ntitle: on two\n  lines\n\n# and a comment\n\n" + REST,
        "puzzle: p\naliases:\n  - one\n  - two\ntags: [a, 'b']\n" + REST,
        "puzzle: p\naliases:\n- one\n- two\ntags: [ a , b ]\n" + REST,
        "puzzle: p\ntags: [a,\n  b]\n" + REST,
        "puzzle: p\ntitle: 'a\ngroup: b'\n" + REST,
        "puzzle: p\nabout: |\n  a\n\n  b\n" + REST,
        "'puzzle': p\n'title': q\n" + REST,
        "{puzzle: p, title: q, variables: {x: bool}}\n",
        "\ufeffpuzzle: p\r\ntitle: q\r\n" + REST,
        "puzzle: p\ntitle:\n" + REST,
        "puzzle: p\n" + REST + "group: late\n",
    ],
)
def test_a_header_is_read_however_it_is_written(text: str, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(text.encode())
    header, made = read_header(path), read_type(path)
    assert (header.name, header.title, header.aliases) == (made.name, made.title, made.aliases)
    assert (header.group, header.tags, header.about) == (made.group, made.tags, made.about)
    assert header.is_type


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"- a\n", b"puzzle: [\n", b"a" * 2_000_000])
def test_what_is_no_type_or_spec_has_no_header(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_header(path)


def test_a_folder_and_a_missing_file_have_no_header(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        with pytest.raises(InputError):
            read_header(path)


def test_a_new_spec_that_is_tiny_is_not_the_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an example is depends on names, not on bytes."""
    specs = tmp_path / "specs" / "lamps"
    for folder in (tmp_path / "puzzles", specs):
        folder.mkdir(parents=True)
    monkeypatch.setattr(reading, "SHIPPED", (tmp_path / "puzzles",))
    for size, stem in enumerate(("board4", "board10", "first", "small")):
        (specs / f"{stem}.yaml").write_text("puzzle: lamps\n" * (size + 2), encoding="utf-8")

    def names() -> list[str]:
        return [path.stem for path in example_specs("lamps")]

    assert names() == ["small", "first", "board4", "board10"]
    (specs / "a_new_one.yaml").write_text("", encoding="utf-8")
    assert names() == ["small", "first", "a_new_one", "board4", "board10"]
    (specs / "tiny.yaml").write_text("puzzle: lamps\n" * 90, encoding="utf-8")
    assert names()[0] == "tiny"

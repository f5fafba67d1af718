"""Links on the command line: `import`, `export`, and commands that take a link as a spec."""

import re
from pathlib import Path

import pytest

from tests.commands import called

LINK = "https://puzz.link/p?nurikabe/2/2/2i"
WRONG = "https://puzz.link/p?nurikabe/2/2/2!"


def test_a_link_is_solved_drawn_counted_and_checked() -> None:
    done = called("solve", LINK)
    assert (done.returncode, done.stdout.splitlines()[0], " 2 " in done.stdout) == (
        0,
        "Nurikabe",
        True,
    ), done.stderr
    assert called("solve", LINK, "--count").stdout.startswith("2 solutions")
    assert "2 solutions" in called("solve", "nurikabe", LINK, "--count").stdout
    assert called("draw", LINK).stdout == "Nurikabe\n   2  ·\n   ·  ·\n"
    assert called("check", LINK).stdout == f"{LINK}: a valid spec; it has no expect\n"


@pytest.mark.parametrize("command", ["solve", "draw", "check", "import", "export"])
def test_a_wrong_link_is_reported_with_its_place(command: str) -> None:
    done = called(command, WRONG)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0].endswith(
        f"<link>:1:{len(WRONG)}: '!' has no meaning here"
    ), done.stderr


def test_a_link_of_another_type_is_refused() -> None:
    done = called("solve", "akari", LINK)
    assert (done.returncode, "akari has no links of the name nurikabe" in done.stderr) == (2, True)


def test_several_links_become_several_documents(tmp_path: Path) -> None:
    file = tmp_path / "links.txt"
    file.write_text(f"# two links\n{LINK}\n\n{WRONG}\nhttps://puzz.link/p?hitori/1/1/1\n", "utf-8")
    done = called("import", str(file))
    assert done.returncode == 2
    assert [text.splitlines()[0] for text in done.stdout.split("---\n")] == [
        "puzzle: nurikabe",
        "puzzle: hitori",
    ]
    assert done.stderr.startswith(f"{file}:4: <link>:1:{len(WRONG)}: ")


def test_specs_are_written_into_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "specs"
    done = called("import", LINK, LINK, "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in out.iterdir()) == ["nurikabe_1.yaml", "nurikabe_2.yaml"]
    assert called("export", str(out / "nurikabe_1.yaml")).stdout == f"{LINK}\n"


@pytest.mark.parametrize(
    ("name", "text", "first"),
    [
        ("board.sdk", "#A somebody\n" + "." * 8 + "1\n" + ("." * 9 + "\n") * 8, "Sudoku"),
        ("board.link", f"{LINK}\n", "Nurikabe"),
        ("board.txt", "pzprv3\nnurikabe\n2\n2\n2 . \n. . \n", "Nurikabe"),
    ],
)
def test_a_file_of_another_program_is_a_spec(
    tmp_path: Path, name: str, text: str, first: str
) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    for kind in ([], [first.lower()]):
        done = called("draw", *kind, str(file))
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, first), done.stderr
    assert called("check", str(file)).stdout == f"{file}: a valid spec; it has no expect\n"
    assert called("draw", "akari", str(file)).returncode == 2
    file.write_text("hello\n", "utf-8")
    assert "this begins with" in called("draw", str(file)).stderr


def test_what_is_no_link_is_refused() -> None:
    assert "there is no such file" in called("import", "nothing.txt").stderr
    assert "no notation reads it" in called("import", "https://example.com/").stderr
    assert "no notation reads it" in called("solve", "https://example.com/").stderr
    for command in ("import", "show"):
        assert len(called(command, "a" * 100_000).stderr) < 300
    done = called("export", "specs/heyawake/tiny.yaml", "--format", "puzlink")
    assert (done.returncode, "did you mean puzzlink?" in done.stderr) == (2, True)
    assert "queens has no links of puzz.link" in called("export", "specs/queens/n4.yaml").stderr


def test_an_exported_puzzle_is_written_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "link.txt"
    assert called("export", LINK, "--out", str(out)).stdout == f"{out}\n"
    assert out.read_text("utf-8") == f"{LINK}\n"


def test_pages_link_to_the_site(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    for command in ("draw", "solve"):
        assert called(command, LINK, "--html", str(out)).returncode == 0
        assert re.search(
            rf'<a href="{re.escape(LINK)}"[^>]*>Open at puzz.link</a>', out.read_text("utf-8")
        )
        assert called(command, "specs/queens/n4.yaml", "--html", str(out)).returncode == 0
        assert "puzz.link" not in out.read_text("utf-8")

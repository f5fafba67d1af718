"""Documents of several puzzles: what `draw` writes as PDF, PNG, HTML and SVG,
with solutions and without.
"""

import os
import struct
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typst
from pypdf import PdfReader

from puzzlekit.api import Puzzle, load
from puzzlekit.cli.commands.draw import draw_puzzles
from puzzlekit.options import PaperOptions
from puzzlekit.render.html_page import DocumentItem
from puzzlekit.render.paper_document import pdf
from puzzlekit.render.typeset import png, rasterised
from puzzlekit.scene import Scene, Text, TextSpan
from tests.commands import ROOT, Command
from tests.limits import replaced

SIX, KAKURO = "specs/sudoku/six.yaml", "specs/kakuro/tiny.yaml"
GIVENS = """
  ..3.2.
  .5....
  16...2
  ......
  ......
  62.4.5
"""
MARKUP = (
    '#import "@preview/a:1.0.0": * $x^2$ *b* _i_ `raw` <script>alert(1)</script> @ref \\ // '
    '#read("/etc/passwd") ]]> &amp;'
)


def six(path: Path, title: str = "Six", givens: str = GIVENS) -> str:
    """Write a sudoku of six by six; returns its path."""
    quoted = title.replace("'", "''")
    path.write_text(
        f"puzzle: sudoku\ntitle: '{quoted}'\nbox: 2x3\ngivens: |{givens}", encoding="utf-8"
    )
    return str(path)


def pages(path: Path) -> list[str]:
    """The text of each page of a document, on one line."""
    return [
        " ".join(page.extract_text().replace("\u200b", "").split())
        for page in PdfReader(path).pages
    ]


def size(path: Path) -> tuple[int, int]:
    """The width and height of a PNG file."""
    head = path.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", head[16:])
    return width, height


def test_puzzles_come_first_below_their_rules_and_solutions_at_the_end(
    puzzlekit: Command, tmp_path: Path
) -> None:
    path = tmp_path / "two.pdf"
    done = puzzlekit("draw", SIX, KAKURO, "--solutions", "--pdf", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    first, last = pages(path)
    said = "Fill the grid so that every row, column and box holds each digit once."
    assert first.startswith(
        f"Sudoku {said} 1 Six by six 3 2 5 1 6 2 6 2 4 5 Kakuro Fill the white cells with digits"
    )
    assert "2 Sums on 5 × 5 " in first and " 15 15 " in first
    assert last.startswith(
        "Solutions Of each puzzle: the only solution. 1 Sudoku 3 2 5 1 6 2 6 2 4 5 4 1 5 6 2 6"
    )
    assert "2 Kakuro" in last
    assert PdfReader(path).metadata.title == "2 puzzles"


def test_without_the_option_a_document_has_no_solutions(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "two.pdf"
    assert puzzlekit("draw", SIX, KAKURO, "--pdf", str(path)).returncode == 0
    assert len(pages(path)) == 1 and not any("olution" in page for page in pages(path))


def test_one_puzzle_has_no_number(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "one.pdf"
    assert puzzlekit("draw", SIX, "--solutions", "--pdf", str(path)).returncode == 0
    puzzle, solution = pages(path)
    assert puzzle.startswith("Sudoku: Six by six Fill")
    assert solution.startswith("Solution Sudoku: Six by six the only solution 3 2 5 1")


def test_every_file_has_the_same_order(puzzlekit: Command, tmp_path: Path) -> None:
    svg, html = tmp_path / "two.svg", tmp_path / "two.html"
    assert (
        puzzlekit(
            "draw", SIX, KAKURO, "--solutions", "--svg", str(svg), "--html", str(html)
        ).returncode
        == 0
    )
    drawn = " ".join(ElementTree.parse(svg).getroot().itertext())
    printed = puzzlekit("draw", SIX, KAKURO, "--solutions").stdout
    order = [
        "1. Sudoku: Six by six",
        "2. Kakuro: Sums on 5 × 5",
        "Solutions",
        "1. Sudoku: Six by six",
        "the only solution",
        "2. Kakuro",
    ]
    for text in (drawn, printed):
        at = 0
        for part in order:
            at = text.index(part, at) + len(part)


def test_a_page_has_the_rules_of_a_type_once_and_its_puzzles_side_by_side(
    puzzlekit: Command, tmp_path: Path
) -> None:
    html, again = tmp_path / "book.html", six(tmp_path / "six.yaml", title="<b> & more")
    done = puzzlekit(
        "draw",
        SIX,
        KAKURO,
        again,
        "--solutions",
        "--html",
        str(html),
        "--title",
        "A <book>",
        "--author",
        "A. S.",
    )
    assert (done.returncode, done.stderr) == (0, "")
    written = html.read_text(encoding="utf-8")
    parts = (
        *(
            "<h1>A &lt;book&gt;</h1><p>A. S.</p>",
            'href="#p1">Sudoku',
            'href="#p3">Kakuro',
            "Sudoku</h2>",
            "every row, column and box",
        ),
        *(
            "<h3>1. Six by six</h3>",
            "<h3>2. &lt;b&gt; &amp; more</h3>",
            "Kakuro</h2>",
            "<h3>3. Sums on 5 × 5</h3>",
        ),
        *(
            "<h1>Solutions</h1><p>Of each puzzle: the only solution.</p>",
            "1. Sudoku",
            "2. Sudoku",
            "3. Kakuro",
        ),
    )
    at = written.index("<main>")
    for part in parts:
        at = written.index(part, at) + len(part)
    assert written.count("every row, column and box") == 1


def test_a_table_is_drawn_as_a_table(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "zebra.pdf"
    assert (
        puzzlekit("draw", "specs/zebra/fish.yaml", "--solutions", "--pdf", str(path)).returncode
        == 0
    )
    assert (
        "nation Norwegian Dane Brit German Swede" in pages(path)[-1] and "│" not in pages(path)[-1]
    )


def test_what_is_known_of_each_solution_is_said(puzzlekit: Command, tmp_path: Path) -> None:
    none = six(tmp_path / "none.yaml", "None", GIVENS.replace("..3.2.", "33..2."))
    many = six(tmp_path / "many.yaml", "Many", GIVENS.replace("62.4.5", "......"))
    path = tmp_path / "three.pdf"
    done = puzzlekit("draw", SIX, none, many, "--solutions", "--pdf", str(path))
    assert (done.returncode, done.stderr) == (1, "")
    last = pages(path)[-1]
    for text in ("the only solution", "no solution, proven", "one solution of several"):
        assert text in last


def test_a_puzzle_that_takes_too_long_is_drawn_without_its_solution(tmp_path: Path) -> None:
    puzzles: list[Puzzle] = [load(None, SIX), load(None, KAKURO)]
    path = tmp_path / "late.pdf"
    assert draw_puzzles(puzzles, {"--pdf": path}, "auto", 0.0, True) == 3
    assert (
        len(pages(path)) == 2 and pages(path)[-1].count("not solved: the time is up during") == 1
    )  # of all puzzles


def test_no_title_is_read_as_markup(puzzlekit: Command, tmp_path: Path) -> None:
    spec = six(tmp_path / "markup.yaml", MARKUP)
    path, html = tmp_path / "markup.pdf", tmp_path / "markup.html"
    done = puzzlekit(
        "draw",
        spec,
        "--solutions",
        "--pdf",
        str(path),
        "--png",
        str(tmp_path / "markup.png"),
        "--html",
        str(html),
    )
    assert (done.returncode, done.stderr) == (0, "")
    for page in pages(path):
        assert "".join(MARKUP.split()) in "".join(page.split())
    assert PdfReader(path).metadata.title == f"Sudoku: {MARKUP}"
    assert (
        "<script" not in html.read_text(encoding="utf-8")
        and size(tmp_path / "markup.png")[0] > 1_000
    )


class PanicException(BaseException):
    """What a panic of Rust is in Python. typst 0.15 panics at long rows of Hebrew points."""


PanicException.__module__ = "pyo3_runtime"


@pytest.mark.parametrize(
    "error", [PanicException("out of bounds"), typst.TypstError("out of bounds")]
)
def test_a_failure_of_the_library_is_one_line(
    puzzlekit: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    error: BaseException,
) -> None:
    def fails(*_: object, **__: object) -> bytes:
        os.write(2, b"a trace of Rust")
        raise error

    monkeypatch.setattr(typst, "compile", fails)
    done = puzzlekit(
        "draw", SIX, "--pdf", str(tmp_path / "a.pdf"), "--svg", str(tmp_path / "a.svg")
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "--pdf: the library typst failed: out of bounds\n     = an unusual character"
    )
    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard" and not list(tmp_path.iterdir())


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "start", [0, 0x200, 0x400, *range(0x1E00, 0x2C00, 0x200), 0x3000, 0x4E00, 0x1F400, 0x1FF00]
)
def test_every_character_of_common_scripts_can_be_typeset(start: int) -> None:
    text = " ".join(chr(code) for code in range(start, start + 0x200))
    board = Scene(((1, 1),), (Text(True, {(1, 1): text}),))
    made = pdf(
        text,
        [DocumentItem(text, text, [[TextSpan(text, "green")], board], text, [board])],
        PaperOptions(),
        {},
    )
    assert made.content.startswith(b"%PDF")
    assert png(text, [[TextSpan(text, "green")], board]).startswith(b"\x89PNG")


def test_long_words_and_lines_stay_on_the_page(puzzlekit: Command, tmp_path: Path) -> None:
    spec = six(tmp_path / "long.yaml", "x" * 300)
    path = tmp_path / "long.pdf"
    assert puzzlekit("draw", spec, "--pdf", str(path)).returncode == 0
    page = PdfReader(path).pages[0]
    lines: list[tuple[float, str]] = []
    page.extract_text(
        visitor_text=lambda text, _, at, *__: lines.append((at[5], text)) if "xx" in text else None
    )
    assert len(lines) > 3 and max(text.count("x") for _, text in lines) < 100


def test_only_the_fonts_of_the_library_are_used(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "fonts.pdf"
    puzzlekit(
        "draw",
        SIX,
        "specs/zebra/fish.yaml",
        "specs/waffle/first.yaml",
        "--solutions",
        "--pdf",
        str(path),
    )
    fonts = {
        str(font.get_object()["/BaseFont"]).split("+")[1].partition("-")[0]
        for page in PdfReader(path).pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
    }
    assert fonts == {"DejaVuSansMono", "LibertinusSerif"}


def test_characters_that_need_fonts_of_the_machine_are_reported(
    puzzlekit: Command, tmp_path: Path
) -> None:
    spec = six(tmp_path / "six.yaml", "Ж ω ä א 数 🔔")
    done = puzzlekit("draw", spec, "--pdf", str(tmp_path / "six.pdf"), "--title", "字")
    assert (done.returncode, done.stderr) == (
        0,
        "drawn with fonts of this machine, or as boxes if none has them: 字 数 🔔\n",
    )
    assert puzzlekit("draw", spec, "--svg", str(tmp_path / "six.svg")).stderr == ""


def test_the_same_puzzles_are_the_same_document(puzzlekit: Command, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert (
            puzzlekit(
                "draw",
                SIX,
                "--pdf",
                str(tmp_path / f"{name}.pdf"),
                "--png",
                str(tmp_path / f"{name}.png"),
            ).returncode
            == 0
        )
    for form in ("pdf", "png"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()


def test_a_png_has_twice_the_pixels_of_the_svg(puzzlekit: Command, tmp_path: Path) -> None:
    svg, png = tmp_path / "two.svg", tmp_path / "two.png"
    assert puzzlekit("draw", SIX, KAKURO, "--svg", str(svg), "--png", str(png)).returncode == 0
    root = ElementTree.parse(svg).getroot()
    assert size(png) == (2 * int(root.get("width", 0)), 2 * int(root.get("height", 0)))


def first_row(png: bytes) -> list[int]:
    """The red of each pixel in the first row of a PNG file with four bytes for a pixel."""
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    width = struct.unpack(">I", png[16:20])[0]
    method, *row = zlib.decompress(data)[: 1 + 4 * width]
    for place in range(4, len(row)):  # in the first row, what would be taken from above is 0
        row[place] = (
            row[place]
            + {0: 0, 1: row[place - 4], 2: 0, 3: row[place - 4] // 2, 4: row[place - 4]}[method]
        ) % 256
    return row[::4]


@pytest.mark.parametrize("width", [80, 81, 162])
def test_no_row_of_pixels_is_lost(width: int) -> None:
    """The drawing was one pixel larger than a page of 81 by typst, and lost one in the middle."""
    stripes = "".join(f'<rect x="{x}" width="1" height="20"/>' for x in range(0, width, 2))
    size = f'width="{width}" height="20"'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect {size} fill="#fff"/>{stripes}</svg>'
    )
    row = first_row(rasterised(svg, 2))
    assert row == ([0, 0, 255, 255] * width)[: 2 * width]


def test_the_pixels_of_a_png_are_bounded(puzzlekit: Command, tmp_path: Path) -> None:
    png = tmp_path / "big.png"
    assert puzzlekit("draw", "queens", "--set", "size=100", "--png", str(png)).returncode == 0
    width, height = size(png)
    assert 24_000_000 < width * height < 25_100_000
    with replaced(png_pixels=2_000_000):
        done = puzzlekit(
            "draw",
            "queens",
            "--set",
            "size=100",
            "--png",
            str(tmp_path / "none.png"),
            "--svg",
            str(tmp_path / "none.svg"),
        )
    assert (
        done.returncode == 2
        and "--png: the picture is too large: " in done.stderr
        and "use --pdf or --svg" in done.stderr
    )
    assert [path.name for path in tmp_path.iterdir()] == ["big.png"]


def test_the_extra_to_install_is_named(
    puzzlekit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    for option in ("--png", "--pdf"):
        done = puzzlekit("draw", SIX, "--svg", str(tmp_path / "a.svg"), option, str(tmp_path / "a"))
        assert (done.returncode, done.stdout) == (2, "")
        assert (
            done.stderr
            == f"{option} requires an extra: pip install -e '.[print]' in the clone of puzzlekit\n"
        )
    assert not list(tmp_path.iterdir())
    assert puzzlekit("draw", SIX, "--svg", str(tmp_path / "a.svg")).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            [SIX, "--pdf", "nowhere/a.pdf"],
            "--pdf nowhere/a.pdf: expected a file in an existing folder",
        ),
        ([SIX, "--png", "specs"], "--png specs: expected a file in an existing folder"),
        (
            [SIX, "specs/sudoku/none.yaml", "--pdf", "OUT/a.pdf"],
            "specs/sudoku/none.yaml: there is no such file",
        ),
        (
            [SIX, "examples/broken/missing_row.yaml", "--pdf", "OUT/a.pdf"],
            "missing_row.yaml:6:10: colours has 2 rows",
        ),
        ([SIX, "--png", "OUT/a", "--pdf", "OUT/a"], "--png and --pdf name the same file: "),
        (
            ["-", "-", "--pdf", "OUT/a.pdf"],
            "standard input can be read only once, but - is given more than once",
        ),
        ([SIX, "--backend", "sat", "--pdf", "OUT/a.pdf"], "--backend requires --solutions"),
        ([SIX, "--solutions", "--backend", "none", "--pdf", "OUT/a.pdf"], "unknown backend none"),
        (
            [
                SIX,
                "specs/cryptarithm/moon.yaml",
                "--solutions",
                "--backend",
                "dlx",
                "--pdf",
                "OUT/a.pdf",
            ],
            "this backend does not support the puzzle",
        ),
        (["--pdf", "OUT/a.pdf"], "Missing argument"),
    ],
)
def test_bad_input_writes_nothing(
    puzzlekit: Command, tmp_path: Path, arguments: list[str], said: str
) -> None:
    done = puzzlekit("draw", *(argument.replace("OUT", str(tmp_path)) for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_spec_may_come_from_standard_input(puzzlekit: Command, tmp_path: Path) -> None:
    spec = six(tmp_path / "six.yaml")
    path = tmp_path / "both.pdf"
    assert (
        puzzlekit(
            "draw", KAKURO, "-", "--pdf", str(path), stdin=Path(spec).read_text(encoding="utf-8")
        ).returncode
        == 0
    )
    assert [page[:10] for page in pages(path)] == ["Kakuro Fil"] and "Sudoku" in pages(path)[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--svg", "-"), "--svg -: expected a file; a picture is not written to standard output"),
        (("--svg", "x.png"), "--svg x.png: expected a file that ends in .svg"),
        (("--html", "x.PDF"), "--html x.PDF: expected a file that ends in .html"),
    ],
)
def test_a_file_of_another_format_is_not_written(
    puzzlekit: Command, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    for command in ("draw", "solve"):
        done = puzzlekit(command, str(ROOT / "specs/sudoku/six.yaml"), *arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{said}\n")
    assert not list(tmp_path.iterdir())

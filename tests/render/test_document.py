"""Documents on paper: how many puzzles are on a page, papers, books, large print, codes,
and that nothing leaves the page.
"""

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

from puzzlekit.errors import InputError
from puzzlekit.options import PaperOptions
from puzzlekit.render import paper_document
from puzzlekit.render.html_page import DocumentItem
from puzzlekit.render.paper_document import pdf
from puzzlekit.render.qr import code_of
from puzzlekit.render.sections import MM, sections_of
from puzzlekit.scene import Outside, Scene, Text, TextSpan
from tests.commands import called

SIX = "specs/sudoku/six.yaml"
BOOK = PaperOptions(title="Ten of each", subtitle="A test", author="A. Setter")


def chapter(
    size: int, kind: str = "Squares", name: str = "", text: str = "Fill it.", **more: object
) -> DocumentItem:
    """A board with a number in each cell and clues on top, and its solution."""
    cells = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
    top = Outside(True, [("77",)] * size, "top")
    board = Scene(cells, (Text(True, {cell: str(cell[1] % 10) for cell in cells}), top))
    return DocumentItem(
        f"{kind}: {name}",
        text,
        [board],
        "the only solution",
        [board],
        type_name=kind,
        name=name,
        **more,
    )  # type: ignore[arg-type]


def read(chapters: Sequence[DocumentItem], how: PaperOptions) -> list[PageObject]:
    return list(PdfReader(BytesIO(pdf("A title", chapters, how, {}).content)).pages)


def texts(page: PageObject) -> list[tuple[float, float, float, str]]:
    """Where each text begins, its size, and itself."""
    found: list[tuple[float, float, float, str]] = []

    def visit(text: str, outer: list[float], inner: list[float], _: object, size: float) -> None:
        if text.strip():
            x = inner[4] * outer[0] + inner[5] * outer[2] + outer[4]
            y = inner[4] * outer[1] + inner[5] * outer[3] + outer[5]
            found.append((x, y, abs(size * inner[0] * outer[0]), text.strip()))

    page.extract_text(visitor_text=visit)
    return found


def said(page: PageObject) -> str:
    return " ".join(page.extract_text().split())


STYLES = {"sheet": PaperOptions(), "book": BOOK, "large": PaperOptions(title="Large", large=True)}


def cases(
    sizes: Sequence[Any], styles: Sequence[str], quick: Sequence[tuple[Any, str]]
) -> list[Any]:
    """Each pair of a size and a style. `make test` has the quick ones: each size and style once."""
    assert {size for size, _ in quick} == {*sizes} and {style for _, style in quick} == {*styles}
    return [
        pytest.param(*case, marks=[] if case in quick else [pytest.mark.slow])
        for case in product(sizes, styles)
    ]


@pytest.mark.parametrize(
    ("paper", "style"),
    cases(
        ("a4", "6x9in", "100x150mm", "297x210mm", "400x80mm"),
        ("sheet", "book", "large"),
        (
            *(("a4", "sheet"), ("6x9in", "book"), ("100x150mm", "large")),
            *(("297x210mm", "sheet"), ("400x80mm", "book"), ("400x80mm", "large")),
        ),
    ),
)
def test_nothing_leaves_the_page(paper: str, style: str) -> None:
    many = [
        *(chapter(9, "Nines", "With a title of its own") for _ in range(3)),
        chapter(20, "Twenties"),
    ]
    for page in read(many, PaperOptions(**{**vars(STYLES[style]), "paper": paper})):
        wide, high = float(page.mediabox.width), float(page.mediabox.height)
        margin = 0.07 * min(wide, high)
        for x, y, size, text in texts(page):
            assert margin <= x <= wide - margin and 0 < y <= high - margin * 0.9, text
            assert size >= 0.9


@pytest.mark.parametrize(
    ("sizes", "style"),
    cases(
        ((1, 9), (2, 5), (4, 9), (6, 5), (9, 5), (12, 4)),
        ("sheet", "book"),
        (
            *(((1, 9), "sheet"), ((2, 5), "book"), ((4, 9), "sheet")),
            *(((6, 5), "book"), ((9, 5), "sheet"), ((12, 4), "sheet")),
        ),
    ),
)
def test_so_many_puzzles_are_on_a_page(sizes: tuple[int, int], style: str) -> None:
    (count, size), how = sizes, STYLES[style]
    pages = read(
        [chapter(size) for _ in range(2 * count + 1)],
        PaperOptions(**{**vars(how), "per_page": count, "paper": "6x9in"}),
    )
    boards = [said(page).count("77") / size for page in pages]
    assert boards[3 if how.title else 0 :][:3] == [count, count, 1]


def test_as_many_as_fit_with_comfort_are_on_a_page() -> None:
    for how, first in ((PaperOptions(), 0), (BOOK, 3)):
        for size, least in ((5, 6), (9, 4), (12, 2)):
            page = read([chapter(size) for _ in range(least)], how)[first]
            assert said(page).count("77") == size * least


def test_boards_of_a_type_have_one_scale_and_stand_below_their_captions() -> None:
    page = read(
        [chapter(size, name=f"Number {n}") for n, size in enumerate((9, 7, 9, 6), 1)],
        PaperOptions(),
    )[0]
    shown = texts(page)
    digits = {round(size, 2) for *_, size, text in shown if text == "5"}
    assert len(digits) == 1
    for n in range(1, 5):
        x, y, *_ = next(own for own in shown if f"Number {n}" in own[3])
        below = [
            own for own in shown if own[3] == "1" and 0 < y - own[1] < 60 and abs(own[0] - x) < 60
        ]
        assert below


def test_a_book_has_a_cover_contents_rules_and_numbers() -> None:
    chapters = [
        *(chapter(5, "Fives", level="easy") for _ in range(3)),
        chapter(6, "Sixes", text="Fill it. With sixes."),
    ]
    made = PdfReader(
        BytesIO(
            pdf(
                "A title", chapters, BOOK, {"Fives": ([chapter(4).parts[0]], [chapter(4).parts[0]])}
            ).content
        )
    )
    cover, contents, rules, puzzles, second, last, solutions = map(said, made.pages)
    assert made.metadata is not None and (made.metadata.title, made.metadata.author) == (
        "Ten of each",
        "A. Setter",
    )
    assert cover.startswith("Ten of each A test") and cover.endswith("A. Setter")
    assert [
        contents.index(part) for part in ("Contents", "Fives 1–3", "Sixes 4", "Solutions")
    ] == sorted(contents.index(part) for part in ("Contents", "Fives 1–3", "Sixes 4", "Solutions"))
    assert rules.startswith("Fives Fill it. Puzzles 1–3 An example") and "and its solution" in rules
    assert puzzles.startswith("1 easy") and "3 easy" in puzzles and puzzles.endswith(" 4")
    assert second.startswith("Sixes Fill it. With sixes. Puzzle 4") and last.startswith("4")
    assert solutions.startswith("Solutions Of each puzzle: the only solution. Fives 1 1 2 3 4 5")
    assert [own.title for own in made.outline] == ["Fives", "Sixes", "Solutions"]  # type: ignore[union-attr]


def test_the_inner_margin_grows_with_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_document, "GUTTERS", ((5, 27.0), (8, 36.0), (10**9, 45.0)))
    inner = []
    for count in (1, 4, 7):
        pages = read([chapter(5) for _ in range(count)], PaperOptions(title="A", per_page=1))
        odd, even = min(x for x, *_ in texts(pages[2])), min(x for x, *_ in texts(pages[1]))
        inner.append(round(odd - even))
    assert inner == [27, 36, 45]


def test_large_print_has_no_small_text_and_says_where_it_has() -> None:
    example = [chapter(7).parts[0]], [chapter(7).parts[0]]
    chapters = [chapter(6, name="A name", level="easy") for _ in range(3)]
    made = pdf("A", chapters, PaperOptions(title="A", large=True, paper="a5"), {"Squares": example})
    pages = PdfReader(BytesIO(made.content)).pages
    assert min(size for page in pages[1:] for *_, size, _ in texts(page)) >= 15.9
    made = pdf("A", [chapter(40)], PaperOptions(large=True), {})
    assert len(made.remarks) == 1 and made.remarks[0].startswith(
        "large: the smallest texts of Squares have "
    )


def test_rules_of_one_puzzle_stand_at_it_and_easy_ones_come_first() -> None:
    chapters = [
        chapter(4, text="One rule. Another.", score=3.0),
        chapter(4, text="One rule. A third.", score=2.0),
        chapter(4, text="One rule.", score=9.0),
    ]
    (section,) = sections_of(chapters)
    assert section.text == "One rule." and [section.added(own) for own in section.chapters] == [
        "A third.",
        "Another.",
        "",
    ]
    page = said(read(chapters, PaperOptions())[0])
    assert page.startswith("Squares One rule. 1 A third. ") or page.index("A third.") < page.index(
        "Another."
    )


def test_codes_lead_to_pages_and_long_links_are_told() -> None:
    pytest.importorskip("segno")
    short, long = "https://puzz.link/p?slither/5/5/ag16bg6d1", "https://example.org/" + "x" * 3000
    code, longer = code_of(short), code_of(short * 5)
    assert (
        code is not None
        and longer is not None
        and 30 < code.side < longer.side <= 85
        and code_of(long) is None
    )
    chapters = [
        chapter(5, links={"puzz.link": long, "other": short}),
        chapter(5, links={"a": long}),
    ]
    chapters = [*chapters, chapter(5), chapters[1]]
    assert pdf("A", chapters, PaperOptions(qr=True), {}).remarks == [
        "no QR code for 2, 4: the link is too long",
        "no QR code for 3: there is no link",
    ]


@pytest.mark.parametrize(
    ("paper", "wide", "high"),
    [
        ("A4", 210, 297),
        ("letter", 215.9, 279.4),
        ("6x9in", 152.4, 228.6),
        ("8.5x11in", 215.9, 279.4),
        ("100X200mm", 100, 200),
    ],
)
def test_papers(paper: str, wide: float, high: float) -> None:
    page = read([chapter(5)], PaperOptions(paper=paper))[0]
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(
        (wide * MM, high * MM), abs=0.1
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("many", [400, 10**20])
@pytest.mark.parametrize("name", ["", "A name on two lines"])
def test_too_many_on_a_page_are_refused_with_the_number_that_fits(many: int, name: str) -> None:
    chapters = [chapter(4, name=name) for _ in range(120)]
    with pytest.raises(
        InputError,
        match="cells of Squares would be less than 3 mm wide\nwrite at most per_page ",
    ) as found:
        pdf("A", chapters, PaperOptions(per_page=many), {})
    fitting = int(found.value.help.split("per_page ")[1].split(",")[0])
    page = said(read(chapters, PaperOptions(per_page=fitting))[0])
    assert page.count("77") == 4 * fitting


def test_a_paper_that_is_too_small_is_named() -> None:
    with pytest.raises(InputError, match="less than 3 mm wide\ntake a larger paper"):
        pdf(
            "A",
            [chapter(9, text="A long rule. " * 40)],
            PaperOptions(per_page=1, paper="80x80mm"),
            {},
        )


@pytest.mark.parametrize(
    ("paper", "style"),
    cases(
        ("1200x80mm", "80x80mm"),
        ("sheet", "book", "large"),
        (("1200x80mm", "sheet"), ("80x80mm", "book"), ("80x80mm", "large")),
    ),
)
def test_a_long_text_on_a_small_paper_leaves_boards_readable(paper: str, style: str) -> None:
    how = STYLES[style]
    chapters = [chapter(5, text="A rule that is long. " * 20)]
    pages = read(chapters, PaperOptions(**{**vars(how), "paper": paper}))
    page = next(page for page in pages[2 if how.title else 0 :] if said(page).count("77") == 5)
    assert min(size for *_, size, text in texts(page) if text == "2") > 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--paper", "a7"),
            "--paper a7: expected a4, a5, letter, or a size such as 6x9in or 170x240mm",
        ),
        (("--paper", "1x2in"), "--paper 1x2in: expected sides from 80 to 1200 mm"),
        (("--paper", "9999x9999mm"), "expected sides from 80 to 1200 mm"),
        (("--per-page", "0"), "--per-page"),
        (("--subtitle", "A"), "--subtitle requires --title"),
        (("--title", " "), "--title: expected a text of at most 200 characters"),
        (("--title", "A" * 201), "--title: expected a text of at most 200 characters"),
        (("--author", ""), "--author: expected a text of at most 200 characters"),
    ],
)
def test_wrong_values_are_refused(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = called("draw", SIX, *arguments, "--pdf", str(tmp_path / "a.pdf"))
    assert done.returncode == 2 and message in done.stderr and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "option", ["--paper=a5", "--per-page=2", "--title=A", "--author=A", "--large", "--qr"]
)
def test_options_of_paper_require_a_document(option: str, tmp_path: Path) -> None:
    name = option.partition("=")[0]
    also = " or --html" if name in ("--title", "--author") else ""
    page = ("--html", str(tmp_path / "a.html"))
    for files in [()] if also else [(), page, ("--play", *page)]:
        done = called("draw", SIX, option, *files)
        assert done.returncode == 2 and f"{name} requires --pdf{also}\n" in done.stderr


def test_a_folder_becomes_a_book(tmp_path: Path) -> None:
    pytest.importorskip("segno")
    folder, out = tmp_path / "book", tmp_path / "book.pdf"
    folder.mkdir()
    for number in (10, 9, 1):
        text = (
            Path(SIX).read_text(encoding="utf-8").replace("Six by six", f"'Number {number} $x$ #h'")
        )
        (folder / f"six-{number}.yaml").write_text(text, encoding="utf-8")
    (folder / "made.yaml").write_text(
        Path(SIX).read_text(encoding="utf-8") + "generated_by: {level: hard}\n", encoding="utf-8"
    )
    done = called(
        "draw", str(folder), "--solutions", "--title", "#read $x$", "--qr", "--pdf", str(out)
    )
    assert (done.returncode, done.stderr) == (0, "")
    pages = [said(page) for page in PdfReader(out).pages]
    assert "#read $x$" in pages[0] and "An example" in pages[2]
    order = [
        pages[3].index(text)
        for text in ("1 hard", "2 Number 1 $x$ #h", "3 Number 9", "4 Number 10")
    ]
    assert order == sorted(order)
    assert all(one < other for one, other in pairwise(order))
    assert "Solutions Of each puzzle: the only solution. Sudoku 1 " in pages[-1]


def test_a_text_longer_than_a_page_goes_on_on_the_next() -> None:
    lines = [[TextSpan(f"line {number}")] for number in range(200)]
    pages = read([DocumentItem("Long", "", lines)], PaperOptions())
    assert len(pages) > 2 and "line 199" in said(pages[-1])


def test_boards_of_very_different_sizes_have_scales_of_their_own() -> None:
    pages = read([chapter(size) for size in (5, 5, 20, 5)], PaperOptions(title="A"))
    sizes = [{round(size) for *_, size, text in texts(page) if text == "5"} for page in pages[3:6]]
    assert all(map(len, sizes)) and sizes[0] == sizes[2] and max(sizes[1]) < max(sizes[0])


def test_texts_of_a_puzzle_are_not_squeezed_into_columns() -> None:
    lines = [[TextSpan("a line of a text that people read " * 2)]]
    (page,) = read(
        [DocumentItem("A", "", lines, type_name="Texts") for _ in range(4)], PaperOptions()
    )
    assert (
        said(page).count("a line of a text that people read a line of a text that people read") == 4
    )
    assert len({round(y) for _, y, _, text in texts(page) if "a line" in text}) == 4


def test_a_long_title_stays_on_the_cover() -> None:
    pages = read(
        [chapter(9) for _ in range(2)],
        PaperOptions(title="A title of many words " * 8, subtitle="More " * 20, paper="a5"),
    )
    assert said(pages[1]).startswith("Contents")

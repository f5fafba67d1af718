"""Tables: unknowns and mappings keyed by two things, in every pen."""

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len

from puzzlekit import load
from puzzlekit.api.pictures import puzzle_parts, sections
from puzzlekit.render.html_page import HtmlDocument, page
from puzzlekit.render.layout import draw, fitted, plain_text, table_width, text_lines
from puzzlekit.render.svg import drawing
from puzzlekit.scene import PicturePart, Table, TextSpan

SHIFTS = """
puzzle: shifts
variables:
  {unknowns}
rules:
  stated: {rule}
show:
  {show}
"""
HOURS = "hours[p, d]: between(1, 12) for p in ('ann', 'bo') for d in ('mon', 'tue')"
WORKS = "works[p, d]: bool for p in ('ann', 'bo') for d in ('mon', 'tue')"


def parts_of(unknowns: str, rule: str, show: str = "{}") -> list[PicturePart]:
    solution = next(
        load(
            SHIFTS.format(
                unknowns=f'"{unknowns.replace(": ", chr(34) + ": ", 1)}', rule=rule, show=show
            )
        ).solve()
    )
    return [part for _, drawn in sections(solution) for part in drawn]


def table_of(unknowns: str, rule: str, show: str = "{}") -> Table:
    (table,) = [part for part in parts_of(unknowns, rule, show) if isinstance(part, Table)]
    return table


def test_unknowns_keyed_by_two_things_are_a_table_with_headings() -> None:
    rule = (
        "hours['ann', 'mon'] == 12 and hours['ann', 'tue'] == 3 and hours['bo', 'mon'] == 4 "
        "and hours['bo', 'tue'] == 5"
    )
    assert plain_text(text_lines(parts_of(HOURS, rule))).split("\n") == [
        "  hours:",
        "      │ mon  tue",
        "  ────┼─────────",
        "  ann │  12    3",
        "  bo  │   4    5",
    ]


@pytest.mark.parametrize(
    ("rule", "columns", "rows"),
    [
        (
            (
                "works['ann', 'mon'] and not works['ann', 'tue'] and works['bo', 'mon'] "
                "and not works['bo', 'tue']"
            ),
            (),
            [("ann", ("mon",)), ("bo", ("mon",))],
        ),
        (
            (
                "works['ann', 'mon'] and works['ann', 'tue'] and not works['bo', 'mon'] "
                "and not works['bo', 'tue']"
            ),
            (),
            [("mon", ("ann",)), ("tue", ("ann",))],
        ),
        (
            (
                "works['ann', 'mon'] and works['ann', 'tue'] and works['bo', 'mon'] "
                "and not works['bo', 'tue']"
            ),
            ["mon", "tue"],
            [("ann", ["■", "■"]), ("bo", ["■", "·"])],
        ),
    ],
    ids=["one in a row", "one in a column", "signs"],
)
def test_what_is_true_is_named_where_it_is_one(rule: str, columns: object, rows: object) -> None:
    assert table_of(WORKS, rule) == Table(columns, rows)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "mapping",
    [
        "{p: {x[p]: p for p in (p,)} for p in ('ann', 'bo')}",
        "{(p, x[p]): p for p in ('ann', 'bo')}",
    ],
    ids=["of mappings", "of pairs"],
)
def test_mappings_keyed_by_two_things_are_tables_too(mapping: str) -> None:
    table = table_of(
        "x[p]: between(1, 10) for p in ('ann', 'bo')",
        "x['ann'] == 10 and x['bo'] == 2",
        f'day: "{mapping}"',
    )
    assert table == Table(["2", "10"], [("ann", ["", "ann"]), ("bo", ["bo", ""])])


def test_pairs_of_cells_are_no_table() -> None:
    shown = 'far: "{(c, d): x for c in b.cells for d in b.cells if c != d}"'
    made = load(
        f"puzzle: p\nlet: {{b: 'board(2, 2)'}}\nvariables: {{x: 'between(1, 2)'}}\nshow:\n  {shown}"
    )
    drawn = [part for _, parts in sections(next(made.solve())) for part in parts]
    assert drawn and not any(isinstance(part, Table) for part in drawn)


@pytest.mark.parametrize("size", [(3, 30), (30, 3), (30, 30), (2, 1)])
def test_a_wide_table_is_transposed_or_folded(size: tuple[int, int]) -> None:
    high, across = size
    columns = [f"column {n}" for n in range(across)]
    table = Table(
        columns, [(f"row {m}", [f"v{m}x{n}" for n in range(across)]) for m in range(high)]
    )
    for wide in (80, 40):
        blocks = fitted(table, wide)
        assert all(table_width(block) <= wide for block in blocks)
        values = [text for block in blocks for _, texts in block.rows for text in texts]
        assert sorted(values) == sorted(f"v{m}x{n}" for m in range(high) for n in range(across))
        assert all(
            text
            == (f"v{row[4:]}x{column[7:]}" if row.startswith("row") else f"v{column[4:]}x{row[7:]}")
            for block in blocks
            for row, texts in block.rows
            for column, text in zip(block.columns, texts)
        )
        drawn = draw([table], False, wide)
        assert max(cell_len(line.plain) for line in drawn) <= wide
    assert len(fitted(table, 80)) == {30: 1 if high == 3 else 5, 3: 1, 1: 1}[across]


def test_short_values_of_short_keys_are_one_row_which_is_folded_but_not_transposed() -> None:
    table = table_of(
        "letter[s]: ('a', 'b') for s in ('x', 'y', 'zz')",
        "letter[s] == 'b' for s in ('x', 'y', 'zz')",
    )
    assert table == Table(["x", "y", "zz"], [("letter", ["B", "B", "B"])])
    blocks = fitted(Table([str(n) for n in range(20)], [("digit", ["1"] * 20)]), 40)
    assert [len(block.rows) for block in blocks] == [1, 1, 1]


class Cells(HTMLParser):
    """The texts of the cells of HTML tables, by tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {"th": [], "td": []}
        self.within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.within = tag
        if tag in self.found:
            self.found[tag].append("")

    def handle_data(self, data: str) -> None:
        if self.within in self.found:
            self.found[self.within][-1] += data


def test_a_zebra_is_a_table_in_every_pen() -> None:
    solution = next(load("zebra", "specs/zebra/tiny.yaml").solve())
    parts = [part for _, drawn in sections(solution) for part in drawn]
    assert plain_text(text_lines(parts)).split("\n") == [
        "  houses:",
        "        │ 1       2      3",
        "  ──────┼────────────────────",
        "  name  │ Arnold  Peter  Eric",
        "  drink │ tea     water  milk",
    ]
    cells = Cells(page(HtmlDocument("A zebra", "", [parts], ""))).found
    assert cells["th"] == ["1", "2", "3", "name", "drink"]
    assert [text for text in cells["td"] if text] == [
        "Arnold",
        "Peter",
        "Eric",
        "tea",
        "water",
        "milk",
    ]
    root = ElementTree.fromstring(drawing("A zebra", parts))
    drawn = list(root.iter("{http://www.w3.org/2000/svg}text"))
    said = [element.text for element in drawn]
    assert said == [
        "  houses:",
        "1",
        "2",
        "3",
        *("name", "Arnold", "Peter", "Eric", "drink", "tea", "water", "milk"),
    ]
    edge = float(root.get("width", 0)) - 32
    assert all(
        float(element.get("x", 0)) + 8.4 * len(element.text or "") <= edge for element in drawn
    )
    assert "A table of 2 rows and 3 columns." in "".join(root.itertext())


def test_a_mapping_of_the_data_stands_below_its_name() -> None:
    lines = plain_text(
        text_lines(puzzle_parts(load("zebra", "specs/zebra/tiny.yaml").instance))
    ).split("\n")
    assert lines == [
        "  groups:",
        "    name   Peter Eric Arnold",
        "    drink  tea water milk",
        "  clues:",
        "    1  water is the right neighbour of Arnold",
        "    2  milk is the right neighbour of water",
        "    3  Peter is in house 2",
        "  houses:",
        "        │ 1         2         3",
        "  ──────┼─────────────────────────────",
        "  name  │ ________  ________  ________",
        "  drink │ ________  ________  ________",
    ]


def test_a_page_lists_solutions_of_one_line_below_the_common_picture() -> None:
    sheet = HtmlDocument(
        "A word",
        "left: 2\n  cat  1",
        [[[TextSpan("cat")]], [[TextSpan("dog")]]],
        "all 2",
        common=[Table([], [("x", ["y"])])],
    )
    html = page(sheet)
    assert "Solution 1" not in html and html.count("As text") == 1
    assert html.index("<td") < html.index("left: 2") < html.index("<ol><li>")
    assert '<div class="line">  cat  1</div>' in html and html.count("<li>") == 2

"""What of the data nothing reads: fields of a type, and items, keys and cells of a spec."""

from pathlib import Path

import pytest

from puzzlekit.cli.commands.check import check_files
from puzzlekit.lang import bind, read_spec, type_of_text
from puzzlekit.lang.unused import unused_fields, unused_values

DATA = """\
  cages: grid[symbol]
  sums: "map[symbol, int]"
  row: list[int] = 1
  rows: "list[list[int]] = []"
  pairs: "list[tuple[symbol, int]] = []"
  n: int = 1
"""
RULES = "  every row adds up: sum(d[r]) == sums[cages[r[0]]] for r in cages.rows\n"
SPEC = "cages: |\n  aa\n  cc\nsums: {a: 1, c: 3}\n"


def type_with(rules: str, let: str = "") -> str:
    return (
        f"puzzle: t\ndata:\n{DATA}let:\n{let}variables:\n"
        f"  d[c]: between(1, 9) for c in cages.cells\nrules:\n{RULES}{rules}"
    )


def unread(spec: str, rules: str, let: str = "") -> list[tuple[str, int, int]]:
    found = unused_values(
        bind(type_of_text("t.yaml", type_with(rules, let)), read_spec("s.yaml", spec))
    )
    return [
        (p.message.removeprefix("this value is not used: "), p.position.line, p.position.column)
        for p in found
        if p.position
    ]


CELLS = [("'a'", 2, 4), ("'c'", 3, 4)]  # only the first cell of each row is read


@pytest.mark.parametrize(
    ("rules", "spec", "found"),
    [
        ("", SPEC, CELLS),
        ("  b: d[cages.regions[0][0]] > 0\n", SPEC, []),
        ("  b: len(cages.given) > 1\n", SPEC, []),
        ("  b: cages[c] != 'x' for c in cages.cells\n", SPEC, []),
        ("  b: cages[cages.columns[1]] != 'x'\n", SPEC, []),
        ("  b: \"'a' in cages\"\n", SPEC, []),
        ("", SPEC.replace("c: 3", "c: 3, e: 7, f: 8"), [*CELLS, ("'e'", 4, 20), ("'f'", 4, 26)]),
        (
            "  b: k != 'x' for k in sums\n",
            SPEC.replace("c: 3", "c: 3, e: 7"),
            [*CELLS, ("7", 4, 23)],
        ),
        ("  b: '\"e\" in sums'\n", SPEC.replace("c: 3", "c: 3, e: 7"), [*CELLS, ("7", 4, 23)]),
        ("", SPEC + "row: 1 2\n", [*CELLS, ("1", 5, 6), ("2", 5, 8)]),
        ("  b: row[0] == 1\n", SPEC + "row: 1 2\n", [*CELLS, ("2", 5, 8)]),
        (
            "  b: row.at(0, 2) == row.at(-1, row.at(7, 1))\n",
            SPEC + "row: 1 2\n",
            [*CELLS, ("2", 5, 8)],
        ),
        ("  b: cages.at(cell(2, 1), 'x') != cages.at(cell(9, 9), 'x')\n", SPEC, CELLS),
        ("  b: row[-1] == 1\n", SPEC + "row: 1 2\n", [*CELLS, ("1", 5, 6)]),
        ("  b: row[1:] == (2,)\n", SPEC + "row: 1 2\n", [*CELLS, ("1", 5, 6)]),
        ("  b: row[d[cages.cells[0]]] == 1\n", SPEC + "row: 1 2\n", CELLS),
        ("  b: row + row != (1,)\n", SPEC + "row: 1 2\n", CELLS),
        ("  b: sum(row) == 1\n", SPEC + "row: 1 2\n", CELLS),
        ("  b: \"len(sums + {'z': 1}) > 3\"\n", SPEC.replace("c: 3", "c: 3, e: 7"), CELLS),
        ("  b: x > 0 for x in row\n", SPEC + "row: 1 2\n", CELLS),
        (
            "  b: rows[0][1] == 1\n",
            SPEC + "rows: [1 2, 3]\n",
            [*CELLS, ("1", 5, 8), ("(3)", 5, 13)],
        ),
        ("  b: n == 1 for s, n in pairs\n", SPEC + "pairs: [x 1]\n", CELLS),
        ("  b: n == 1 for i, (s, n) in enumerate(pairs)\n", SPEC + "pairs: [x 1]\n", CELLS),
    ],
)
def test_what_nothing_reads_is_told_at_its_place(
    rules: str, spec: str, found: list[tuple[str, int, int]]
) -> None:
    assert unread(spec, rules) == found


def test_what_is_shown_or_a_default_is_used() -> None:
    text = type_with("") + "show:\n  d:\n  told: row\n"
    made = bind(type_of_text("t.yaml", text), read_spec("s.yaml", SPEC + "row: 1 2\n"))
    unused = [problem.message for problem in unused_values(made)]
    assert unused == ["this value is not used: 'a'", "this value is not used: 'c'"]
    # the values stand within the lines
    drawn = "puzzle: t\ndata:\n  g: grid[int]\nvariables:\n  line[e]: bool for e in g.edges\n"
    assert unused_values(bind(type_of_text("t.yaml", drawn), read_spec("s.yaml", "g: 12"))) == []


def test_a_field_of_which_nothing_speaks() -> None:
    kind = type_of_text(
        "t.yaml",
        type_with("", let="  lost: n + 1\n  kept: len(row)\n") + "goals:\n  g: minimise(kept)\n",
    )
    assert [(p.message, p.position and p.position.line) for p in unused_fields(kind)] == [
        ("the field rows is not used", 6),
        ("the field pairs is not used", 7),
        ("the field n is not used", 8),
    ]


def test_a_field_that_only_folds_or_bounds_another_is_used() -> None:
    data = "  a: int\n  b: {type: 'grid[int] in 1..c', columns: a}\n  c: int\n"
    kind = type_of_text(
        "t.yaml", f"puzzle: t\ndata:\n{data}variables:\n  x[c]: bool for c in b.cells\n"
    )
    assert unused_fields(kind) == []


def test_check_reports_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind, spec = tmp_path / "t.yaml", tmp_path / "s.yaml"
    kind.write_text(type_with("  b: len(rows) + len(pairs) + sum(row) + n > 0\n"), encoding="utf-8")
    spec.write_text(f"puzzle: t\n{SPEC.replace('c: 3', 'c: 3, e: 7')}", encoding="utf-8")
    assert check_files([kind, spec], "auto", None) == 2
    said = capsys.readouterr()
    assert said.out == (
        f"{kind}: a valid type: fields cages, sums, row, rows, pairs, n; unknowns d; 2 rules, "
        f"run on 1 spec\n"
    )
    assert f"{spec}:5:20: this value is not used: 'e'" in said.err
    kind.write_text(type_with("  b: len(rows) + len(pairs) + sum(row) > 0\n"), encoding="utf-8")
    assert check_files([kind], "auto", None) == 2
    assert f"{kind}:8:3: the field n is not used" in capsys.readouterr().err

"""What solvers print is read in each of its forms; what is wrong with it is reported."""

from pathlib import Path

import pytest

import puzzlekit
from puzzlekit.api.exporting import Exported, export
from puzzlekit.api.model_file import read_solution
from puzzlekit.errors import InputError, Problems
from puzzlekit.exports import FORMATS, load_format
from puzzlekit.exports.file_format import Claim
from puzzlekit.query import Presolve

PAIR = "puzzle: pair\nvariables: {x: 'between(1, 3)', y: 'between(1, 3)'}\nrules: {less: x < y}\n"
READ = [
    (
        "dimacs",
        "c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n",
        Claim.SOLUTION,
        {"1": "1", "2": "0", "3": "1"},
    ),
    ("dimacs", "SAT\n1 -2 3 0\n", Claim.SOLUTION, {"1": "1", "2": "0", "3": "1"}),
    ("dimacs", "UNSAT\n", Claim.NONE, None),
    ("dimacs", "s UNKNOWN\n", Claim.UNKNOWN, None),
    ("wcnf", "o 3\ns OPTIMUM FOUND\nv 101\n", Claim.OPTIMAL, {"1": "1", "2": "0", "3": "1"}),
    ("wcnf", "s OPTIMUM FOUND\nv 1 -2 3\n", Claim.OPTIMAL, {"1": "1", "2": "0", "3": "1"}),
    ("opb", "s SATISFIABLE\nv x1 -x2\n", Claim.SOLUTION, {"x1": "1", "x2": "0"}),
    ("smt2", "sat\n((x_is_2 true)\n (x3 false))\n", Claim.SOLUTION, {"x_is_2": "1", "x3": "0"}),
    ("smt2", "sat\n(model\n (define-fun x2 () Bool\n  true)\n)\n", Claim.SOLUTION, {"x2": "1"}),
    ("smt2", 'unsat\n(error "line 9: model is not available")\n', Claim.NONE, None),
    (
        "asp",
        "Answer: 1\nv(1) v(2)\nOptimization: 3\nOPTIMUM FOUND\n",
        Claim.OPTIMAL,
        {"v(1)": "1", "v(2)": "1"},
    ),
    ("asp", "UNSATISFIABLE\n", Claim.NONE, None),
    (
        "asp",
        '{"Result": "SATISFIABLE", "Call": [{"Witnesses": [{"Value": ["v(1)"]}]}]}',
        Claim.SOLUTION,
        {"v(1)": "1"},
    ),
    ("xcc", "1:\n p0 v1:2 (1 of 3)\n p1 v2:a\n", Claim.SOLUTION, {"v1": "2", "v2": "a"}),
    ("xcc", "Altogether 0 solutions, 12+4 mems\n", Claim.NONE, None),
    (
        "lp",
        "Model status\nOptimal\nObjective 0.5\n# Columns 2\nx1 1\nx_is_2 1e-09\n# Rows 0\n",
        Claim.OPTIMAL,
        {"x1": "1", "x_is_2": "0"},
    ),
    (
        "lp",
        "Optimal - objective value 3\n      0 x1  1  0\n  4 x7  0.99999  2\n",
        Claim.OPTIMAL,
        {"x1": "1", "x7": "1"},
    ),
    (
        "lp",
        "Status:     INTEGER OPTIMAL\n    1 x1    *    1    0    1\n",
        Claim.OPTIMAL,
        {"x1": "1"},
    ),
    ("lp", "Model status\nInfeasible\n", Claim.NONE, None),
    ("mzn", "x = 3;\nin_ = -1;\n----------\n==========\n", Claim.OPTIMAL, {"x": "3", "in_": "-1"}),
    ("mzn", '{\n  "digit_r1c1" : 3\n}\n----------\n', Claim.SOLUTION, {"digit_r1c1": "3"}),
    ("mzn", "=====UNSATISFIABLE=====\n", Claim.NONE, None),
]
MALFORMED = [
    ("dimacs", "s MAYBE\n", "expected s SATISFIABLE"),
    ("dimacs", "s SATISFIABLE\nv 1 two 0\n", "expected literals"),
    ("dimacs", "s SATISFIABLE\n", "prints no values"),
    ("opb", "s SATISFIABLE\nv 1 2\n", "expected literals such as x12"),
    ("asp", '{"Result": 7}', "expected the JSON of clingo"),
    ("xcc", "p0 v1:2\np1 v1:3\n", "different colours"),
    ("lp", "x_is_2 0.5\n", "expected 0 or 1 as the value of x_is_2, got 0.5"),
    ("smt2", "sat\n", "prints no values"),
    ("mzn", "x = 99;\n----------\n", "expected one"),
]


def lines_of(exported: Exported) -> list[str]:
    return str(exported).splitlines()


@pytest.mark.parametrize(("name", "text", "claim", "assignment"), READ)
def test_the_forms_that_solvers_print(
    name: str, text: str, claim: Claim, assignment: dict[str, str] | None
) -> None:
    found = load_format(name).read(text, assignment or ())
    assert found.claim == claim
    assert [*found.assignments] == ([] if assignment is None else [assignment])


@pytest.mark.parametrize(("name", "text", "message"), MALFORMED)
def test_malformed_output_is_reported(name: str, text: str, message: str) -> None:
    puzzle = puzzlekit.load(PAIR)
    with pytest.raises(InputError, match=message):
        read_solution(lines_of(export(puzzle, name)), text, puzzle)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", ["", "hello\n", "{", "((((", "v\n", "s\n", "\x00"])
def test_no_output_of_a_solver(name: str, text: str) -> None:
    puzzle = puzzlekit.load(PAIR)
    with pytest.raises(InputError, match="expected"):
        read_solution(lines_of(export(puzzle, name)), text, puzzle)


def test_a_wrong_solution_is_reported_with_its_rule() -> None:
    puzzle = puzzlekit.load(PAIR.replace("x < y", "x + y != 4") + "# more\n")
    lines = lines_of(export(puzzle, "mzn"))
    with pytest.raises(Problems, match="the solution of the other solver violates the rule: less"):
        read_solution(lines, "x = 2;\ny = 2;\n----------\n", puzzle)


def test_several_solutions_are_each_read_once() -> None:
    puzzle = puzzlekit.load(PAIR)
    lines = lines_of(export(puzzle, "mzn"))
    texts = [f"x = {x};\ny = {y};\n----------\n" for x, y in ((1, 2), (1, 3), (1, 2))]
    found = read_solution(lines, "".join(texts), puzzle)
    assert [dict(solution) for solution in found.solutions] == [{"x": 1, "y": 2}, {"x": 1, "y": 3}]


def test_a_changed_puzzle_is_refused() -> None:
    lines = lines_of(export(puzzlekit.load(PAIR), "dimacs"))
    with pytest.raises(InputError, match="has changed since the file was exported"):
        read_solution(lines, "s UNSATISFIABLE\n", puzzlekit.load(PAIR.replace("x < y", "y < x")))


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["p cnf 1 0"],
        ['c {"puzzlekit":'],
        ['c {"puzzlekit":1,"format":"dimacs"}'],
        [
            'c {"puzzlekit":1,"format":"dimacs","puzzle":3,"spec":null,"options":{},'
            '"digest":"","goal":null}'
        ],
        ['c {"puzzlekit":1,"format":"nothing"}'],
        [
            'c {"puzzlekit":2,"format":"dimacs","puzzle":"a","spec":null,"options":{},'
            '"digest":"","goal":null}'
        ],
        [
            'c {"puzzlekit":1,"format":"dimacs","puzzle":"a","spec":null,"options":[],'
            '"digest":"","goal":null}'
        ],
        [
            'c {"puzzlekit":1,"format":"dimacs","puzzle":"a","spec":null,"options":{"lexicon":3},'
            '"digest":"","goal":null}'
        ],
    ],
)
def test_a_file_that_is_no_export(lines: list[str]) -> None:
    with pytest.raises(InputError, match=r"expected|unknown format"):
        read_solution(lines, "s UNSATISFIABLE\n")


def test_the_goal_is_left_out_or_refused() -> None:
    puzzle = puzzlekit.load(PAIR + "goals: {low: minimise(x)}\n")
    found = export(puzzle, "dimacs")
    assert found.goal is None
    assert found.notes == ("the format dimacs has no goals: low is left out",)
    with pytest.raises(InputError, match="the format dimacs has no goals"):
        export(puzzle, "dimacs", goal="low")
    assert not export(puzzle, "dimacs", goal="none").notes


NAMES = {
    "mzn": ["var 1..3: end_;", "constraint x - end_ <= -2; % far apart"],
    "lp": [" x_is_2", " end_is_3"],
    "smt2": ["(declare-const x_is_2 Bool)"],
    "asp": ["{v(x_is_2)}."],
}


@pytest.mark.parametrize(("name", "lines"), NAMES.items())
def test_a_file_has_the_whole_puzzle_with_the_names_of_its_unknowns(
    name: str, lines: list[str]
) -> None:
    """Presolve alone would solve it."""
    puzzle = puzzlekit.load(
        "puzzle: p\nvariables: {x: 'between(1, 3)', end: 'between(1, 3)'}\n"
        "rules: {far apart: x + 2 <= end}"
    )
    assert {*lines} <= {*lines_of(export(puzzle, name))}
    assert not {*lines} & {*lines_of(export(puzzle, name, presolve=Presolve.FULL))}


@pytest.mark.parametrize("name", FORMATS)
def test_what_presolve_solves_is_no_empty_file(name: str) -> None:
    puzzle = puzzlekit.load(None, Path(__file__).parents[2] / "specs/waffle/first.yaml")
    sizes = [len(str(export(puzzle, name, presolve=level))) for level in Presolve]
    assert sizes[0] > 2 * sizes[2]


def test_what_presolve_refutes_has_no_solution() -> None:
    puzzle = puzzlekit.load("puzzle: p\nvariables: {x: 'between(1, 3)'}\nrules: {r: x > 3}\n")
    assert "c presolve proves that there is no solution" in "\n".join(
        lines_of(export(puzzle, "dimacs", presolve=Presolve.FULL))
    )

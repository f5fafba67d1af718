"""The questions of the page, asked without a server, and the board as marks."""

import re
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit import Query
from puzzlekit.play.entries import token_text
from puzzlekit.questions.answers import QUESTIONS, answer
from puzzlekit.questions.played import PlayedBoard, clues_of
from puzzlekit.reasons.progress import read_marks
from puzzlekit.render import CELL
from puzzlekit.sentences.sentence import Sentence
from puzzlekit.sentences.verdicts import (
    BreaksRule,
    DrawnRight,
    DrawnWrong,
    IsSolution,
    LeadsNowhere,
    OnlySolution,
    OnlySolutionOfBoard,
    RightSoFar,
    StuckSteps,
    ThisIsOnlySolution,
)
from tests.play.test_entries import smallest
from tests.serve.test_pool import PIGEONS
from tests.shipped import ROOT, SMALLEST, SPECS

SIX = {
    "type": (ROOT / "puzzles" / "sudoku.yaml").read_text(),
    "spec": SPECS["sudoku/six"].read_text(),
}
PAIR = (
    "puzzle: pair\ndata: {low: int}\nlet: {b: 'board(1, 2)'}\n"
    "variables: {'x[c]': 'between(1, 3) for c in b.cells'}\n"
    "rules:\n  they differ: 'all_different(x)'\n  they rise: 'x[cell(1, 1)] < x[cell(1, 2)]'\n"
    "  not below: 'x[cell(1, 1)] >= low'\n"
)


THREE = (
    "puzzle: three\nlet: {b: 'board(1, 3)'}\n"
    "variables: {'x[c]': 'between(1, 3) for c in b.cells'}\n"
    "rules: {they differ: all_different(x)}\n"
)


def asked(question: str, **given: Any) -> Any:
    *_, last = answer({"question": question, "seconds": 20, **given})
    return last.get("answer", last)


def beginning(sentence: type[Sentence]) -> str:
    """The text of a sentence before its first part."""
    return re.split(r"[\[{]", sentence.template)[0]


def begins(text: str, *sentences: type[Sentence]) -> bool:
    """Whether a text is one of these sentences."""
    return text.startswith(tuple(map(beginning, sentences)))


def held(played: PlayedBoard, texts: list[list[str | None]]) -> list[Any]:
    """The board of texts, as the page holds it."""
    board = []
    for entry, own in zip(played.game.entries, texts):
        numbers = [
            token_text(token) if entry.category != "words" else dict(token).get("text", "")
            for token in entry.tokens
        ]
        if entry.category == "pieces":
            cells = [0] * len(entry.positions)
            for number, piece in enumerate(own, 1):
                for cell in map(int, (piece or "").split()):
                    cells[cell] = number
            board.append({"held": cells, "crossed": []})
        elif entry.category == "words" and entry.free:
            board.append({"held": list(own), "crossed": []})
        else:
            tokens = [numbers.index(text) if text in numbers else 0 for text in own]
            board.append(
                {"held": tokens, "crossed": [n for n, text in enumerate(own) if text in ("×", "")]}
            )
    return board


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=[] if i % 20 == 0 else [pytest.mark.slow])
        for i, n in enumerate(SMALLEST)
    ],
)
def test_a_solution_on_the_board_is_one_as_marks(name: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[name])
    played = PlayedBoard(puzzle)
    solution = next(iter(puzzle.run(Query(limit=1, ordered=False, goal="none"))))
    board = held(played, [*played.game.entered(solution)])
    marks = played.marks(board)
    read_marks(puzzle.instance, marks)  # which refuses none
    by_index = {
        name: own if isinstance(own, dict) else {(): own}
        for name, own in marks.items()
        if name != "not"
    }
    values = {(name, key): value for name, own in by_index.items() for key, value in own.items()}
    found = {
        (n, key): solution.assignment[v]
        for n, f in puzzle.instance.families.items()
        for key, v in f.members.items()
    }
    assert all(found[place] == value for place, value in values.items())
    entered = played.game.partial_boards(solution.assignment)
    for entry, own, texts in zip(played.game.entries, entered, played.game.entered(solution)):
        if entry.category == "pieces":
            assert sorted(map(str, own)) == texts or not own
        else:
            assert all(text in (None, "×", right) for text, right in zip(own, texts))


def test_live_and_on_request() -> None:
    shown = asked("board", **SIX)
    assert (
        shown["title"] == "Sudoku: Six by six"
        and shown["clues"]["field"] == "givens"
        and len(shown["boards"]) == 1
    )
    assert set(shown["game"]["entries"][0]["fixed"].values()) == {
        f"text:{digit}" for digit in "123456"
    }
    assert asked("solutions", **SIX)["verdict"] == "one"
    assert asked("count", **SIX) == {"count": 1}
    solved = asked("solve", **SIX)
    assert solved["text"] == str(OnlySolution()) and solved["boards"][0][0][:6] == [
        f"text:{digit}" for digit in "413526"
    ]
    assert asked("shared", **SIX)["board"] == solved["boards"][0]
    assert asked("rate", **SIX)["status"] == "solved"
    assert "puzz.link" in asked("link", **SIX)["links"]
    alone, solved = (asked("picture", form="svg", solved=solved, **SIX) for solved in (False, True))
    assert solved["name"] == "sudoku.svg" and len(solved["data"]) > 1.5 * len(alone["data"])
    assert asked("picture", form="exe", **SIX) == {
        "error": "expected svg, png or pdf",
        "help": "",
    }


def test_what_is_on_the_board_is_judged_and_continued() -> None:
    board = [{"held": [1] + [0] * 35, "crossed": []}]
    judged = asked("check", board=board, **SIX)
    assert not begins(judged["text"], RightSoFar, DrawnRight) and any(judged["drawn"])
    step = asked("hint", board=[], **SIX)
    assert step["where"] and step["moves"][0][0] == 0
    assert any(shape.startswith('<g class="lit new">') for shape in step["drawn"][0])
    begin, end, squares = step["phrases"][0]
    assert step["text"][begin:end] and squares[0][2] == CELL
    *steps, last = answer({"question": "explain", "seconds": 20, "board": [], **SIX})
    assert last["answer"]["text"] == str(ThisIsOnlySolution())
    moves = [move for step in steps for move in step["progress"]["step"]["moves"]]
    assert len({tuple(move[:2]) for move in moves}) == 36


@pytest.mark.parametrize("field", ["notes", "centre"])
def test_hints_and_steps_begin_with_the_notes_of_the_player(field: str) -> None:
    """Notes are what may stand in a cell: two cells with the same two leave the third."""
    three = {"type": THREE, "spec": "puzzle: three\n"}
    empty = {"held": [0] * 3, "crossed": []}
    assert not asked("hint", board=[empty], **three)["moves"]
    pair = {**empty, field: {"0": ["1", "2"], "1": ["1", "2"]}}
    step = asked("hint", board=[pair], **three)
    assert "r1c3" in step["text"] and step["where"]
    ((first, *_), _) = explained([pair], **three)
    assert first["step"]["text"] == step["text"] and first["step"]["moves"] == [[0, 2, 3]]
    wrong = asked("hint", board=[{**pair, "held": [0, 0, 1]}], **three)
    assert not wrong["moves"] and not wrong["where"]
    inside = {**empty, "notes": {"0": ["3"]}, "centre": pair.get("centre", pair.get("notes"))}
    assert (
        asked("hint", board=[inside], **three)["text"] == step["text"]
    )  # those in the middle count


def test_an_elimination_leaves_notes() -> None:
    texts = {"type": (ROOT / "puzzles" / "kakuro.yaml").read_text()}
    texts["spec"] = SPECS["kakuro/tiny"].read_text()
    step = asked("hint", board=[], **texts)
    assert not step["moves"] and [tokens for *_, tokens in step["notes"]] == [[5, 6, 7, 8, 9]] * 3


def explained(board: Any, **given: Any) -> tuple[list[Any], str]:
    """The messages of an explanation from a board, and its last text."""
    *messages, last = answer({"question": "explain", "seconds": 20, "board": board, **given})
    return [message["progress"] for message in messages], last["answer"]["text"]


def test_an_explanation_of_a_wrong_board_tells_the_marks_as_check_does() -> None:
    board = [{"held": [2] + [0] * 35, "crossed": []}]
    text = asked("check", board=board, **SIX)["text"]
    assert "r1c1" in text and explained(board, **SIX) == ([], text)


def test_an_explanation_after_a_solution_begins_with_an_empty_board() -> None:
    texts = {"type": PAIR, "spec": "puzzle: pair\nlow: 1\n"}  # three solutions
    played = PlayedBoard(puzzlekit.load(PAIR, "puzzle: pair\nlow: 1\n"))
    several = str(StuckSteps())
    full, begun = (held(played, [cells]) for cells in (["text:1", "text:3"], ["text:1", None]))
    for given in ({}, {"solved": True}):
        assert explained(full, **given, **texts) == ([{"start": [[None, None]]}], several)
    assert explained([], **texts) == explained(begun, **texts) == ([], several)
    forced = held(played, [["text:2", None]])
    assert explained(forced, **texts)[1] == str(OnlySolutionOfBoard())


@pytest.mark.parametrize(
    ("low", "verdict", "said"),
    [(3, "none", "cannot"), (1, "several", "differ"), (2, "one", "one solution")],
)
def test_why_a_puzzle_has_not_one_solution(low: int, verdict: str, said: str) -> None:
    texts = {"type": PAIR, "spec": f"puzzle: pair\nlow: {low}\n"}
    assert asked("board", **texts)["game"]["entries"]
    assert asked("solutions", **texts)["verdict"] == verdict
    assert said in asked("why", **texts)["text"]


def test_another_puzzle_is_made_by_rules_or_by_the_generator_of_its_type() -> None:
    made = asked("generate", **SIX)["spec"]
    assert puzzlekit.load("sudoku", made).count() == 1 and "expect" not in made
    text = asked("example", name="waffle", example="first")
    assert (
        asked("solutions", **text | {"spec": asked("generate", **text)["spec"]})["verdict"] == "one"
    )


def test_errors_have_their_line_and_their_text() -> None:
    found = asked(
        "board", type=PAIR.replace("x[cell(1, 1)] >= low", "y > 1"), spec="puzzle: pair\nlow: 1\n"
    )
    assert [(one["where"], one["line"]) for one in found["problems"]] == [("type", 8)]
    found = asked("board", type=PAIR, spec="puzzle: pair\nlow: x\n")
    assert [(one["where"], one["line"]) for one in found["problems"]] == [("spec", 2)]


def test_examples_and_links_are_opened() -> None:
    types = {one["name"]: one for one in asked("catalogue")["types"]}
    assert (
        len(types) == len({name.split("/")[0] for name in SMALLEST})
        and "six" in types["sudoku"]["specs"]
    )
    assert asked("example", name="sudoku", example="six") == SIX
    assert asked("example", name="../../etc/passwd")["error"] == "there is no such type"
    link = asked("link", **SIX)["links"]["puzz.link"]
    assert asked("opened", text=link)["spec"].startswith("puzzle: sudoku\n")
    assert asked("opened", text=SIX["spec"])["type"] == SIX["type"]
    assert asked("opened", text=PAIR) == {"type": PAIR + "", "spec": ""}
    *pictures, _ = answer(
        {"question": "pictures", "seconds": 20, "names": ["akari", "no such type", "sudoku"]}
    )
    assert [one["progress"]["name"] for one in pictures] == ["akari", "sudoku"]


def test_each_cell_of_clues_is_found_in_the_text() -> None:
    spaced = "puzzle: grid\ngrid:  # a comment\n  - [12, ., 3]\n  - [., 14, .]\n"
    kind = (
        "puzzle: grid\ndata: {grid: 'grid[int | None]'}\n"
        "variables: {'x[c]': 'between(1, 20) for c in grid.cells'}\n"
    )
    for text in (spaced, "puzzle: grid\ngrid: |\n  12  . 3\n   . 14 .\n"):
        found = clues_of(puzzlekit.load(kind, text))
        lines = text.splitlines()
        assert found and [
            lines[at][start : start + long] for *_, at, start, long in found["cells"]
        ] == [
            *("12", ".", "3", ".", "14", "."),
        ]


HOSTILE = (
    None,
    3,
    "x",
    [1],
    [{}],
    [{"held": "x"}],
    [{"held": [{}, [], "1", -1, 9**99], "crossed": {"a": 1}}],
    [{"held": [1] * 9999}],
)


@pytest.mark.parametrize("board", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("name", ["sudoku/six", "shikaku/tiny"])
def test_a_board_that_no_page_sends_is_no_trouble(board: Any, name: str) -> None:
    kind = asked("example", name=name.split("/")[0])["type"]
    judged = asked("check", type=kind, spec=SPECS[name].read_text(), board=board)
    assert begins(judged["text"], DrawnRight, RightSoFar, BreaksRule, LeadsNowhere, DrawnWrong)


def test_every_question_says_what_is_wrong_with_texts() -> None:
    for name in QUESTIONS:
        for found in answer(
            {
                "question": name,
                "seconds": 5,
                "type": "puzzle: [",
                "spec": "\0",
                "names": 3,
                "board": {"a": 1},
            }
        ):
            assert found.keys() <= {"answer", "error", "help", "problems", "progress"}


def test_no_solution_before_the_time_is_up_is_told_as_an_error() -> None:
    *_, last = answer({"question": "solve", "seconds": 0.5, "type": PIGEONS, "spec": "k: 13\n"})
    assert "the time is up" in last["error"]


def test_what_one_begins_with_has_a_solution() -> None:
    texts = asked("new")
    assert asked("solutions", **texts)["verdict"] in ("one", "several")


@pytest.mark.parametrize("kind", ["araf", "codeword", "slant", "shikaku", "nanro"])
def test_all_that_is_entered_is_checked(kind: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[smallest(kind)])
    played = PlayedBoard(puzzle)
    (solution,) = puzzle.solve()
    entry, answer = played.game.entries[0], played.game.entered(solution)[0]
    if entry.category == "pieces":
        first, second, *_ = (own.split() for own in answer)
        part, wrong = [" ".join(first[:-1])], [" ".join((*first, second[0]))]
    else:
        fixed = played.data["game"]["entries"][0].get("fixed", {})
        place = next(
            n
            for n, text in enumerate(answer)
            if n not in fixed and text != token_text(entry.tokens[1])
        )
        part = [text or None if n % 2 else None for n, text in enumerate(answer)]
        wrong = [token_text(entry.tokens[1]) if n == place else None for n in range(len(answer))]
    for board, right in ((part, True), (wrong, False)):
        judged = asked(
            "check",
            board=held(played, [board]),
            type=puzzle.type.source.text,
            spec=puzzle.spec.source.text,
        )
        assert begins(judged["text"], RightSoFar, DrawnRight) == right
        assert any(judged["drawn"]) != right


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ridge ", beginning(IsSolution)),
        ("wrong", beginning(BreaksRule)),
        ("nonsense", "answer 0 cannot be 'nonsense'"),
    ],
)
def test_a_word_that_is_typed_is_checked(text: str, said: str) -> None:
    judged = asked(
        "check", board=[{"held": [text]}], **asked("example", name="wordle", example="first")
    )
    assert judged.get("text", judged.get("error")).startswith(said)


@pytest.mark.parametrize(("token", "sentence"), [(1, IsSolution), (2, BreaksRule), (0, RightSoFar)])
def test_an_unknown_without_an_index_is_checked(token: int, sentence: type[Sentence]) -> None:
    kind = "puzzle: one\nvariables: {x: 'between(1, 3)'}\nrules: {r: x == 1}\n"
    judged = asked("check", type=kind, spec="", board=[{"held": [token]}])
    assert begins(judged["text"], sentence)


def test_a_puzzle_is_loaded_anew_when_a_file_that_it_reads_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kind, lexicon = tmp_path / "pick.yaml", tmp_path / "few.txt"
    text = (
        "puzzle: pick\ndata: {words: lexicon}\nvariables: {x: 'between(1, 9)'}\n"
        "rules: {r: 'x <= len(words)'}\n"
    )
    spec = "puzzle: pick\nwords: few.txt\n"
    kind.write_text(text)
    lexicon.write_text("one\ntwo\n")
    assert asked("count", spec=spec) == {"count": 2}
    lexicon.write_text("one\ntwo\nthree\n")
    assert asked("count", spec=spec) == {"count": 3}
    kind.write_text(text.replace("<=", ">"))
    assert asked("count", spec=spec) == {"count": 6}


def test_sides_at_cells_without_a_label_are_no_trouble() -> None:
    kind = (
        "puzzle: holes\ndata: {grid: 'grid[text]'}\n"
        "variables: {'area[c]': \"between(1, 2) for c in grid.cells if grid[c] != '#'\"}\n"
        "rules:\n  known: 'area[cell(1, 1)] == 1 and area[cell(1, 3)] == 2'\n"
        "  two twos: count(area, 2) == 2\n"
        "show: {picture: {borders: area}}\n"
    )
    texts = {"type": kind, "spec": "puzzle: holes\ngrid: |\n  a#b\n  a..\n"}
    *steps, last = answer(
        {"question": "explain", "seconds": 20, "board": [{"held": [0, 0, 0]}], **texts}
    )
    assert "answer" in last and [
        move for step in steps for move in step["progress"]["step"]["moves"]
    ] == [[0, 2, 1]]


def test_hints_draw_a_few_sides_each_until_all_are_drawn() -> None:
    texts = asked("example", name="spiral_galaxies")
    sides = len(asked("board", **texts)["game"]["entries"][0]["places"])
    own: dict[str, list[int]] = {"held": [0] * sides, "crossed": []}
    most = 0
    while (step := asked("hint", board=[own], **texts))["moves"]:
        moves = [
            (place, token)
            for _, place, token in step["moves"]
            if place not in own["crossed"] and not own["held"][place]
        ]
        assert moves, step["text"]
        most = max(most, len(moves))
        for place, token in moves:
            own["held"][place], crossed = max(0, token), [place] if token < 0 else []
            own["crossed"] += crossed
    assert step["text"] == "Nothing follows any more." and most < sides / 2


@pytest.mark.parametrize("kind", ["spiral_galaxies", "block_puzzle"])
def test_regions_that_are_drawn_by_their_sides_are_understood(kind: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[smallest(kind)])
    played = PlayedBoard(puzzle)
    texts = {"type": puzzle.type.source.text, "spec": puzzle.spec.source.text}
    (solution,) = puzzle.solve()
    borders = played.game.entered(solution)[0]
    board = [{"held": [0] * len(borders), "crossed": []}]
    *steps, _ = answer({"question": "explain", "seconds": 20, "board": board, **texts})
    moves = [move for step in steps for move in step["progress"]["step"]["moves"]]
    assert {place: token for _, place, token in moves} == {
        n: 1 if text else -1 for n, text in enumerate(borders)
    }
    entered: list[int] = []
    for place, text in enumerate(
        borders
    ):  # borders one after the other: none of these boards is wrong
        board[0]["held"][place] = int(bool(text))
        if not text:
            continue
        step = asked("hint", board=board, **texts)
        assert "reaks" not in step["text"] and "nowhere" not in step["text"]
        entered += [move[1] for move in step["moves"]]
    assert step["text"] == "Nothing follows any more." and entered
    assert {
        v: solution.assignment[v]
        for v in puzzle.instance.families[played.game.entries[0].name].members.values()
    } == {
        played.puzzle.instance.families[name].members[key]: value
        for name, own in played.marks(board).items()
        for key, value in own.items()
    }


def test_what_has_one_candidate_from_the_start_is_entered_by_a_step() -> None:
    puzzle = asked("example", name="swaps", example="row")
    *steps, last = answer({"question": "explain", "seconds": 20, "board": [], **puzzle})
    moves = [move for step in steps for move in step["progress"]["step"]["moves"]]
    assert len(moves) == 2
    assert last["answer"]["text"] == str(ThisIsOnlySolution())
    assert not last["answer"].get("moves")

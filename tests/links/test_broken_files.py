"""Files that are cut, wrong, empty, huge, of other programs or no text: each is refused in one
line, and what stands beside them is imported.
"""

import gzip
import json
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.reading import FILE_BYTES
from tests.commands import called as command
from tests.links.test_text_formats import GIVEN, JANKO, NON, OPEN, PICTURE, XML
from tests.shipped import SPECS

SAVE = """SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
VERSION :1:1
GAME    :7:Singles
PARAMS  :5:5x5dk
CPARAMS :5:5x5dk
DESC    :25:2512121454524251453255221
"""


def written(notation: str, spec: str) -> str:
    return links.notation(notation).write(puzzlekit.load(None, SPECS[spec]).instance)


def good_texts() -> dict[str, str]:
    """Return a text of each notation that is read."""
    return {
        "non": NON.replace("1\n1\n3", "1,1\n1\n1,1"),
        "webpbn": XML,
        "opensudoku": OPEN,
        "janko": JANKO,
        "save": SAVE,
        "game link": written("tatham", "hitori/small"),
        "penpa": written("penpa", "masyu/tiny"),
        "fpuzzles": written("fpuzzles", "sudoku/first"),
        "sudokupad": written("sudokupad", "masyu/tiny"),
        "puzzlink": written("puzzlink", "nurikabe/tiny"),
        "pzprv3": "pzprv3\nnurikabe\n2\n2\n2 .\n. .\n. .\n. .\n",
        "ipuz": written("ipuz", "crossword/first"),
        "kanpen": "https://www.kanpen.net/slitherlink.html?problem=2/3/1_3_2/0_._./",
        "digits": GIVEN,
        "hodoku": f":0702:9:{GIVEN.replace('0', '.')}:412 513:994::",
    }


def broken_files() -> dict[str, bytes]:
    """Return files by name, none of which holds a puzzle."""
    files: dict[str, bytes] = {}
    for name, text in good_texts().items():
        files[f"{name}, cut"] = text[: 2 * len(text) // 3].rstrip("/").encode()
        middle = len(text) // 2
        files[f"{name}, with a strange sign"] = f"{text[:middle]}§{text[middle + 1 :]}".encode()
    files |= {name: text.encode() for name, text in OF_OTHERS.items()}
    files |= NO_TEXT
    return files


OF_OTHERS = {
    "empty": "",
    "blanks": " \n\t\n",
    "prose": "Dear reader,\n\nthis is no puzzle.\n",
    "CSV": "a,b,c\n1,2,3\n4,5,6\n",
    "a program": "def solve(board):\n    return board\n",
    "LaTeX": "\\documentclass{article}\n\\begin{document}\n\\end{document}\n",
    "clauses": "p cnf 3 2\n1 -3 0\n2 3 -1 0\n",
    "MiniZinc": "var 1..3: x;\nconstraint x > 1;\nsolve satisfy;\n",
    "a web page": "<!DOCTYPE html><html><body>no</body></html>",
    "a drawing": '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>',
    "ksudoku": '<?xml version="1.0"?><!DOCTYPE ksudoku><ksudoku><game/></ksudoku>',
    "jpz": '<?xml version="1.0"?><crossword-compiler><rectangular-puzzle/></crossword-compiler>',
    "a list of JSON": "[[1, 2], [3, 4]]",
    "JSON of gnome-sudoku": json.dumps({"difficulty_category": 1, "cells": [{"value": 1}]}),
    "half of JSON": '{"kind": ["http://ipuz.org/crossword#1"], "dimensions": {"width": 5',
    "ipuz of another kind": '{"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/sudoku#1"]}',
    "nin": "5 5\n1 1\n2\n3\n",
    "the solver of Olšák": "#d\n: rows\n1 2\n3\n",
    "a short link": "https://tinyurl.com/abc",
    "a link to a site": "https://example.org/puzzles?id=17",
    "another game": "https://puzz.link/p?nosuchgenre/5/5/abc",
    "a game without its type": "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/net.html#5x5:1",
    "a random seed": "5x5de#1234567",
    "eighty digits": GIVEN[:-1],
    "a board with letters": "abcdefghi\n" * 9,
    "mail": "From: a@example.org\nTo: b@example.org\n\nHello\n",
    "control characters": "\x01\x02\x1b[31mred\x07\n",
    "a long line": "x" * 300_000,
}
NO_TEXT = {
    "PNG": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "JPEG": b"\xff\xd8\xff\xe0" + bytes(range(256)),
    "PDF": b"%PDF-1.7\n\xb5\xb5\xb5\xb5",
    "ZIP": b"PK\x03\x04" + bytes(range(256)),
    "gzip": gzip.compress(GIVEN.encode()),
    "another character set": f"title: Ă\n{GIVEN}".encode("utf-16"),
    "Latin-1": "Rätsel für Anfänger\n".encode("latin-1"),
    "zeros": bytes(400),
    "bytes": bytes(range(256)) * 3,
    "too large": b"1" * (FILE_BYTES + 1),
}


@pytest.mark.parametrize("name", good_texts())
def test_each_text_is_read_before_it_is_broken(name: str) -> None:
    assert len(links.read(good_texts()[name])) == 1


def test_each_broken_file_is_refused_in_one_line(tmp_path: Path) -> None:
    paths = []
    for number, content in enumerate(broken_files().values()):
        path = tmp_path / f"{number:02}.txt"
        path.write_bytes(content)
        paths.append(str(path))
    good = tmp_path / "good.non"
    good.write_text(PICTURE)
    done = command("import", *paths, str(good))
    names = list(broken_files())
    assert len(paths) >= 60
    problems = [line for line in done.stderr.splitlines() if line.startswith(str(tmp_path))]
    lines: dict[str, list[str]] = {name: [] for name in names}
    for line in problems:
        lines[names[int(line.removeprefix(f"{tmp_path}/")[:2])]].append(line)
    assert {name: refused for name, refused in lines.items() if len(refused) != 1} == {}
    assert done.returncode == 2 and "A hook" in done.stdout and "Traceback" not in done.stderr
    assert done.stdout.count("puzzle:") == 1

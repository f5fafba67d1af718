"""Two folders of a stranger, full of traps, and what runs a command in them."""

import sys
from dataclasses import dataclass
from pathlib import Path

from tests.security.judges import Seen, watched
from tests.shipped import ROOT

TYPE = """puzzle: stranger
title: A type beside its spec
data:
  height: int
variables:
  x: between(1, 145)
  y: between(1, 145)
rules:
  the height: (6000 * x + y) % 7 == height or x == y
show:
  pair: (x, y)
"""
FILES = {
    "six.yaml": "puzzle: queens\nsize: 6\nexpect:\n  solutions: 4\n",
    "stranger.yaml": TYPE,
    "high.yaml": "puzzle: stranger\nheight: 3\n",
    "list.txt": "alpha\nbeta\n",
    "board.json": '{"letters": ["axpge", "i.h.n", "ploic", "l.v.a", "lrint"],'
    ' "colours": ["gbgbg", "y.b.b", "bygyy", "b.b.y", "gbybg"]}',
}
OWN = frozenset(
    {"puzzles", "puzzles/waffle.yaml", ".", *FILES}
)  # what a command may look at, where it is asked for
# wordfreq asks Python for its callers' lines: as text they would be read, from files of these names
FROZEN = frozenset({"<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>"})

# The files that a name of a type may be, which is looked for in the folder itself, too
NAMED = {path.name for path in (ROOT / "puzzles").glob("*.yaml")}


@dataclass(frozen=True)
class Stranger:
    """A folder of a stranger, and another one: both hold every trap,
    and only `here` has a type and specs.
    """

    here: Path
    elsewhere: Path
    out: Path
    environment: dict[str, str]
    marker: Path

    def run(
        self, *command: str, cwd: Path | None = None, stdin: str = "", python: tuple[str, ...] = ()
    ) -> Seen:
        """Run the command line there, and see what it touches beside what is its own."""
        program = (
            [str(Path(sys.executable).with_name("puzzlekit"))]
            if not python
            else [sys.executable, *python]
        )
        self.marker.unlink(missing_ok=True)
        folders = (self.here, self.elsewhere)
        log = self.out / "strace"
        seen = watched(
            [*program, *command], cwd or self.here, folders, log, self.environment, stdin
        )
        mine = OWN | set(command)
        if (
            "check" in command
        ):  # a type is run on the specs beside it: what looks like one is read as text
            seen.opened -= {".", "config.yaml", "puzzlekit.yaml"}
            specs = {name for name in seen.looked_for if Path(name).parent.name == "specs"}
            seen.looked_for -= {"config.yaml", "puzzlekit.yaml", *specs}
        seen.opened -= mine - {"."}
        types = {
            name
            for name in seen.looked_for
            if (name.startswith("puzzles/") and name.endswith(".yaml")) or name in NAMED
        }
        seen.looked_for -= mine | FROZEN | types  # types are looked for there, by their names
        if self.marker.exists():
            seen.executed |= set(self.marker.read_text().splitlines())
        return seen

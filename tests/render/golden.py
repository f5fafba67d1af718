"""The golden pictures of each layer: types in `layers/`, drawn alone and with their solution.

`python -m tests.render.golden` writes them anew: look at each before you keep it.
"""

from pathlib import Path

from puzzlekit.api import load
from puzzlekit.render.build import scenes_of
from puzzlekit.render.layout import draw
from puzzlekit.render.svg_layers import scene_svg
from puzzlekit.scene import Scene

FOLDER = Path(__file__).parent / "layers"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def scenes(name: str) -> list[Scene]:
    """Return the scene of a layer: the puzzle alone, and with its solution."""
    puzzle = load(FOLDER / f"{name}.yaml", {})
    (solution,) = puzzle.solve()
    return [*scenes_of(puzzle.instance, None), *scenes_of(puzzle.instance, solution.assignment)]


def as_text(name: str) -> str:
    """Return both pictures as a pipe shows them."""
    return "\n\n".join("\n".join(map(str, draw([scene], False))) for scene in scenes(name)) + "\n"


def as_svg(name: str) -> str:
    """Return the elements of both pictures, an element a line."""
    drawn = [scene_svg(scene, 40.0)[2] for scene in scenes(name)]
    return "\n\n".join(text.replace("><", ">\n<") for text in drawn) + "\n"


def main() -> None:
    """Write the golden files."""
    for name in NAMES:
        (FOLDER / f"{name}.txt").write_text(as_text(name), encoding="utf-8")
        (FOLDER / f"{name}.svg.txt").write_text(as_svg(name), encoding="utf-8")


if __name__ == "__main__":
    main()

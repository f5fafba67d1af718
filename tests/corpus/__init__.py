"""Hold the types to published puzzles: python -m tests.corpus FOLDER [KIND...].

See docs/testing.md.

To add a kind, write a converter into the module of its family in kinds/, and a line into the
module's table KINDS: the kind as the collection calls it, the type, the converter.

    def akari(problem: Page, solution: Page) -> Case:
        return {"walls": problem.cells()}, shaded("lamp", solution, "o")

    KINDS = {"Akari": Kind("akari", akari)}

A converter gets two pages: `head` has the words of the first line, `rows` those of the others.
It returns the spec's fields (as Python values, or as YAML text) and what the collection expects.
`problem.cells()` is a board whose empty cells are None; `problem.board(n)` is the n-th board of
the page. `shaded`, `values`, `path`, `parts` compare an unknown with the page of the solution.
Raise `Refused(reason)` for what the type or the converter cannot take. Any other exception is
also caught and listed.
"""

"""What follows in a puzzle and why: steps to its solution, what is wrong with a board, which rules
clash, how hard it is.

- `assumption_model` encodes a puzzle: each instance of a rule has a selector literal.
- `literals` numbers what can be known, `patterns` makes clauses of conditions, once for all that
  differ only in names; `instances` and `shapes` find what an instance entails, with the fewest
  facts for it.
- `steps` finds the steps to the solution, the simplest first. `conflict` finds the smallest set of
  instances and marks that cannot hold together. `difficulty` makes a number of the steps.
- `marks` reads and judges a board in the making; `words` puts facts and rules into words, and
  `sentences` chooses the sentence of a step from `puzzlekit.sentences`.
"""

"""What follows in a puzzle and why: steps to its solution, what is wrong with a board, which rules
conflict, how hard it is.

- `assumption_model` encodes a puzzle: each instance of a rule has a selector literal.
- `literals` numbers what can be known, `patterns` makes clauses of conditions, once for all that
  differ only in names; `instances`, `shapes` and `region_sizes` find what an instance entails, with
  the fewest facts for it.
- `steps` finds the steps to the solution, the simplest first, with `failed_literals` for those that
  no instance or pair entails; `fewer_steps` leaves out what some facts can do without.
- `explainer` holds the model and the words of a puzzle, and finds minimal unsatisfiable sets of
  rules. `conflicts` and `checking` answer from these; `difficulty` makes a number of the steps.
- `progress` reads marks on a board in the making; `words` and `places` put facts and rules into
  words, `chains` finds how facts lead to a contradiction, `sentences` chooses the sentence of a
  step from `puzzlekit.sentences`, and `narration` tells only the steps that need a word.
"""

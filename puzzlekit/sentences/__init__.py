"""Every sentence that is composed for a person: a class each, with its template and its typed
parts.

Error messages stand where the check is; a sentence that depends on numbers, lists or optional parts
stands here. `python -m puzzlekit.sentences` prints all of them with examples.

- `sentence`: the base class, which renders templates, and pairs of phrases of one thing and of
  several
- `formatting`: lists, numbers of things, and first letters
- `clauses`: what is said of an unknown of a puzzle, in the words of its type
- `steps`, `verdicts`, `reports`: the sentences of explanations, of answers about a board, and of
  commands
"""

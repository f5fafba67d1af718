"""Print every sentence with its template and examples: `python -m puzzlekit.sentences`."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.sentences.examples import EXAMPLES, PHRASES

WIDTH = 22  # of the column of names


def listing() -> Iterator[str]:
    """Yield a paragraph for each sentence: its name and template, then its examples."""
    for sentence_type, examples in EXAMPLES.items():
        lines = [sentence_type.template, *map(str, examples)]
        yield _paragraph(sentence_type.__name__, lines)
    for phrase_type in PHRASES:
        forms = []
        for phrase in phrase_type:
            distinct = dict.fromkeys((phrase.of_one, phrase.of_several))
            forms.append(" / ".join(distinct))
        yield _paragraph(phrase_type.__name__, forms)


def _paragraph(name: str, texts: list[str]) -> str:
    """Return a name with texts beside it."""
    lines = [line for text in texts for line in text.split("\n")]
    names = [name, *[""] * len(lines)]
    paragraph = ""
    for title, line in zip(names, lines):
        columns = f"{title:<{WIDTH}}  {line}"
        paragraph += columns.rstrip() + "\n"
    return paragraph


if __name__ == "__main__":
    print("\n".join(listing()), end="")

"""Make the table of docs/links.md: `python docs/link_table.py` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "links.md"
BEGIN, END = "<!-- types -->\n", "## Add links to a type"
NUMBER = re.compile(r"\d+(?= types\]\(#types\))")  # in the table of notations


def rows() -> list[str]:
    """Return a row for each type that has links of puzz.link."""
    types = []
    for path in sorted((DOCS.parent / "puzzles").glob("*.yaml")):
        text = path.read_text("utf-8")
        if "\n  puzzlink:\n" not in text:
            continue
        fields = yaml.safe_load(text)
        form = fields["links"]["puzzlink"]
        names = [form["type"]] if isinstance(form["type"], str) else list(form["type"])
        layers = ", ".join("`/`" if layer == "/" else _encoding(layer) for layer in form["body"])
        title = f"[{fields.get('title', path.stem)}](../puzzles/{path.stem}.yaml)"
        types.append(
            f"| {title} | {', '.join(names)} | {', '.join(form.get('also', ()))} | {layers} |"
        )
    return types


def _encoding(layer: dict[str, object]) -> str:
    """Return the name of a layer, its first key that is not an option,
    and how it is written where it says that.
    """
    name = next(key for key in layer if key not in ("as", "values", "optional", "except", "sets"))
    return f"{name} (`{layer['as']}`)".replace("|", r"\|") if "as" in layer else name


def page() -> str:
    """Return the page with the table, and with the number of its rows above."""
    types = rows()
    table = "\n".join(("| type | name | also read | layers |", "|---|---|---|---|", *types))
    section = f"{BEGIN}\n{len(types)} types have links.\n\n{table}\n\n{END}"
    pattern = f"{re.escape(BEGIN)}.*?{re.escape(END)}"
    text = re.sub(pattern, lambda _: section, PAGE.read_text("utf-8"), flags=re.DOTALL)
    return NUMBER.sub(str(len(types)), text)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

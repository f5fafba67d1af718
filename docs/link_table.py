"""Make the table of docs/links.md: `python docs/link_table.py` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "links.md"
BEGIN, END = "<!-- types -->\n", "## Add links to a type"


def table() -> str:
    """Return the table of all types that have links of puzz.link."""
    rows = []
    for path in sorted((DOCS.parent / "puzzles").glob("*.yaml")):
        text = path.read_text("utf-8")
        if "\n  puzzlink:\n" not in text:
            continue
        fields = yaml.safe_load(text)
        form = fields["links"]["puzzlink"]
        names = [form["type"]] if isinstance(form["type"], str) else list(form["type"])
        layers = ", ".join("`/`" if layer == "/" else _encoding(layer) for layer in form["body"])
        title = f"[{fields.get('title', path.stem)}](../puzzles/{path.stem}.yaml)"
        rows.append(
            f"| {title} | {', '.join(names)} | {', '.join(form.get('also', ()))} | {layers} |"
        )
    head = "| type | name | also read | layers |\n|---|---|---|---|\n"
    return f"{len(rows)} types have links.\n\n{head}" + "\n".join(rows) + "\n"


def _encoding(layer: dict[str, object]) -> str:
    """Return the name of a layer, its first key that is not an option,
    and how it is written where it says that.
    """
    name = next(key for key in layer if key not in ("as", "values", "optional", "except", "sets"))
    return f"{name} (`{layer['as']}`)".replace("|", r"\|") if "as" in layer else name


def page() -> str:
    """Return the page with the table."""
    pattern = f"{re.escape(BEGIN)}.*?{re.escape(END)}"
    return re.sub(pattern, f"{BEGIN}\n{table()}\n{END}", PAGE.read_text("utf-8"), flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

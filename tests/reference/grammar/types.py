"""Random types: a world, its unknowns, a form or two that the seed names, and rules at random."""

import ast
from dataclasses import replace
from math import prod
from random import Random

from tests.reference.grammar.forms import OF_ROWS, ROW_FORMS, TEMPLATES
from tests.reference.grammar.worlds import WORLDS, World
from tests.reference.grammar.writer import Name, Templates, VariableArray, Writer

FORCED = 3  # forms of the language that a type has at least
PAIRS = ("0, 0", "0, 1", "1, 0", "1, 1")
WEAKER = ["{}", "{}", "{}", "not ({})", "({}) or <cond>", "implies(<cond>, {})", "iff({}, <cond>)"]
COMMON = [  # rules of numbers and rows: each template of conditions, and of numbers in a comparison
    *TEMPLATES["cond"],
    *(f"{template} == <int>" for template in TEMPLATES["int"]),
    *(f"{template} == <letter>" for template in TEMPLATES["letter"]),
    *(f"{template} >= <mark>" for template in TEMPLATES["mark"]),
]
OF_ROW = {*OF_ROWS["cond"], *(f"{template} == <int>" for template in OF_ROWS["int"])}


def deck() -> list[tuple[str, tuple[str, ...]]]:
    """What the seeds go through in turn: worlds, each with some of its forms."""
    found = []
    for name, world in WORLDS.items():
        every = COMMON if name == "numbers" else world(Random(0)).forms
        found += [(name, tuple(every[i : i + FORCED])) for i in range(0, len(every), FORCED)]
    Random(0).shuffle(found)
    return found


DECK = deck()


class TypeWriter:
    """One random type."""

    def __init__(self, seed: int, most: int, attempt: int) -> None:
        self.seed, self.most = seed, most
        self.source = Random(f"type {seed} {attempt}")
        self.name, self.forms = DECK[seed % len(DECK)]
        self.world: World = WORLDS[self.name](self.source)
        self.families = self._families()
        templates: Templates = {key: list(value) for key, value in TEMPLATES.items()}
        for key, value in self.world.templates.items():
            templates[key] = templates.get(key, []) + value
        self.writer = Writer(self.source, templates, self.families)
        if self.source.random() < 0.3:
            self._define()

    def _define(self) -> None:
        """Name one or two expressions, which rules and goals then use like unknowns."""
        for name, kind in self.source.sample(
            [("q", "int"), ("z", "cond")], self.source.randint(1, 2)
        ):
            if self.source.random() < 0.5:
                with self.writer.bound(Name("g", "int", ("0", "1"))):
                    domain = f"{self.writer.value(kind, 2)} for g in range(2)"
                made = VariableArray(name, kind, ("0", "1"), f"{name}[g]", domain, 1, "define")
            else:
                made = VariableArray(
                    name, kind, (), name, f"({self.writer.value(kind, 2)})", 1, "define"
                )
            if name not in {*self.world.data, *self.world.let, *(f.name for f in self.families)}:
                self.families.append(made)

    def _families(self) -> list[VariableArray]:
        """The world's unknowns, and others while there are few combinations."""
        source = self.source
        n, high, other = source.randint(2, 3), source.randint(1, 2), source.randint(1, 4)
        keys = tuple(map(str, range(n)))
        some = [
            VariableArray(
                "x", "int", keys, "x[i]", f"between(0, {high}) for i in range({n})", high + 1
            ),
            VariableArray(
                "y", "int", (), "y", f"between({source.choice([0, 0, -1, 1])}, {other})", other + 2
            ),
            VariableArray("flag", "cond", ("0", "1"), "flag[i]", "bool for i in range(2)", 2),
        ]
        more = [
            VariableArray(
                "p",
                "int",
                ("0, 0", "0, 1", "1, 0", "1, 1"),
                "p[i, j]",
                "between(0, 1) for i in range(2) for j in range(2)",
                2,
            ),
            VariableArray(
                "l",
                "letter",
                ("0", "1"),
                "l[i]",
                f"distinct('{source.choice(['ab', 'cab'])}') for i in range(2)",
                3,
            ),
            VariableArray("own", "mark", ("0", "1"), "own[k]", "mark for k in range(2)", 3),
            VariableArray("s", "int", ("'a'", "'b'"), "s[t]", "range(3) for t in 'ab'", 3),
            VariableArray(
                "d",
                "int",
                ("0", "1", "3"),
                "d[i]",
                "(0, 1) if i == 0 else (i, 2, 0) for i in range(4) if i != 2",
                3,
            ),
            VariableArray("on", "cond", (), "on", "bool", 2),
            VariableArray("e", "int", ("1", "2"), "e[i]", "{0, i + 1} for i in between(1, 2)", 2),
        ]
        chosen = list(self.world.families)
        extra = (
            source.sample(more, 3) + some
            if source.random() < 0.4
            else source.sample(some, 3) + source.sample(more, 2)
        )
        for family in extra:
            taken = {f.name for f in chosen} | set(self.world.data) | set(self.world.let)
            if (
                family.name not in taken
                and prod(f.values ** len(f.keys or "1") for f in [*chosen, family]) <= self.most
            ):
                hidden = len(chosen) > 1 and source.random() < 0.12
                chosen.append(replace(family, section="auxiliary") if hidden else family)
        return chosen

    def rule(self, template: str, index: int = 0) -> str:
        """A rule that is about some unknown."""
        names = {f.name for f in self.families}
        for attempt in range(30):
            if template in OF_ROW:
                self.writer.forced = ROW_FORMS[
                    (sum(divmod(self.seed, len(DECK))) + index) % len(ROW_FORMS)
                ]
            text = self.writer.fill(template, self.source.choice([1, 1, 2]) if attempt < 25 else 3)
            self.writer.forced = ""
            if _names(text) & names:
                return text
        return text

    def rules(self) -> list[str]:
        found = []
        for index, form in enumerate(self.forms):
            text = self.rule(form, index)
            if isinstance(ast.parse(f"({text})", mode="eval").body, ast.GeneratorExp):
                found.append(text)
            else:
                weak = self.source.choice(WEAKER)
                found.append(self.writer.fill(weak.replace("{}", "\0"), 1).replace("\0", text))
        more = range(self.source.choice([0, 0, 1, 1, 2]))
        found += [self.rule(self.source.choice(self.writer.templates["cond"])) for _ in more]
        if (
            self.families[0].arity == 1
            and self.source.random() < 0.2
            and self.families[0].kind == "int"
        ):
            name = self.families[0].name
            found.append(
                f"{name}[i] <= {self.writer.value('int', 1)} for i in {{}} if i != 0".replace(
                    "{}", self._index()
                )
            )
        return found

    def _index(self) -> str:
        keys = self.families[0].keys
        return f"({', '.join(keys)},)" if keys else "range(0)"

    def text(self) -> tuple[str, str]:
        """The type and its spec."""
        data = {"n": ("int = 3", ""), "text": ("word = abc", "")} | self.world.data
        lines = [f"puzzle: judged_{self.seed % 1000}", "data:"]
        lines += [
            f"  {name}: {declared if declared.startswith('{') else _quoted(declared)}"
            for name, (declared, _) in data.items()
        ]
        if self.world.let:
            lines += ["let:"] + [
                f"  {name}: {_block(text)}" for name, text in self.world.let.items()
            ]
        for section in ("variables", "auxiliary", "define"):
            of = [f for f in self.families if f.section == section]
            if of:
                lines += [f"{section}:"] + [f"  {f.declaration}: {_block(f.domain)}" for f in of]
        lines += ["rules:"] + [f"  r{i}: {_block(text)}" for i, text in enumerate(self.rules(), 1)]
        lines += self._goals() + self._show()
        spec = "".join(f"{name}: {given.rstrip()}\n" for name, (_, given) in data.items() if given)
        return "\n".join(lines) + "\n", spec

    def _goals(self) -> list[str]:
        if self.source.random() < 0.55:
            return []
        few, many = (self.rule("<int>") for _ in range(2))
        bound = self.source.choice(["", "", ", -999, ()", ", -999, start=()"])
        lines = ["goals:", f"  few: {_block(_aim('minimise', few, bound))}"]
        if self.source.random() < 0.6:
            lines.append(f"  many: {_block(_aim('maximise', many, bound.replace('-999', '999')))}")
        return lines + (["rank: few"] if self.source.random() < 0.3 else [])

    def _show(self) -> list[str]:
        self.writer.families = [f for f in self.families if f.section == "variables"]
        if self.source.random() < 0.6:
            return []
        kinds = [
            "<int>",
            "<cond>",
            "<ints>",
            "<letters0>",
            "<conds0>",
            "distinct(<ints>)",
            "sorted(<ints>)",
            "word(<letters>)",
        ]
        if self.name == "texts":
            kinds = [
                "stacked('xy', t['x', 'y'])",
                "stacked([1, 2], t)",
                "replaced(line, t)",
                "words_in(replaced('x y', t))",
            ]
        return ["show:"] + [
            f"  shown{i}: {_block(self.rule(self.source.choice(kinds)))}" for i in range(2)
        ]


def _names(text: str) -> set[str]:
    sign = "".join(c if c.isalnum() or c == "_" else " " for c in text)
    return set(sign.split())


def _quoted(text: str) -> str:
    return f'"{text}"' if "[" in text or ":" in text else text


def _block(text: str) -> str:
    """An expression as a YAML block, in which nothing needs quotes."""
    if text[0] in "\"'" and text[-1] == text[0] and text[1] == "[":
        return text
    return f"|\n    {text}"


def random_type(seed: int, most: int, attempt: int = 0) -> tuple[str, str]:
    """A type and a spec as text, the same for the same seed;
    `most` is about how many combinations there are.
    """
    return TypeWriter(seed, most, attempt).text()


def _aim(sense: str, term: str, known: str) -> str:
    """A goal, perhaps with what is known of the best solution."""
    return f"known_best({sense}({term}){known})" if known else f"{sense}({term})"

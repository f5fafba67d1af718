"""Parts of a model on the bits of integers: propagate the literals that a case rules out.

Legend. Each value of each variable is a literal and has one bit. Variables of two values come
first, so bits 2k and 2k+1 are each other's negation. `live` are the literals that may still hold,
`fixed` those that must, `open` the undecided ones of a part. A rule is a constraint in this
representation: a cardinality propagates; an all-different is one cardinality per value; any other
constraint links its variables but does not propagate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from puzzlekit.model import AllDifferent, Cardinality, Constraint, Domain, Model, Value, Variable, variables_of


class State(NamedTuple):
    """A part of a board at a point of the count; `rules` are the numbers of those not yet met."""

    live: int
    fixed: int
    open: int
    rules: tuple[int, ...]


class _Rule(NamedTuple):
    source: int  # the number of the constraint
    scope: int  # all literals of its variables
    # the literals of which `low` to `high` hold; None for a constraint of another type
    counted: int | None = None
    low: int = 0
    high: int = 0


class Literals:
    """The literals and rules of a presolved part."""

    def __init__(self, part: Model) -> None:
        self.part = part
        pairs = [variable for variable, domain in part.domains.items() if len(domain) == 2]
        others = [variable for variable, domain in part.domains.items() if len(domain) != 2]
        self._literals = [(variable, value) for variable in (*pairs, *others) for value in part.domains[variable]]
        self._bit = {literal: 1 << place for place, literal in enumerate(self._literals)}
        self._own = {v: sum(self._bit[v, value] for value in domain) for v, domain in part.domains.items()}
        self._even = sum(self._bit[variable, part.domains[variable][0]] for variable in pairs)
        self._odd = self._even << 1
        self._wide = sum(self._own[variable] for variable in others)
        self._rules = [rule for source, constraint in enumerate(part.constraints) for rule in self._read(source, constraint)]
        self.visible = sum(own for variable, own in self._own.items() if variable not in part.auxiliary)
        live = (1 << len(self._literals)) - 1
        fixed = sum(own for variable, own in self._own.items() if len(part.domains[variable]) == 1)
        self.start = State(live, fixed, live & ~fixed, tuple(range(len(self._rules))))

    def _read(self, source: int, constraint: Constraint) -> Iterator[_Rule]:
        condition = constraint.condition
        variables = variables_of(condition)
        scope = sum(self._own[variable] for variable in variables)
        match condition:
            case Cardinality(literals, low, high) if len(set(literals)) == len(literals):
                yield _Rule(source, scope, sum(self._bit.get(literal, 0) for literal in literals), low, high)
            case AllDifferent(terms) if all(isinstance(term, Variable) for term in terms):
                holders: dict[Value, list[Variable]] = {}
                for variable in variables:
                    for value in self.part.domains[variable]:
                        holders.setdefault(value, []).append(variable)
                for value, who in holders.items():
                    scope, counted = sum(self._own[v] for v in who), sum(self._bit[v, value] for v in who)
                    yield _Rule(source, scope, counted, int(len(holders) == len(terms)), 1)
            case _:
                yield _Rule(source, scope)

    def cases(self, state: State) -> Iterator[int]:
        """Yield the literals that each case rules out; every solution belongs to exactly one case.

        The first rule that allows branching defines the cases: each literal of an "exactly one",
        otherwise each value of a variable.
        """
        for number in state.rules:
            rule = self._rules[number]
            if rule.counted is not None:
                ways = rule.counted & state.open
                held = (rule.counted & state.live & state.fixed).bit_count()
                if rule.low - held == rule.high - held == 1 and not ways & ~self.visible:
                    yield from map(self._against, _bits(ways))
                    return
            choices = rule.scope & state.open & self.visible
            if choices:
                yield from map(self._against, _bits(self._mine(choices & -choices) & state.live))
                return
        raise AssertionError("a part has a visible variable to branch on")

    def after(self, state: State, dead: int) -> tuple[int, list[State]]:
        """Rule out these literals; return the parts, and the number of choices for free variables.

        The number, which comes first, is 0 if a contradiction is found.
        """
        settled = self._settled(state, dead)
        if settled is None:
            return 0, []
        live, fixed, rules = settled
        left = state.open & live & ~fixed
        groups: list[tuple[int, list[int]]] = []
        for number in rules:
            reach, together, apart = self._rules[number].scope & left, [number], []
            for group in groups:
                if group[0] & reach:
                    reach |= group[0]
                    together += group[1]
                else:
                    apart.append(group)
            groups = [*apart, (reach, together)]
        for reach, _ in groups:
            left ^= reach
        states = [State(live, fixed, reach, tuple(sorted(together))) for reach, together in groups]
        return self._ways(left & self.visible), sorted(states, key=lambda part: part.open.bit_count())

    def touched(self, state: State) -> bool:
        """Return whether a variable of a rule that does not propagate here has lost a value."""
        return any(rule.counted is None and rule.scope & ~state.live for rule in map(self._rules.__getitem__, state.rules))

    def key(self, state: State) -> tuple[object, ...]:
        """Return the key of an untouched part: open literals, rules, and numbers of true literals.

        The rules are part of the key, because a rule that is already met restricts nothing even if
        all of its literals are open.
        """
        held = ((n, ((self._rules[n].counted or 0) & state.live & state.fixed).bit_count()) for n in state.rules)
        return (state.open, state.rules, *(pair for pair in held if pair[1]))

    def model(self, state: State) -> Model:
        """Return a part as a model, with the fixed variables that its rules mention."""
        mentioned = state.open
        constraints: list[Constraint] = []
        different: set[int] = set()
        for number in state.rules:
            rule = self._rules[number]
            constraint = self.part.constraints[rule.source]
            if rule.counted is None:
                mentioned |= rule.scope & state.live
                constraints.append(constraint)
            elif isinstance(constraint.condition, Cardinality):
                held = (rule.counted & state.live & state.fixed).bit_count()
                open_ = tuple(self._literals[bit.bit_length() - 1] for bit in _bits(rule.counted & state.open))
                constraints.append(replace(constraint, condition=Cardinality(open_, rule.low - held, rule.high - held)))
            elif rule.source not in different:
                different.add(rule.source)
                terms = tuple(v for v in variables_of(constraint.condition) if self._own[v] & state.open)
                constraints.append(replace(constraint, condition=AllDifferent(terms)))
        domains: dict[Variable, Domain] = {}
        for bit in _bits(mentioned):
            variable, value = self._literals[bit.bit_length() - 1]
            domains[variable] = (*domains.get(variable, ()), value)
        return Model(domains, tuple(constraints), None, self.part.auxiliary & domains.keys())

    def _mine(self, bit: int) -> int:
        """Return all literals of this one's variable."""
        return self._own[self._literals[bit.bit_length() - 1][0]]

    def _against(self, literals: int) -> int:
        """Return all other literals of the variables of these."""
        against = (literals & self._even) << 1 | (literals & self._odd) >> 1
        for bit in _bits(literals & self._wide):
            against |= self._mine(bit) ^ bit
        return against

    def _ways(self, free: int) -> int:
        """Return the number of ways to choose a value for each of these variables."""
        ways = 1 << (free & self._even).bit_count()
        wide = free & self._wide
        while wide:
            mine = self._mine(wide) & wide
            ways *= mine.bit_count()
            wide ^= mine
        return ways

    def _settled(self, state: State, dead: int) -> tuple[int, int, list[int]] | None:
        """Propagate; return the live literals, the fixed ones and the open rules, or None.

        None means a contradiction.
        """
        pruned = self._without(state.live, state.fixed, dead)
        rules = list(state.rules)
        again = True
        while again:
            again = False
            pending, rules = rules, []
            for number in pending:
                if pruned is None:
                    return None
                live, fixed = pruned
                _, _, counted, low, high = self._rules[number]
                if counted is None:
                    rules.append(number)
                    continue
                alive = counted & live
                sure = alive & fixed
                held, most = sure.bit_count(), alive.bit_count()
                if held > high or most < low:
                    return None
                if low <= held and most <= high:
                    continue
                rules.append(number)
                if held == high:
                    pruned = self._without(live, fixed, alive ^ sure)
                    again = True
                elif most == low:
                    pruned = self._without(live, fixed, self._against(alive ^ sure))
                    again = True
        return None if pruned is None else (*pruned, rules)

    def _without(self, live: int, fixed: int, dead: int) -> tuple[int, int] | None:
        """Return the live and fixed literals without these; None if a domain becomes empty."""
        dead &= live
        live ^= dead
        last = (dead & self._even) << 1 | (dead & self._odd) >> 1
        if last & ~live:
            return None
        wide = dead & self._wide
        while wide:
            mine = self._mine(wide)
            wide &= ~mine
            mine &= live
            if not mine:
                return None
            if not mine & (mine - 1):
                last |= mine
        return live, fixed | last


def _bits(mask: int) -> Iterator[int]:
    """Yield the bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit

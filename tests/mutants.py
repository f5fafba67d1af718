"""The mutants of `tests/mutations.py`: backend → file → (node, text that stands there once, text that is wrong in its place).

Narrowing less than one could changes no solution, so no mutant does only that.
"""

from __future__ import annotations

Edits = list[tuple[str, str, str]]
SHAPES = "Connected, Circuit, Acyclic"
STRUCTURES = f"Automaton, {SHAPES}"
OPERATORS = "Operation *, Operation //, Operation %, Operation abs, Operation min, Operation max"

MODEL: dict[str, Edits] = {
    "model/terms.py": [
        ("Sum", "total = self.constant\n", "total = 0\n"),
        ("Sum", "total += coefficient * (", "total += ("),
        ("Operation *", '"*": lambda a, b: a * b', '"*": lambda a, b: a + b'),
        ("Operation //", '"//": lambda a, b: a // b', '"//": lambda a, b: int(a / b)'),
        ("Operation %", '"%": lambda a, b: a % b', '"%": lambda a, b: a - b * int(a / b)'),
        ("Operation abs", '"abs": abs', '"abs": lambda a: a'),
        ("Operation min", "return min(items)", "return items[0]"),
        ("Operation max", "return max(items)", "return items[0]"),
        ("IfElse", "(self.then if self.condition.value(values) else self.otherwise)", "(self.then)"),
        ("Element", "self.items[self.keys.index(self.index.value(values))]", "self.items[self.index.value(values) - 1]"),
        ("Apply", "tuple(t.value(values) for t in a)", "tuple(t.value(values) for t in a[:1])"),
        ("Component", ".value(values)[self.position]", ".value(values)[0]"),
        ("Comparison", '"<=": lambda a, b: a <= b', '"<=": lambda a, b: a < b'),
        ("Comparison", '"<": lambda a, b: a < b', '"<": lambda a, b: a <= b'),
        ("Comparison", '"!=": lambda a, b: a != b', '"!=": lambda a, b: a < b'),
        ("Comparison", "    except TypeError:\n        return False", "    except TypeError:\n        return True"),
        ("Not", "return not self.condition.value(values)", "return self.condition.value(values)"),
        ("And", "return all(condition", "return any(condition"),
        ("Or", "return any(condition", "return all(condition"),
        ("Member", "in self.members", "not in self.members"),
        ("AllDifferent", "len(set(taken)) == len(taken)", "len(set(taken)) >= len(taken) - 1"),
        ("Cardinality", "return self.low <= sum(", "return self.low < sum("),
        ("Cardinality", "for variable, value in self.literals) <= self.high", "for variable, value in self.literals)"),
        ("Linear", "self.low <= total) and", "self.low < total) and"),
        ("Linear", "total <= self.high)", "total < self.high)"),
        ("Table", "found &= np.isin(", "found |= np.isin("),
    ],
    "model/structures.py": [
        ("Automaton", "return state in self.accepting", "return True"),
        (
            "Automaton",
            "if value not in self.steps[state]:\n                return False",
            "if value not in self.steps[state]:\n                continue",
        ),
        ("Connected", "self.links)) <= 1", "self.links)) <= 2"),
        ("Circuit", "set(degrees.values()) == {2} and ", ""),
        ("Circuit", " and len(pieces(degrees, true)) == 1", ""),
        ("Circuit", "return bool(true) and", "return not true or"),
        ("Acyclic", "== len(true)", "<= len(true)"),
    ],
}

PASSES: dict[str, Edits] = {
    "lowering/cover_decoder.py": [
        ("Cardinality", "*[nothing] * (width - len(cover))", "*[0] * (width - len(cover))"),
        ("Cardinality", "begin += count", "begin += 0"),
    ],
    "presolve/safening.py": [
        ("Element", "return Member(index, frozenset(keys))", "return Member(index, frozenset(keys[1:]))"),
        ("Element", "and set(keys).issuperset(self.domains[index]))", ")"),
        (
            "Operation //, Operation %",
            'return Comparison("!=", divisor, Constant(0))',
            'return Comparison("!=", divisor, Constant(1))',
        ),
        (
            "Or",
            "yield from self._short_circuit(conditions)\n",
            "yield from (need for c in conditions for need in self.needs(c))\n",
        ),
        ("And", "[Not(part) if negated else part for part in before]", "before"),
        ("IfElse", "((then, Not(self.total(condition)))", "((then, self.total(condition))"),
    ],
    "presolve/table_cuts.py": [
        ("Table, Or", "return bool(tables) and all(", "return bool(tables) and any("),
        ("AllDifferent, Table", "kept &= one != other", "kept &= one == other"),
        ("Cardinality, Table", "(inside <= high)", "(inside < high)"),
        ("Cardinality, Table", "counted.constraint.low - held - elsewhere", "counted.constraint.low - held"),
        ("Table", "@ right.T.astype(np.int64)) > 0", "@ right.T.astype(np.int64)) > 1"),
    ],
    "presolve/optional_tables.py": [
        ("Table, Or", 'return Comparison("!=", shadowed.variables[0], Constant(AWAY))', "return Constant(True)"),
        ("Table, Or", 'Or((Comparison("==", shadow, Constant(AWAY)), Comparison("==", shadow, variable)))', "Or(())"),
    ],
    "presolve/normalise.py": [
        (
            "And",
            "case And(conditions):\n            for part in conditions:",
            "case And(conditions):\n            for part in conditions[:1]:",
        ),
        ("Not, Or", "yield from _conditions(Not(part), domains)", "yield from _conditions(part, domains)"),
        ("Not", "case Not(Not(inner)):", "case Not(inner):"),
        ("Or", "case Or((only,)):", "case Or((only, *_)):"),
        ("Or", "1, len(set(clause)))", "1, 1)"),
        ("Not, Or, And", "return _clause(inner, not truth, domains)", "return _clause(inner, truth, domains)"),
        ("Cardinality, Sum", 'max(bound, 0) if sign == "==" else 0, bound)', "0, bound)"),
        ("Cardinality, Sum", "Sum(weighted, 0), Constant(bound)", "Sum(weighted), Constant(bound)"),
        ("Comparison, Sum", "low, high = -constant, -constant", "low, high = None, -constant"),
        ("Comparison", 'low, high = None, -constant - (condition.operator == "<")', "low, high = None, -constant"),
        ("Cardinality, Sum", "(None if high is None else -high), (None if low is None else -low)", "low, high"),
        ("Cardinality, Sum", "max(low or 0, 0)", "max(low or 0, 1)"),
        ("Linear, Comparison", "return Linear(weighted, low, high)", "return Linear(weighted, low, None)"),
        (
            "AllDifferent",
            "if len(set(terms)) < len(terms):\n            return Constant(False)",
            "if len(set(terms)) < len(terms):\n            return Constant(True)",
        ),
        ("Sum", "constant += weight * offset", "constant += offset"),
        ("Sum", "weights[atom] = weights.get(atom, 0) + weight", "weights[atom] = weight"),
        ("Not", "return variable, False", "return variable, True"),
        ("IfElse", "return numeric(then, domains) and numeric(otherwise, domains)", "return numeric(then, domains)"),
        ("Element", "all(numeric(item, domains) for item in items)", "any(numeric(item, domains) for item in items)"),
    ],
    "presolve/vector_eval.py": [
        ("Sum", "k * column.astype(kind)", "column.astype(kind)"),
        ("Sum", "np.full(self.count, constant, dtype=kind)", "np.zeros(self.count, dtype=kind)"),
        ("Operation *", "* numbers[1]\n", "+ numbers[1]\n"),
        ("Operation //", "first // divisor if", "-(-first // divisor) if"),
        ("Operation %", "else first % divisor", "else np.fmod(first, divisor)"),
        ("Operation abs", "return np.abs(first)", "return first"),
        ("Operation min, Operation max", 'np.minimum if operator == "min"', 'np.minimum if operator == "max"'),
        ("IfElse", "self.column(then), self.column(otherwise))", "self.column(otherwise), self.column(then))"),
        ("Element", "_choice(_equal(at, key), column, found)", "_choice(_equal(at, key), found, column)"),
        ("Apply", "term.function(*row) for row", "term.function(*row[::-1]) for row"),
        (
            "Apply",
            "term.function.many(*(self._argument(argument) for argument in term.arguments))",
            "term.function.many(self._argument(term.arguments[0]))",
        ),
        ("Component", "value[position] for value", "value[0] for value"),
        ("Comparison", '"<=": np.less_equal', '"<=": np.less'),
        ("Comparison", '"<": np.less,', '"<": np.less_equal,'),
        ("Comparison", "compare(term.operator, a, b) for", "compare(term.operator, b, a) for"),
        ("Comparison", 'np.full(self.count, term.operator == "!=")', "np.full(self.count, True)"),
        ("Not", "return ~self.holds(condition)", "return self.holds(condition)"),
        ("And", "self._fold(np.logical_and, True, conditions)", "self._fold(np.logical_or, True, conditions)"),
        ("Or", "self._fold(np.logical_or, False, conditions)", "self._fold(np.logical_xor, False, conditions)"),
        ("Member", "return np.isin(column, numbers)", "return ~np.isin(column, numbers)"),
        ("Member", "[value in members for value in", "[value not in members for value in"),
        ("AllDifferent", "for a, b in combinations(terms, 2)])", "for a, b in zip(terms, terms[1:])])"),
        ("Cardinality", "_within(self._sum(held, 0), low, high)", "_within(self._sum(held, 0), low, None)"),
        ("Linear", "in summands], 0), lowest, highest)", "in summands], 0), None, highest)"),
        (STRUCTURES, "[node.met(row) for row", "[node.met(row[::-1]) for row"),
        ("Table", "[row in known for row in found]", "[row not in known for row in found]"),
    ],
    "presolve/propagators.py": [
        ("Or, Sum", "return self.rows.bit_count() == math.prod(", "return self.rows.bit_count() <= math.prod("),
        ("Or, Sum", "if live >> code & 1)\n        if not self.rows", "if live >> code & 2)\n        if not self.rows"),
        ("Table", "found[column] = True", "found[column[1:]] = True"),
        ("Table", "kept = fits if kept is None else kept & fits", "kept = ~fits if kept is None else kept & fits"),
        ("AllDifferent", "~domains.bit(variable, value))", "domains.bit(variable, value))"),
        ("AllDifferent", "if len(values) < len(self.variables):", "if len(values) <= len(self.variables):"),
        ("Cardinality", "if bit == live:\n                held += 1", "if bit & live:\n                held += 1"),
        ("Cardinality", "or held + len(undecided) < low:", "or held + len(undecided) <= low:"),
        (
            "Cardinality",
            "elif undecided and held + len(undecided) == low:",
            "elif undecided and held + len(undecided) == low + 1:",
        ),
        ("Linear", "spans.append((min(ends), max(ends)))", "spans.append((ends[0], ends[-1]))"),
        ("Linear", "low - (most - large)", "low - (least - small)"),
    ],
    "presolve/structure_propagators.py": [
        ("Automaton", "good: Collection[int] = automaton.accepting", "good: Collection[int] = {0}"),
        (
            "Connected, Circuit",
            "for place, state in enumerate(states) if state != NO}",
            "for place, state in enumerate(states) if state == YES}",
        ),
        ("Connected, Circuit", "for _ in range(steps):", "for _ in range(steps - 1):"),
        ("Circuit", "for vertex in set(edge):", "for vertex in edge[:1]:"),
        ("Acyclic", "if kind == YES:\n                        leader", "if True:\n                        leader"),
    ],
    "presolve/circuits.py": [
        ("Circuit", "frozenset({0, 2})", "frozenset({2})"),
        ("Circuit", "full = (has == 2) |", "full = (has >= 1) |"),
        ("Circuit", "((has == 0) & (may == 1))", "(may == 1)"),
        ("Circuit", "wanting = (has == 1) & (may == 1)", "wanting = may == 1"),
        ("Circuit", "np.where(turns, has[tail] > 0,", "np.where(turns, has[tail] >= 0,"),
        ("Circuit", "if states[place] != NO and place not in found:", "if states[place] == YES and place not in found:"),
        ("Circuit", "vertex = sums[place] - vertex", "vertex = ends[place][1]"),
        ("Circuit", "np.concatenate([one[across], other[across]])", "np.concatenate([one[across], one[across]])"),
    ],
    "counting/multicover.py": [
        ("Linear", "times - sum(least[variable] for variable in row) for", "times for"),
        ("Linear", "divmod(low, weighted[0][0])", "(low, 0)"),
        ("Linear, Cardinality", "min(self.most[column], *(", "min(1, *("),
        ("Linear, Cardinality", "needs[own] += times", "needs[own] += 1"),
    ],
    "presolve/state.py": [
        ("AllDifferent", "if sum(map(domains.size, left)) > len(", "if sum(map(domains.size, left)) > 1 + len("),
        ("Cardinality", "propagator.constraint.high - held", "propagator.constraint.high"),
        ("Cardinality", "if low <= 0 and high >= len(undecided):", "if low <= 0:"),
        ("Linear", "low = None if low is None else low - small", "low = low"),
        ("Table", "if len(open_) < 2 or", "if len(open_) < 3 or"),
        (
            STRUCTURES,
            "if not all(map(domains.fixed, propagator.watched)):",
            "if not any(map(domains.fixed, propagator.watched)):",
        ),
        ("Comparison, Or, Member, IfElse", "if not rows.full(state.domains)]", "if rows.full(state.domains)]"),
        ("AllDifferent", "case AllDifferent(terms) if all(isinstance(", "case AllDifferent(terms) if any(isinstance("),
        (SHAPES, "values = (False, True)", "values = (True,)"),
        (
            "Automaton",
            "isinstance(term, Variable | Constant) for term in structure.terms]",
            "True for term in structure.terms]",
        ),
        ("Apply", "Constant(c.value({})) for c in", "Constant(not c.value({})) for c in"),
    ],
    "presolve/derived_columns.py": [
        ("Apply", "kept &= sheet.holds(constraint.condition)", "pass"),
        ("Apply", "kept &= (column >= 0) &", "kept &="),
        ("Apply, Component", "new[variable] = column\n", "new[variable] = column[::-1]\n"),
        (
            "Apply",
            "goal = replace(goal, term=substitute(goal.term, names))",
            "goal = replace(goal, term=next(iter(names.values())))",
        ),
    ],
    "presolve/split.py": [
        (
            "Table",
            "np.unique(table.rows[:, columns], axis=0)) == len(table.rows)",
            "np.unique(table.rows[:, columns], axis=0)) <= len(table.rows)",
        ),
        ("Comparison", 'if equal.operator == "==" and', "if"),
        ("Comparison, Cardinality", "if len(numbers) < 2:", "if len(numbers) < 3:"),
        ("Sum", "parts[home].goal.append((weight, atom))", "parts[home].goal.append((1, atom))"),
    ],
    "lowering/unroll.py": [
        ("Automaton", "for move in moves] for side, place in sides]", "for move in moves[1:]] for side, place in sides]"),
        ("Automaton", "if len(states) > 1 and", "if len(states) > 2 and"),
        ("Cardinality", "own[value] = own.get(value, 0) + 1", "own[value] = 1"),
        ("Cardinality", "if high != 1 or low > 1", "if low > 1"),
        ("Linear", "own[value] += weight * int(value)", "own[value] = weight * int(value)"),
        ("Linear, Cardinality", "t <= high)}", "t < high)}"),
    ],
    "lowering/flatten.py": [
        (
            "Or",
            "self.post(Cardinality(literals, 1, len(literals)))\n            case Not",
            "self.post(Cardinality(literals, 1, 1))\n            case Not",
        ),
        (
            "Not, And",
            "return Or(tuple(Not(part) for part in conditions))",
            "return And(tuple(Not(part) for part in conditions))",
        ),
        (
            "Not, Or, And",
            "return And(tuple(Not(part) for part in conditions))",
            "return Or(tuple(Not(part) for part in conditions))",
        ),
        (
            "Not, Comparison",
            'return Comparison("<=" if sign == "<" else "<", right, left)',
            'return Comparison("<", right, left)',
        ),
        ("Not, Comparison", 'return Comparison("==", left, right)', 'return Comparison("!=", left, right)'),
        (
            "Not",
            'return Comparison("==", self.variable(condition), Constant(False))',
            'return Comparison("==", self.variable(condition), Constant(True))',
        ),
        ("Comparison, Sum", 'high if condition.operator == "==" else None', "None"),
        ("Comparison, Sum", 'high = -constant - (condition.operator == "<")', "high = -constant"),
        (
            "Comparison, Member, IfElse",
            "holds = self._sheet(variables, codes).holds(condition)",
            "holds = ~self._sheet(variables, codes).holds(condition)",
        ),
        ("Sum", "-term.constant, -term.constant))", "0, 0))"),
        ("Operation min, Operation max", "for operand in operands[1:]:", "for operand in operands[2:]:"),
        ("And", "], True, False", "], False, False"),
        ("Or", "], False, True", "], True, True"),
        ("AllDifferent", "for a, b in combinations(terms, 2))))", "for a, b in zip(terms, terms[1:]))))"),
        ("Cardinality", "self._between(total, low, high)", "self._between(total, low, None)"),
        ("Linear", "self._between(Sum(weighted), low, high)", "self._between(Sum(weighted), None, high)"),
        ("Sum", "for weight, atom in weighted), constant)", "for weight, atom in weighted), 0)"),
        ("Element", "Constant(key)), item, last))", "Constant(key)), last, item))"),
    ],
    "lowering/cover.py": [
        ("Cardinality", "item = self.primary() if count.low == 1 else self.secondary()", "item = self.secondary()"),
        ("AllDifferent", ".append((item, colour))", ".append((item, 0))"),
        (
            "AllDifferent",
            "item = self.primary() if len(values) == len(variables) else self.secondary()",
            "item = self.primary()",
        ),
        (
            "Table",
            "self._entries(options, self.value_items[variable], column)",
            "self._entries(options, self.value_items[variable], 0 * column)",
        ),
        ("Sum", "costs += self.weights.pop(variable) * worth[column]", "costs += worth[column]"),
    ],
    "lowering/lazy_cuts.py": [
        ("Acyclic", "    return edges\n", "    return edges[1:]\n"),
        ("Connected, Circuit", "members[-1] if member != members[-1] else members[0]), out", "member), out"),
        (SHAPES, "Cardinality(tuple(literals), 1, len(literals))", "Cardinality(tuple(literals), 1, 1)"),
    ],
}

Z3: dict[str, Edits] = {
    "backends/z3_terms.py": [
        ("Constant", "return TRUE if value else FALSE", "return TRUE"),
        ("Not", "return z3.Not(self.condition(inner))", "return self.condition(inner)"),
        (
            "And",
            "return conjunction([self.condition(part) for part in conditions])",
            "return disjunction([self.condition(part) for part in conditions])",
        ),
        (
            "Or",
            "return disjunction([self.condition(part) for part in conditions])",
            "return conjunction([self.condition(part) for part in conditions])",
        ),
        ("Comparison, Sum", 'bounded(*weighted, None, -1 if sign == "<" else 0)', "bounded(*weighted, None, 0)"),
        ("Comparison", '"<": first < second', '"<": first <= second'),
        ("Comparison", "if compare(sign, a[0], b[0]))", "if compare(sign, b[0], a[0]))"),
        ("Member", "if value in members])", "if value not in members])"),
        ("AllDifferent", "int(len(values) == len(terms)), 1)", "int(len(values) == len(terms)), 2)"),
        ("AllDifferent", "int(len(values) == len(terms))", "1"),
        ("Cardinality", "in literals], low, high)", "in literals], low, None)"),
        ("Linear", "bounded(*found, lowest, highest)", "bounded(*found, lowest, None)"),
        ("Table", "for _ in table.rows]", "for _ in table.rows[1:]]"),
        ("Table", "for row in node.rows.tolist())", "for row in node.rows.tolist()[1:])"),
        (STRUCTURES, "if shape.met([", "if not shape.met(["),
        ("IfElse", "(z3.Not(holds), self.choices(otherwise))", "(z3.Not(holds), self.choices(then))"),
        (
            "Element",
            "self.choices(item)) for key, item in zip(keys, items)",
            "self.choices(item)) for key, item in zip(keys, items[::-1])",
        ),
        ("Sum", "total = _joined(operator.add, total, scaled)", "total = _joined(operator.sub, total, scaled)"),
        ("Sum", "{weight * int(v): TRUE}", "{int(v): TRUE}"),
        ("Sum", "total: Choices = {constant: TRUE}", "total: Choices = {0: TRUE}"),
        ("Operation abs", "{abs(value): TRUE}", "{value: TRUE}"),
        ("Operation //, Operation %", "_joined(OPERATIONS[sign], one, other)", "_joined(OPERATIONS[sign], other, one)"),
        (
            "Operation min, Operation max, Operation *",
            "_joined(OPERATIONS[sign], one, other)",
            "_joined(OPERATIONS[{'min': 'max', 'max': '*', '*': 'min'}.get(sign, sign)], one, other)",
        ),
        ("Sum, Operation *", "z3.IntVal(constant), *(weight", "*(weight"),
        ("IfElse", "self.number(then), self.number(otherwise))", "self.number(otherwise), self.number(then))"),
        ("Element", "z3.If(pair[0], pair[1], rest)", "z3.If(pair[0], rest, pair[1])"),
        ("Operation //", "z3.If(b > 0, a / b, -a / -b)", "a / b"),
        ("Operation %", "a - b * _floor_quotient(a, b)", "a % b"),
        ("Operation abs", "z3.If(a >= 0, a, -a)", "a"),
        ("Operation min", "z3.If(a <= b, a, b), items)", "a, items)"),
        ("Operation max", "z3.If(a >= b, a, b), items)", "a, items)"),
        ("Operation *", "reduce(lambda a, b: a * b, factors)", "reduce(lambda a, b: a + b, factors)"),
    ],
    "backends/z3_joins.py": [
        ("Linear, Sum", "for _, weight in pairs if weight < 0)", "for _, weight in pairs if weight > 0)"),
        ("Cardinality, Linear", "clause = all(weight >= low", "clause = any(weight >= low"),
        ("Cardinality, Linear", "z3.PbLe(list(pairs), high)", "z3.PbLe(list(pairs), high + 1)"),
    ],
}

SAT: dict[str, Edits] = {
    "backends/clauses.py": [
        ("AllDifferent", "self.at_most_one(holders)", "self.at_most_one(holders[1:])"),
        ("AllDifferent", "            if len(values) == len(variables):\n", "            if True:\n"),
        ("Cardinality", "if low == 1 and high >= len(literals):", "if low == 1:"),
        ("Cardinality", "own[code] += known == value", "own[code] = int(known == value)"),
        ("Linear", "own[code] += weight * int(value)", "own[code] = weight * int(value)"),
        ("Linear", "max(0, low - constant)", "max(0, low)"),
        ("Linear", "min(most, high - constant)", "min(most, high)"),
        ("Sum", "sign = -1 if goal.maximise else 1", "sign = 1"),
        ("Circuit", "if len(places) < WIDE:", "if len(places) < 2:"),
        ("Table", "self.clause((-literal, *partners))", "self.clause((-literal, *partners[1:]))"),
        ("Table", "self.clause((-selector, literals[code]))", "pass"),
        (
            "Table",
            "self.clause([-columns[place][code] for place, code in clause])",
            "self.clause([-columns[place][code] for place, code in clause[:1]])",
        ),
    ],
    "backends/clause_tables.py": [
        ("Circuit", "combinations(single, 3)", "combinations(single, 4)"),
        ("Circuit", "[-one, *single[:place], *single[place + 1 :]]", "[-one, *single[:place], -true]"),
        ("Circuit", "for one, other in combinations(single, 2)", "for one, other in combinations(single, 3)"),
        ("Circuit", "if count == 2]", "if count == 3]"),
        ("Table", "np.logical_not(np.any(allowed", "np.logical_not(np.all(allowed"),
    ],
    "backends/clause_sums.py": [
        ("AllDifferent, Or", "sink.clause((-literal, link))", "pass"),
        ("Cardinality", "number - high, number - low", "number - low, number - high"),
        ("Cardinality", "_some_of_each(sink, literals, number - low + 1)", "_some_of_each(sink, literals, number - low)"),
        ("Cardinality", "sink.clause((sums[0][low - 1],))", "sink.clause((sums[0][low],))"),
        ("Linear, Cardinality", "high // unit)", "high // unit + 1)"),
        ("Linear", "low, high = 0, most - low", "low, high = 0, most - low - 1"),
        ("Linear", "sink.clause((below.get(0, FALSE),))", "pass"),
        ("Linear", "added if odd else -added", "-added if odd else added"),
    ],
    "backends/sat.py": [
        ("Sum", "formula.append([-literal], weight)", "formula.append([-literal], 1)"),
        (SHAPES, "[-flags[place] for place in no] + [", "["),
    ],
}

ASP: dict[str, Edits] = {
    "backends/clauses.py": [
        ("Constant, Connected", "return TRUE if term.constant else FALSE", "return TRUE"),
    ],
    "backends/asp.py": [
        ("Or, Table", "[-literal for literal in literals])", "[-literal for literal in list(literals)[:1]])"),
        ("AllDifferent", "self.backend.add_weight_rule([], 2,", "self.backend.add_weight_rule([], 3,"),
        ("Cardinality, Linear", "add_weight_rule([], high + 1, weighted)", "add_weight_rule([], high + 2, weighted)"),
        ("Cardinality, Linear", "whole - low + 1,", "whole - low + 2,"),
        ("Connected", "[reached[one]], [reached[other], flags[one]])", "[reached[one]], [reached[one], flags[one]])"),
        ("Connected", "self.clause((-flag, there))", "pass"),
        ("Circuit", "[vertices[tail]], [vertices[head], flag])", "[vertices[tail]], [vertices[tail], flag])"),
        ("Circuit", "self.clause((-flag, vertices[tail]))", "pass"),
        ("Acyclic", "self.backend.add_acyc_edge(other, one, [back])", "pass"),
    ],
}

CSP: dict[str, Edits] = {
    "backends/csp_rules.py": [
        ("Table", "alive &= here", "alive |= here"),
        ("Automaton", "good: set[int] = set(self._accepting)", "good: set[int] = {0}"),
        ("AllDifferent", "other &= ~mask\n", "other &= ~(mask | mask << 1)\n"),
        ("Cardinality", "if held == self.high:", "if held + 1 == self.high:"),
        ("Cardinality", "if held + len(undecided) == self.low:", "if held + len(undecided) == self.low + 1:"),
        ("Linear", "if weight < 0:\n                small, large = large, small", "if weight < 0:\n                pass"),
        ("Linear", "top // weight)", "top // weight - 1)"),
        ("Operation *, Comparison", "kept |= bit if self.holds(", "kept |= bit if not self.holds("),
        ("Connected", "if holds[place] and lowest[place] >= seen[above]", "if holds[place] and lowest[place] <= seen[above]"),
        ("Circuit", "if closed or closing or", "if closed or not closing or"),
        (
            "Acyclic",
            "if state == YES and not true.join(one, other):\n                return None",
            "if state != NO and not true.join(one, other):\n                return None",
        ),
    ],
    "backends/csp_choices.py": [
        ("Cardinality", "rule.low == rule.high == 1", "rule.high == 1"),
        ("Cardinality", "pairs and seen.isdisjoint(numbers)", "seen.isdisjoint(numbers)"),
    ],
    "backends/csp.py": [
        ("Constant, Connected", "return bool(term.constant)", "return True"),
        ("Sum", "reached = goal.term.value(values) - self._offset", "reached = goal.term.value(values)"),
        ("Cardinality", "if old & bit and not new & bit and", "if"),
    ],
    "lowering/planner.py": [
        ("Automaton", "constraints=(*automata, *flat.constraints, *large))", "constraints=(*flat.constraints, *large))"),
    ],
}

CP_SAT: dict[str, Edits] = {
    "backends/cp_sat_terms.py": [
        ("Table", "np.stack(columns, axis=1).tolist())", "np.stack(columns, axis=1).tolist()[1:])"),
        (
            "AllDifferent",
            "self.problem.add_all_different([self.number(term)[0] for term in terms])",
            "self.problem.add_all_different([self.number(term)[0] for term in terms[1:]])",
        ),
        ("AllDifferent", "for a, b in combinations(terms, 2))))", "for a, b in zip(terms, terms[1:]))))"),
        ("Automaton", "0, sorted(automaton.accepting), moves)", "0, sorted(range(len(automaton.steps))), moves)"),
        ("Circuit", "self.problem.add_bool_or([~back, before])", "pass"),
        (
            "Or",
            "self.problem.add_bool_or([self.literal(part) for part in conditions])",
            "self.problem.add_bool_or([self.literal(part) for part in conditions[:1]])",
        ),
        ("Not", "return _negated(self.literal(inner))", "return self.literal(inner)"),
        (
            "And",
            "self.literal(Not(Or(tuple(Not(part) for part in conditions))))",
            "self.literal(Or(tuple(Not(part) for part in conditions)))",
        ),
        ("Comparison", "cp_model.Domain(cp_model.INT_MIN, -1)", "cp_model.Domain(cp_model.INT_MIN, 0)"),
        ("Comparison", '"<=": cp_model.Domain(cp_model.INT_MIN, 0)', '"<=": cp_model.Domain(cp_model.INT_MIN, -1)'),
        ("Member", "self.code(value) for value in members}", "self.code(value) for value in sorted(members, key=str)[1:]}"),
        ("Cardinality", "_between(low, high)\n", "_between(low, None)\n"),
        ("Linear", "[(weight, self.variables[variable]) for weight", "[(1, self.variables[variable]) for weight"),
        ("Sum", "for weight, part, _, _ in parts], constant), low, high", "for weight, part, _, _ in parts], 0), low, high"),
        ("IfElse", "(_negated(holds), self.number(otherwise))", "(_negated(holds), self.number(then))"),
        ("Element", "for here, item in zip(at, items)])", "for here, item in zip(at, items[::-1])])"),
        ("Operation min, Operation max", 'if term.operator == "min" else', 'if term.operator == "max" else'),
        (
            "Operation abs",
            "self.problem.add_abs_equality(found[0], expressions[0])",
            "self.problem.add(found[0] == expressions[0])",
        ),
        (
            "Operation *",
            "self.problem.add_multiplication_equality(found[0], expressions)",
            "self.problem.add(found[0] == sum(expressions))",
        ),
        ("Operation //, Operation %", 'found = quotient if term.operator == "//"', 'found = quotient if term.operator == "%"'),
        (
            "Operation //, Operation %",
            "self._new(min(0, divisor + 1), max(0, divisor - 1))",
            "self._new(0, max(0, divisor - 1))",
        ),
        ("Constant", "return bool(value)", "return True"),
    ],
    "backends/cp_sat.py": [
        ("Connected, Acyclic", "return isinstance(condition, Connected | Acyclic)", "return isinstance(condition, Circuit)"),
    ],
}

MUTANTS: dict[str, dict[str, Edits]] = {
    "model": MODEL,
    "passes": PASSES,
    "exact-cover": {
        "lowering/cover.py": [
            (
                "Sum",
                "costs = {value: weight * int(value) if weight else 0 for value in domain}",
                "costs = {value: int(value) if weight else 0 for value in domain}",
            ),
            ("Cardinality", "if silent and all(any(item >= 0 for item in plain[value]) for value in others):", "if silent:"),
        ],
        "backends/exact_cover/cover_search.py": [
            ("Table, AllDifferent", "(every if plain else every & ~mask)", "every & ~mask"),
        ],
    },
    "dlx": {
        "lowering/cover.py": [
            ("Table", "others = np.delete(number, kind, axis=1).ravel()", "others = number[:0].ravel()"),
            ("Table", "if len(groups) == 1:", "if len(groups) <= 2:"),
        ],
        "backends/dlx_backend.py": [
            ("Cardinality, AllDifferent", "DLX.PRIMARY if item < plain.primary else DLX.SECONDARY", "DLX.PRIMARY"),
        ],
    },
    "xcover": {
        "backends/xcover_backend.py": [
            ("Table", "(cover.colour + 1)", "(0 * cover.colour)"),
            ("Cardinality", "cover.items - cover.primary)", "cover.items - cover.primary + 1)"),
            ("Cardinality", "block += chosen", "block += chosen[:-1] + [cover.options]"),
            ("Table", "chosen += [cover.options] * ", "chosen += [0] * "),
        ],
        "lowering/cover_decoder.py": [
            ("Table", "if option < self.decoder.options:", "if option < self.meaning.options - 1:"),
        ],
    },
    "z3": Z3,
    "sat": SAT,
    "asp": ASP,
    "csp": CSP,
    "cp-sat": CP_SAT,
}

// Evaluates rules on a board in part. `may[n]` are the values that unknown n may still take; what a term may be is a
// list of values, or a range of numbers. Only what no values can meet is broken.

const FEW = 24; // values of a list
const ANY = { low: -Infinity, high: Infinity };

function list(values) {
  const all = [...new Set(values)],
    numbers = all.every((value) => typeof value === "number");
  const [low, high] = numbers ? [Math.min(...all), Math.max(...all)] : [-Infinity, Infinity];
  return all.length <= FEW || !numbers ? { list: all, low, high } : { low, high };
}

const truth = (yes, no) => list([...(yes ? [1] : []), ...(no ? [0] : [])]);
const canBe = (what, value) =>
  what.list
    ? what.list.includes(value)
    : typeof value !== "number" || (what.low <= value && value <= what.high);
export const canHold = (what) => !what.list || what.list.some((value) => value);
const canFail = (what) => !what.list || what.list.some((value) => !value);
const only = (what) => (what.list?.length === 1 ? what.list[0] : undefined);

function combined(parts, action, bounds) {
  // an operation on lists if they are short, else on ranges
  const all =
    parts.every((part) => part.list) &&
    parts.reduce((size, part) => size * part.list.length, 1) <= 600;
  if (!all)
    return parts.every((part) => Number.isFinite(part.low) && Number.isFinite(part.high))
      ? bounds()
      : ANY;
  let rows = [[]];
  for (const part of parts) rows = rows.flatMap((row) => part.list.map((value) => [...row, value]));
  return list(rows.map((row) => action(row)));
}

/** Bounds and values of a product. */
function product([a, b]) {
  const ends = () => [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  const bounds = () => ({ low: Math.min(...ends()), high: Math.max(...ends()) });
  return combined([a, b], ([x, y]) => x * y, bounds);
}

function divided(action) {
  return (parts, at) => {
    const [a, b] = parts.map(at);
    return canBe(b, 0) ? ANY : combined([a, b], action, () => ANY);
  };
}

function weightedSum([constant, ...weighted], at) {
  let low = constant;
  let high = constant;
  let sum = [constant];
  for (const [by, part] of weighted) {
    const one = at(part);
    low += by > 0 ? by * one.low : by * one.high;
    high += by > 0 ? by * one.high : by * one.low;
    const values = sum && one.list?.flatMap((value) => sum.map((before) => before + by * value));
    sum = values ? [...new Set(values)] : null;
    if (sum && sum.length > FEW) sum = null;
  }
  return sum ? list(sum) : { low, high };
}

function absolute(parts, at) {
  const a = at(parts[0]);
  const low = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
  const bounds = () => ({ low, high: Math.max(Math.abs(a.low), Math.abs(a.high)) });
  return combined([a], ([x]) => Math.abs(x), bounds);
}

function extreme(best) {
  return (parts, at) => {
    const all = parts.map(at);
    const bounds = () => ({
      low: best(...all.map(({ low }) => low)),
      high: best(...all.map(({ high }) => high)),
    });
    return combined(all, (row) => best(...row), bounds);
  };
}

function conditional([condition, positive, negative], at) {
  const truthOf = at(condition);
  const branches = [];
  if (canHold(truthOf)) branches.push(at(positive));
  if (canFail(truthOf)) branches.push(at(negative));
  return joined(branches);
}

function indexed([keys, items, index], at) {
  const where = at(index);
  const branches = items.filter((_, n) => canBe(where, keys[n])).map(at);
  return branches.length ? joined(branches) : ANY;
}

/** Whether two terms can be the same, and whether they can differ. */
function compared(parts, at) {
  const [a, b] = parts.map(at);
  const same = a.list && b.list ? a.list.some((value) => b.list.includes(value)) : overlap(a, b);
  const first = only(a);
  return [same, first === undefined || first !== only(b)];
}

function ordered(action) {
  return (parts, at) => {
    const [a, b] = parts.map(at);
    const isBounded = [a, b].every(
      ({ low, high }) => Number.isFinite(low) && Number.isFinite(high),
    );
    return isBounded ? action(a, b) : truth(true, true);
  };
}

function member([part, members], at) {
  const a = at(part);
  const canDiffer = !a.list || a.list.some((value) => !members.includes(value));
  return truth(
    members.some((value) => canBe(a, value)),
    canDiffer,
  );
}

function different(parts, at) {
  const fixed = parts.map((part) => only(at(part))).filter((value) => value !== undefined);
  return truth(new Set(fixed).size === fixed.length, true);
}

function counted([literals, low, high], _at, may) {
  let least = 0;
  let most = 0;
  for (const [unknown, value] of literals) {
    if (!may[unknown].includes(value)) continue;
    most++;
    if (may[unknown].length === 1) least++;
  }
  return truth(least <= high && most >= low, least < low || most > high);
}

function summed([weighted, low, high], _at, may) {
  let least = 0;
  let most = 0;
  for (const [by, unknown] of weighted) {
    const all = may[unknown].map((value) => by * value);
    least += Math.min(...all);
    most += Math.max(...all);
  }
  const [from, to] = [low ?? -Infinity, high ?? Infinity];
  return truth(least <= to && most >= from, least < from || most > to);
}

function tabled([terms, rows], at) {
  const all = terms.map(at);
  const isText = typeof rows === "string"; // of rows of letters, one after the other
  const count = isText ? rows.length / all.length : rows.length;
  const valueAt = (row, n) => (isText ? rows[row * all.length + n] : rows[row][n]);
  for (let row = 0; row < count; row++)
    if (all.every((part, n) => canBe(part, valueAt(row, n)))) return truth(true, true);
  return truth(false, true);
}

function accepted([terms, steps, accepting], at) {
  let states = new Set([0]);
  for (const term of terms) {
    const value = at(term);
    const next = new Set();
    for (const state of states)
      for (const [label, to] of steps[state]) if (canBe(value, label)) next.add(to);
    states = next;
  }
  return truth(
    accepting.some((state) => states.has(state)),
    true,
  );
}

/** How the operators of terms are evaluated: from operands, by `at`, or from unknowns, by `may`. */
const OPERATORS = {
  c: ([value]) => list([value]),
  "+": weightedSum,
  "*": (parts, at) => product(parts.map(at)),
  "//": divided(([x, y]) => Math.floor(x / y)),
  "%": divided(([x, y]) => x - y * Math.floor(x / y)),
  abs: absolute,
  min: extreme(Math.min),
  max: extreme(Math.max),
  if: conditional,
  item: indexed,
  "==": (parts, at) => {
    const [same, differ] = compared(parts, at);
    return truth(same, differ);
  },
  "!=": (parts, at) => {
    const [same, differ] = compared(parts, at);
    return truth(differ, same);
  },
  "<": ordered((a, b) => truth(a.low < b.high, a.high >= b.low)),
  "<=": ordered((a, b) => truth(a.low <= b.high, a.high > b.low)),
  not: ([part], at) => truth(canFail(at(part)), canHold(at(part))),
  and: (parts, at) => {
    const all = parts.map(at);
    return truth(all.every(canHold), all.some(canFail));
  },
  or: (parts, at) => {
    const all = parts.map(at);
    return truth(all.some(canHold), all.every(canFail));
  },
  in: member,
  different,
  count: counted,
  sum: summed,
  table: tabled,
  automaton: accepted,
  connected: ([nodes, links], at) => truth(canConnect(nodes.map(at), links), true),
  circuit: ([links, ends], at) => truth(canCircle(links.map(at), ends), true),
  acyclic: ([links, ends], at) => truth(!closes(links.map(at), ends), true),
};

/** What a term may be: an unknown is its number, all else a list. */
export function possible(term, may) {
  if (typeof term === "number") return list(may[term]);
  const [operator, ...parts] = term;
  const at = (part) => possible(part, may);
  return OPERATORS[operator]?.(parts, at, may) ?? ANY;
}

const overlap = (a, b) =>
  !(Number.isFinite(a.low) && Number.isFinite(b.low)) || (a.low <= b.high && b.low <= a.high);

function joined(ways) {
  if (ways.every((way) => way.list)) return list(ways.flatMap((way) => way.list));
  return {
    low: Math.min(...ways.map((way) => way.low)),
    high: Math.max(...ways.map((way) => way.high)),
  };
}

function roots(count, links) {
  // of each vertex one that stands for its component
  const up = Array.from({ length: count }, (_, n) => n);
  const root = (n) => {
    while (up[n] !== n) n = up[n] = up[up[n]];
    return n;
  };
  for (const [a, b] of links) up[root(a)] = root(b);
  return up.map((_, n) => root(n));
}

function canConnect(held, links) {
  const open = held.map(canHold),
    root = roots(
      held.length,
      links.filter(([a, b]) => open[a] && open[b]),
    );
  const parts = new Set(held.flatMap((what, n) => (canFail(what) ? [] : [root[n]])));
  return parts.size <= 1;
}

function canCircle(held, edges) {
  const open = edges.filter((_, n) => canHold(held[n])),
    drawn = edges.filter((_, n) => !canFail(held[n]));
  if (!open.length) return false;
  const many = new Map(),
    most = new Map();
  for (const [a, b] of open) for (const end of [a, b]) most.set(end, (most.get(end) ?? 0) + 1);
  for (const [a, b] of drawn) for (const end of [a, b]) many.set(end, (many.get(end) ?? 0) + 1);
  for (const [end, count] of many)
    if (count > 2 || (count === 1 && most.get(end) < 2)) return false;
  const count = Math.max(...edges.flat()) + 1,
    whole = roots(count, open);
  if (new Set(drawn.map(([a]) => whole[a])).size > 1) return false;
  const own = roots(count, drawn),
    loose = new Set(); // components of what is drawn that are no closed loops
  for (const [end, degree] of many) if (degree === 1) loose.add(own[end]);
  const parts = new Set(drawn.map(([a]) => own[a]));
  return parts.size < 2 || [...parts].every((part) => loose.has(part));
}

function closes(held, edges) {
  const up = new Map(),
    root = (n) => {
      while (up.has(n)) n = up.get(n);
      return n;
    };
  return edges.some(([a, b], n) => {
    if (canFail(held[n])) return false;
    const [one, other] = [root(a), root(b)];
    if (one !== other) up.set(one, other);
    return one === other;
  });
}

export function unknownsOf(term, found = new Set()) {
  if (typeof term === "number") return found.add(term);
  const [kind, ...parts] = term;
  if (kind === "count") for (const [n] of parts[0]) found.add(n);
  else if (kind === "sum") for (const [, n] of parts[0]) found.add(n);
  else if (kind === "+") for (const [, part] of parts.slice(1)) unknownsOf(part, found);
  else if (kind === "item") {
    for (const item of parts[1]) unknownsOf(item, found);
    unknownsOf(parts[2], found);
  } else if (["table", "automaton", "connected", "circuit", "acyclic"].includes(kind))
    for (const part of parts[0]) unknownsOf(part, found);
  else if (kind === "in") unknownsOf(parts[0], found);
  else if (kind !== "c") for (const part of parts) unknownsOf(part, found);
  return found;
}

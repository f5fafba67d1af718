// Evaluates rules on a board in part. `may[n]` are the values that unknown n may still take; what a term may be is a
// list of values, or a range of numbers. Only what no values can meet is broken.

const FEW = 24;  // values of a list
const ANY = {low: -Infinity, high: Infinity};

function list(values) {
  const all = [...new Set(values)], numbers = all.every((value) => typeof value === "number");
  const [low, high] = numbers ? [Math.min(...all), Math.max(...all)] : [-Infinity, Infinity];
  return all.length <= FEW || !numbers ? {list: all, low, high} : {low, high};
}

const truth = (yes, no) => list([...(yes ? [1] : []), ...(no ? [0] : [])]);
const canBe = (what, value) => what.list ? what.list.includes(value) : typeof value !== "number" || (what.low <= value && value <= what.high);
export const canHold = (what) => !what.list || what.list.some((value) => value);
const canFail = (what) => !what.list || what.list.some((value) => !value);
const only = (what) => what.list?.length === 1 ? what.list[0] : undefined;

function combined(parts, action, bounds) {  // an operation on lists if they are short, else on ranges
  const all = parts.every((part) => part.list) && parts.reduce((product, part) => product * part.list.length, 1) <= 600;
  if (!all) return parts.every((part) => Number.isFinite(part.low) && Number.isFinite(part.high)) ? bounds() : ANY;
  let rows = [[]];
  for (const part of parts) rows = rows.flatMap((row) => part.list.map((value) => [...row, value]));
  return list(rows.map((row) => action(row)));
}

export function possible(term, may) {
  const [kind, ...parts] = term, at = (part) => possible(part, may);
  switch (kind) {
    case "v": return list(may[parts[0]]);
    case "c": return list([parts[0]]);
    case "+": {
      const [constant, ...weighted] = parts, terms = weighted.map(([by, part]) => [by, at(part)]);
      let low = constant, high = constant, sum = [constant];
      for (const [by, one] of terms) {
        low += by > 0 ? by * one.low : by * one.high;
        high += by > 0 ? by * one.high : by * one.low;
        sum = sum && one.list ? [...new Set(sum.flatMap((before) => one.list.map((value) => before + by * value)))] : null;
        if (sum && sum.length > FEW) sum = null;
      }
      return sum ? list(sum) : {low, high};
    }
    case "*": {
      const [a, b] = parts.map(at), ends = () => [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
      return combined([a, b], ([x, y]) => x * y, () => ({low: Math.min(...ends()), high: Math.max(...ends())}));
    }
    case "//": case "%": {
      const [a, b] = parts.map(at);
      if (canBe(b, 0)) return ANY;
      return combined([a, b], ([x, y]) => kind === "//" ? Math.floor(x / y) : x - y * Math.floor(x / y), () => ANY);
    }
    case "abs": {
      const a = at(parts[0]);
      return combined([a], ([x]) => Math.abs(x), () => ({low: a.low > 0 ? a.low : a.high < 0 ? -a.high : 0, high: Math.max(Math.abs(a.low), Math.abs(a.high))}));
    }
    case "min": case "max": {
      const best = Math[kind], all = parts.map(at);
      return combined(all, (row) => best(...row), () => ({low: best(...all.map((one) => one.low)), high: best(...all.map((one) => one.high))}));
    }
    case "if": {
      const [when, then, otherwise] = parts.map((part, n) => n ? null : at(part)), ways = [];
      if (canHold(when)) ways.push(at(parts[1]));
      if (canFail(when)) ways.push(at(parts[2]));
      return joined(ways);
    }
    case "item": {
      const [keys, items, index] = parts, where = at(index);
      const ways = items.filter((_, n) => canBe(where, keys[n])).map(at);
      return ways.length ? joined(ways) : ANY;
    }
    case "==": case "!=": {
      const [a, b] = parts.map(at), one = only(a), same = a.list && b.list ? a.list.some((value) => b.list.includes(value)) : overlap(a, b);
      const differ = !(one !== undefined && one === only(b));
      return kind === "==" ? truth(same, differ) : truth(differ, same);
    }
    case "<": case "<=": {
      const [a, b] = parts.map(at);
      if (![a, b].every((side) => Number.isFinite(side.low) && Number.isFinite(side.high))) return truth(true, true);
      return kind === "<" ? truth(a.low < b.high, a.high >= b.low) : truth(a.low <= b.high, a.high > b.low);
    }
    case "not": { const a = at(parts[0]); return truth(canFail(a), canHold(a)); }
    case "and": { const all = parts.map(at); return truth(all.every(canHold), all.some(canFail)); }
    case "or": { const all = parts.map(at); return truth(all.some(canHold), all.every(canFail)); }
    case "in": {
      const a = at(parts[0]), members = parts[1];
      return truth(members.some((value) => canBe(a, value)), !a.list || a.list.some((value) => !members.includes(value)));
    }
    case "different": {
      const known = parts.map(at).map(only).filter((value) => value !== undefined);
      return truth(new Set(known).size === known.length, true);
    }
    case "count": {
      const [literals, low, high] = parts;
      let least = 0, most = 0;
      for (const [n, value] of literals) if (may[n].includes(value)) { most++; if (may[n].length === 1) least++; }
      return truth(least <= high && most >= low, least < low || most > high);
    }
    case "sum": {
      const [weighted, low, high] = parts;
      let least = 0, most = 0;
      for (const [by, n] of weighted) {
        const all = may[n].map((value) => by * value);
        least += Math.min(...all);
        most += Math.max(...all);
      }
      const [from, to] = [low ?? -Infinity, high ?? Infinity];
      return truth(least <= to && most >= from, least < from || most > to);
    }
    case "table": {
      const all = parts[0].map(at), fits = parts[1].some((row) => row.every((value, n) => canBe(all[n], value)));
      return truth(fits, true);
    }
    case "automaton": {
      const [terms, steps, accepting] = parts;
      let states = new Set([0]);
      for (const term of terms) {
        const what = at(term), next = new Set();
        for (const state of states) for (const [value, to] of steps[state]) if (canBe(what, value)) next.add(to);
        states = next;
      }
      return truth(accepting.some((state) => states.has(state)), true);
    }
    case "connected": return truth(canConnect(parts[0].map(at), parts[1]), true);
    case "circuit": return truth(canCircle(parts[0].map(at), parts[1]), true);
    case "acyclic": return truth(!closes(parts[0].map(at), parts[1]), true);
    default: return ANY;
  }
}

const overlap = (a, b) => !(Number.isFinite(a.low) && Number.isFinite(b.low)) || (a.low <= b.high && b.low <= a.high);

function joined(ways) {
  if (ways.every((way) => way.list)) return list(ways.flatMap((way) => way.list));
  return {low: Math.min(...ways.map((way) => way.low)), high: Math.max(...ways.map((way) => way.high))};
}

function roots(count, links) {  // of each vertex one that stands for its component
  const up = Array.from({length: count}, (_, n) => n);
  const root = (n) => { while (up[n] !== n) n = up[n] = up[up[n]]; return n; };
  for (const [a, b] of links) up[root(a)] = root(b);
  return up.map((_, n) => root(n));
}

function canConnect(held, links) {
  const open = held.map(canHold), root = roots(held.length, links.filter(([a, b]) => open[a] && open[b]));
  const parts = new Set(held.flatMap((what, n) => canFail(what) ? [] : [root[n]]));
  return parts.size <= 1;
}

function canCircle(held, edges) {
  const open = edges.filter((_, n) => canHold(held[n])), drawn = edges.filter((_, n) => !canFail(held[n]));
  if (!open.length) return false;
  const many = new Map(), most = new Map();
  for (const [a, b] of open) for (const end of [a, b]) most.set(end, (most.get(end) ?? 0) + 1);
  for (const [a, b] of drawn) for (const end of [a, b]) many.set(end, (many.get(end) ?? 0) + 1);
  for (const [end, count] of many) if (count > 2 || (count === 1 && most.get(end) < 2)) return false;
  const count = Math.max(...edges.flat()) + 1, whole = roots(count, open);
  if (new Set(drawn.map(([a]) => whole[a])).size > 1) return false;
  const own = roots(count, drawn), loose = new Set();  // components of what is drawn that are no closed loops
  for (const [end, degree] of many) if (degree === 1) loose.add(own[end]);
  const parts = new Set(drawn.map(([a]) => own[a]));
  return parts.size < 2 || [...parts].every((part) => loose.has(part));
}

function closes(held, edges) {
  const up = new Map(), root = (n) => { while (up.has(n)) n = up.get(n); return n; };
  return edges.some(([a, b], n) => {
    if (canFail(held[n])) return false;
    const [one, other] = [root(a), root(b)];
    if (one !== other) up.set(one, other);
    return one === other;
  });
}

export function unknownsOf(term, found = new Set()) {
  const [kind, ...parts] = term;
  if (kind === "v") found.add(parts[0]);
  else if (kind === "count") for (const [n] of parts[0]) found.add(n);
  else if (kind === "sum") for (const [, n] of parts[0]) found.add(n);
  else if (kind === "+") for (const [, part] of parts.slice(1)) unknownsOf(part, found);
  else if (kind === "item") { for (const item of parts[1]) unknownsOf(item, found); unknownsOf(parts[2], found); }
  else if (["table", "automaton", "connected", "circuit", "acyclic"].includes(kind)) for (const part of parts[0]) unknownsOf(part, found);
  else if (kind === "in") unknownsOf(parts[0], found);
  else if (kind !== "c") for (const part of parts) unknownsOf(part, found);
  return found;
}

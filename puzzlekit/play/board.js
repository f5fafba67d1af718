// Plays a puzzle on its picture. What is entered stands in `now`: for each entry a token (a number, or a text
// where any may stand) at each place, a cross, and notes; of pieces, the number of the piece of each cell.
import {sha256} from "./hash.js";
import {canHold, possible, unknownsOf} from "./rules.js";

const SVG = "http://www.w3.org/2000/svg";
const ROW = 8;  // keys below the board, on a phone
const ARROWS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

const HOW = {
  turn: "Click or tap a cell: its sign, then a dot for what it is not, then nothing. Drag to do the same to several cells. Keyboard: arrows, Space, x.",
  single: "Click or tap a cell: its sign, then a dot where it is not, then nothing. Drag for dots in several cells. Keyboard: arrows, Space, x.",
  type: "Click or tap a cell and type, or use the keys below the board; with notes, small candidates. Keyboard: arrows, Space for notes, Backspace.",
  lines: "Drag to draw a line; click or tap a line or where one could be, away from its ends: a line, then a cross, then nothing. Keyboard: arrows, with Shift to draw.",
  pieces: "Drag through cells to join them; click a cell to take it out again. Keyboard: arrows, with Shift to join, Space.",
  sides: "Click a side or drag along sides to draw a border, again for a cross. Keyboard: arrows, with Shift to draw the side in that direction.",
  words: "Choose or type a value for each line.",
};

function make(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

function line(parent, kind, a, b, c, d, width) { make("line", {class: kind, x1: a, y1: b, x2: c, y2: d, "stroke-width": width}, parent); }

function button(text, action, attributes = {}) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) if (value !== false || key === "aria-pressed") element.setAttribute(key, value);
  element.addEventListener("click", action);
  return element;
}

function nearest(places, x, y, reach) {  // of places with coordinates in the third and fourth number
  let best = -1, least = reach * reach;
  places.forEach((place, n) => {
    const far = (place[2] - x) ** 2 + (place[3] - y) ** 2;
    if (far < least) [best, least] = [n, far];
  });
  return best;
}

const shownText = (key) => key.replace(/^\w+:/, "");

function cellsLabel([row, column]) {
  if (row % 2 === 0 && column % 2 === 0) return `row ${row / 2}, column ${column / 2}`;
  return `corner ${(row + 1) / 2}, ${(column + 1) / 2}`;
}

const AROUND = {"-1,-1": "at the upper left", "-1,1": "at the upper right", "1,-1": "at the lower left", "1,1": "at the lower right"};

function refill(parent, ...children) {  // other buttons, of which that with the same name has the focus
  const name = (element) => element.getAttribute("aria-label") ?? element.textContent, last = document.activeElement;
  const focused = parent.contains(last) && last !== parent ? name(last) : null, place = [...parent.children].indexOf(last);
  parent.replaceChildren(...children);
  if (focused === null) return;
  const same = children.find((child) => name(child) === focused && !child.disabled);
  (same ?? children.slice(0, place + 1).reverse().find((child) => !child.disabled) ?? children.find((child) => !child.disabled))?.focus({preventScroll: true});
}

// Plays a puzzle in an element that has its boards (`svg.board`), and adds all else to it.
//
// puzzle: what play/page.py knows of it. options, all of which may be left out: `storage`, with the methods of
// localStorage; `keyboard`, whose keys are heard; `state`, a board to begin with; `at`, where the player is; `changed()`, called after each
// change; `check()`, which judges instead of the page; `undo` and `redo`, instead of the buttons of the board;
// `clue(row, column, text)`, which writes a clue, and `clueAt(row, column)`, which reads one.
export function mount(root, puzzle, options = {}) {
  const size = puzzle.cell, boards = [...root.querySelectorAll("svg.board")];
  const {storage = localStorage, keyboard = document} = options, ended = new AbortController(), {signal} = ended;
  const part = (name, tag = "div") => Object.assign(document.createElement(tag), {className: name});
  const parts = {bar: part("bar"), words: part("words"), keys: part("keys"), said: part("said", "p"), tools: part("tools"), help: part("help", "details"), heard: part("heard")};
  const frame = boards[0]?.parentElement ?? root, rules = root.querySelector("details");
  if (frame === root) root.append(parts.bar);
  else frame.before(parts.bar);
  root.append(parts.words, parts.keys, parts.tools, parts.said, parts.help, parts.heard);
  parts.said.setAttribute("role", "status");
  parts.heard.setAttribute("aria-live", "polite");
  for (const [name, label] of [["bar", "What is entered"], ["keys", "Keys"], ["tools", "Tools"]]) {
    parts[name].setAttribute("role", "group");
    parts[name].setAttribute("aria-label", label);
  }
  parts.help.append(Object.assign(document.createElement("summary"), {textContent: "How to enter"}));

  for (const entry of puzzle.entries) if (entry.scene >= 0) boards[entry.scene].style.order = -1;  // before those that are only looked at

  // ---- what may be entered --------------------------------------------------------------------------------------------

  const entries = puzzle.entries.map((entry, number) => ({...entry, number, count: entry.places.length, fixed: entry.fixed ?? {}}));
  for (const entry of entries) {
    entry.linked = new Map((entry.linked ?? []).flatMap((group) => group.map(([place]) => [place, group])));  // places that show the same unknown
    entry.texts = entry.tokens.map((token) => token.filter(([kind]) => kind === "text" || kind === "corner").map(([, what]) => what).join(""));
    entry.typed = entry.free || entry.texts.filter((text) => text).length > 2;
    if (entry.kind === "lines") {
      entry.nodes = new Map();
      entry.places.forEach((place, n) => {
        for (const end of [place.slice(0, 4), place.slice(4)]) {
          const key = `${end[0]},${end[1]}`;
          if (!entry.nodes.has(key)) entry.nodes.set(key, {key, at: end.slice(0, 2), x: end[2], y: end[3], links: []});
          entry.nodes.get(key).links.push(n);
        }
      });
    }
  }

  for (const entry of entries) {
    entry.useful = new Set(entry.open ? entry.open.flatMap((may, place) => place in entry.fixed ? [] : may) : entry.tokens.keys());  // the tokens that may be entered somewhere
    entry.crossed = !entry.free && entry.kind !== "pieces" && entry.useful.has(0);  // whether a place may stay empty, so that a cross says something
  }

  const dotted = (entry) => entry.crossed && !entry.typed;  // whether clicks can make crosses
  const single = (entry) => entry.kind === "cells" && dotted(entry) && entry.tokens.length === 2 && entry.tokens[1].every(([kind]) => kind !== "shade");  // a mark that stands alone, as a lamp

  const clues = {name: "clues", kind: "clues", scene: 0, number: -1, places: puzzle.scenes[0]?.cells ?? [], fixed: {}};
  const modes = options.clue && clues.places.length ? [...entries, clues] : entries;

  const choices = (entry, place) => entry.open?.[place] ?? entry.tokens.map((_, n) => n);  // nothing is always one for words
  const empty = () => entries.map((entry) => ({
    held: Array.from({length: entry.count}, (_, n) => entry.free ? (n in entry.fixed ? shownText(entry.fixed[n]) : "") : entry.kind === "pieces" ? 0
      : n in entry.fixed ? Math.max(0, entry.keys.indexOf(entry.fixed[n])) : 0),
    crossed: [],
    notes: {},
  }));
  // ---- the state, undo and redo, trials -------------------------------------------------------------------------------

  const NAME = `puzzlekit ${puzzle.id}`;
  let now = empty(), past = [], future = [], trials = [], seconds = 0, solved = false, mode = 0, pencil = false;
  let shown = "";  // the board that was last shown to the player, who then has not solved it
  let crossing = false;  // whether clicks and drags make crosses, as those with the right button do
  let faulty = [];  // the places of a broken rule, as [entry, place]
  let spots = [];  // the cell that somebody points at elsewhere
  let lit = [];  // places that an answer is about, as [scene, x, y, kind]
  let cursor = null;  // the place of the keyboard: {entry, place} of cells, {entry, node} of lines

  function keep() {
    const cut = Math.max(0, past.length - 300), own = trials.map((depth) => Math.max(0, depth - cut));
    try {
      storage.setItem(NAME, JSON.stringify({now, past: past.slice(cut), future: future.slice(-300), trials: own, seconds, solved, shown}));
    } catch { /* no room, or not allowed: the game goes on */ }
  }

  function restore() {
    try {
      const kept = JSON.parse(storage.getItem(NAME));
      if (kept && kept.now.length === entries.length && kept.now.every((own, n) => own.held.length === entries[n].count)) {
        return Boolean({now, past, future, trials, seconds, solved, shown} = kept);
      }
    } catch { /* kept by another version */ }
  }

  if (rules) {  // whether rules are folded is kept for all puzzles that have them
    const name = `puzzlekit rules ${sha256(rules.textContent).slice(0, 10)}`;
    try { if (storage.getItem(name) === "folded") rules.open = false; } catch { /* not allowed */ }
    const keepFolded = () => { try { storage.setItem(name, rules.open ? "open" : "folded"); } catch { /* not allowed */ } };
    rules.addEventListener("toggle", keepFolded);
    addEventListener("pagehide", keepFolded, {signal});  // which may come before
  }

  function change(action) {
    const before = JSON.stringify(now);
    action();
    const after = JSON.stringify(now);
    if (before === after) return;
    changed(before);
    draw();
  }

  function changed(before) {
    const entry = modes[mode];
    if (cursor?.entry === mode) parts.heard.textContent = label(entry, cursor.place);  // which a screen reader would not say again
    past.push(before);
    future = [];
    lit = [];
    judge();
    if (solved) seen();
    options.changed?.();
  }

  function step(from, to) {  // gives whether there was one
    if (!from.length) return false;
    to.push(JSON.stringify(now));
    now = JSON.parse(from.pop());
    trials = trials.filter((depth) => depth <= past.length);
    lit = [];
    judge();
    draw();
    return true;
  }

  const undo = () => step(past, future), redo = () => step(future, past);

  // ---- right or wrong -------------------------------------------------------------------------------------------------

  const hashes = new Map();
  function hash(text) {
    if (!hashes.has(text)) hashes.set(text, sha256(`${puzzle.id}|${text}`).slice(0, 10));
    return hashes.get(text);
  }

  function key(entry, place) {  // what stands at a place, as the answer has it
    const held = now[entry.number].held[place];
    if (entry.kind === "words") return entry.free ? held.trim().toLowerCase() : entry.texts[held];
    if (!entry.free) return entry.keys[held];
    if (place in entry.fixed) return entry.fixed[place];
    return held ? `text:${held}` : "";
  }

  function pieces(entry, own = now) {
    const found = new Map();
    own[entry.number].held.forEach((piece, cell) => { if (piece) found.set(piece, [...(found.get(piece) ?? []), cell]); });
    return [...found.values()].map((cells) => cells.join(" ")).sort();
  }

  function held(entry, texts) {  // a board of texts as `entered` gives them, with null where nothing is known, × for a cross, a list for notes
    const own = empty()[entry.number];
    if (entry.kind === "pieces") texts.forEach((piece, n) => { for (const cell of piece.split(" ")) own.held[cell] = n + 1; });
    else texts.forEach((text, place) => {
      if (text === null || place in entry.fixed) return;
      if (Array.isArray(text)) own.notes[place] = text.map(shownText);
      else if (text === "×") own.crossed.push(place);
      else if (entry.kind === "words") own.held[place] = entry.free ? text : Math.max(0, entry.texts.indexOf(text));
      else own.held[place] = entry.free ? shownText(text) : Math.max(0, entry.keys.indexOf(text));
    });
    return own;
  }

  const apply = ([n, place, token]) => entries[n].kind === "pieces" ? join(entries[n], token) : set(entries[n], place, token);

  function join(entry, cells) {
    const own = now[entry.number].held, piece = Math.max(0, ...own) + 1;
    for (const cell of cells) own[cell] = piece;
  }

  function fitting(other) {  // a board of another puzzle, if it has the same places
    if (other.length !== entries.length || other.some((own, n) => own.held.length !== entries[n].count)) return null;
    const fresh = empty();
    other.forEach((own, n) => own.held.forEach((value, place) => {
      if (place in entries[n].fixed) return;
      if (entries[n].free ? typeof value === "string" : entries[n].kind === "pieces" || choices(entries[n], place).includes(value)) fresh[n].held[place] = value;
    }));
    fresh.forEach((own, n) => { own.crossed = other[n].crossed.filter((place) => !(place in entries[n].fixed)); own.notes = other[n].notes; });
    return fresh;
  }

  const entered = (entry) => entry.kind === "pieces" ? pieces(entry) : entry.places.map((_, place) => key(entry, place));

  function isSolved() {
    if (!puzzle.facts) return puzzle.answers.length > 0 && puzzle.answers.includes(hash(entries.map((entry) => entered(entry).join("|")).join("\n")));
    return entries.every((entry, n) => {
      const own = entered(entry), facts = puzzle.facts[n];
      if (entry.kind === "pieces") return own.length === puzzle.pieces[n] && own.every((piece) => facts.includes(hash(`${n}|${piece}`)));
      return own.every((text, place) => facts[place] === hash(`${n}|${place}|${text}`));
    });
  }

  function apart(entry) {  // the cells of pieces that the only solution does not put together
    const facts = puzzle.facts[entry.number], split = new Set();
    for (const piece of pieces(entry)) {
      const cells = piece.split(" ");
      for (const [n, one] of cells.entries()) for (const other of cells.slice(n + 1))
        if (!facts.includes(hash(`${entry.number}|${one}-${other}`))) split.add(Number(other));
    }
    return [...split];
  }

  function wrong() {  // the entries that are not those of the only solution; an empty place is no mistake, a cross on a line is
    const found = [];
    for (const entry of entries) {
      const own = now[entry.number];
      if (entry.kind === "pieces") { found.push(...apart(entry).map((place) => [entry, place])); continue; }
      entry.places.forEach((_, place) => {
        const text = key(entry, place), right = (t) => puzzle.facts[entry.number][place] === hash(`${entry.number}|${place}|${t}`);
        if (text ? !right(text) : own.crossed.includes(place) && !right("")) found.push([entry, place]);
      });
    }
    return found;
  }

  function values() {  // what each unknown may still be
    return puzzle.check.unknowns.map((places) => {
      for (const [n, place, byToken] of places) {
        const entry = entries[n], what = place in entry.fixed ? entry.keys.indexOf(entry.fixed[place]) : state(entry, place);
        const own = what ? byToken[Math.max(0, what)] : place in entry.fixed ? byToken[0] : null;
        if (own) return own;
      }
      return any(places);
    });
  }

  const any = ([[, , byToken]]) => Object.values(byToken).flat();  // the values of an unknown

  function brokenRules() {
    const may = values();
    return puzzle.check.rules.filter(([, term]) => !canHold(possible(term, may)));
  }

  function toBlame(term) {  // the unknowns of a broken rule without which it would not be broken
    const may = values();
    return [...unknownsOf(term)].filter((n) => {
      const own = may[n];
      may[n] = any(puzzle.check.unknowns[n]);
      const needed = canHold(possible(term, may));
      if (needed) may[n] = own;
      return needed;
    });
  }

  function judge() {
    faulty = [];
    solved = isSolved();
    say(solved ? solvedText() : "");  // what was said of another board no longer holds
    root.classList.toggle("solved", solved);
  }

  const say = (text) => { parts.said.textContent = text; };
  const seen = () => parts.said.scrollIntoView({block: "nearest"});  // on a small screen, what is said may be below it
  const solvedText = () => JSON.stringify(now) === shown ? "This is a solution." : `Solved in ${clock()}.`;
  const clock = () => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

  // ---- entering -------------------------------------------------------------------------------------------------------

  function put(entry, place, token) {
    if (place in entry.fixed || !(entry.free || !token || choices(entry, place).includes(token))) return;  // nothing may stand anywhere
    const own = now[entry.number], group = entry.linked.get(place) ?? [[place]];
    const values = group.find(([at]) => at === place)[1]?.flatMap((other, value) => other === token ? [value] : []) ?? [];
    for (const [at, byValue] of group) {
      if (at in entry.fixed) continue;
      if (at === place) own.held[at] = token;
      else if (!token) own.held[at] = 0;
      else if (values.length === 1) own.held[at] = byValue[values[0]];
      if (token) own.crossed = own.crossed.filter((other) => other !== at);
    }
  }

  function cross(entry, place, on) {
    if (place in entry.fixed) return;
    const own = now[entry.number];
    own.crossed = own.crossed.filter((other) => other !== place);
    if (!on) return;
    own.crossed.push(place);
    own.crossed.sort((a, b) => a - b);
    own.held[place] = entry.free ? "" : 0;
  }

  function state(entry, place) { return now[entry.number].crossed.includes(place) ? -1 : now[entry.number].held[place]; }

  function turns(entry, place) {  // the states that a click goes through: tokens, a cross, nothing
    const may = choices(entry, place).filter((token) => token);
    return may.length > 1 && !choices(entry, place).includes(0) ? [...may, 0] : [...may, -1, 0];
  }

  function next(entry, place, back) {
    const all = turns(entry, place), at = all.indexOf(state(entry, place));
    return all[(at + (back ? all.length - 1 : 1)) % all.length];
  }

  function set(entry, place, what) { what === -1 ? cross(entry, place, true) : (cross(entry, place, false), put(entry, place, what)); }

  let heading = "ArrowRight";  // where a word goes that is being spelt

  function advance(entry, place) {  // to the next cell of a word that is not given
    const at = ([row, column], name, steps) => entry.places.findIndex(([r, c]) => r === row + 2 * steps * ARROWS[name][0] && c === column + 2 * steps * ARROWS[name][1]);
    const spelt = (name) => [1, -1].some((steps) => at(entry.places[place], name, steps) >= 0);
    const way = spelt(heading) ? heading : turned(heading);
    let to = at(entry.places[place], way, 1);
    while (to in entry.fixed) to = at(entry.places[to], way, 1);
    if (!puzzle.spelt || to < 0) return;
    cursor = {entry: mode, place: to};
    draw();
    focus();
  }

  const turned = (way) => way === "ArrowRight" ? "ArrowDown" : "ArrowRight";

  function typeText(entry, place, character) {
    const own = now[entry.number];
    if (place in entry.fixed) return;
    if (pencil && entry.typed) {
      const token = entry.free ? character : entry.texts.indexOf(character);
      if (!entry.free && token < 1) return;
      change(() => {
        const notes = new Set(own.notes[place] ?? []);
        notes.has(character) ? notes.delete(character) : notes.add(character);
        own.notes[place] = [...notes].sort();
        if (!notes.size) delete own.notes[place];
      });
      return;
    }
    const longest = Math.max(1, ...entry.texts.map((text) => text.length));
    const texts = choices(entry, place).map((n) => entry.texts[n].toLowerCase()).filter((text) => text);
    const goesOn = (text) => entry.free ? text.length <= longest : texts.some((other) => other.startsWith(text));
    const before = begun?.entry === entry && begun.place === place ? begun.text : "";
    const text = goesOn(before + character.toLowerCase()) ? before + character.toLowerCase() : character.toLowerCase();
    begun = {entry, place, text};
    const token = entry.free ? text.toUpperCase() : choices(entry, place).find((n) => n && entry.texts[n].toLowerCase() === text);
    if (token) change(() => put(entry, place, token));
    if (token && longest === 1) advance(entry, place);
  }

  let begun = null;  // a text of several characters that is being typed

  function clear(entry, place) { begun = null; change(() => { cross(entry, place, false); put(entry, place, entry.free ? "" : 0); delete now[entry.number].notes[place]; }); }

  // ---- the pointer ----------------------------------------------------------------------------------------------------

  function point(event, board) {
    const matrix = board.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  function nearestLink(entry, x, y, reach) {  // none close to the end of lines, where all of them meet
    let best = -1, least = reach;
    if (nodeAt(entry, x, y, size * 0.28)) return best;
    entry.places.forEach(([, , a, b, , , c, d], n) => {
      const long = (c - a) ** 2 + (d - b) ** 2, t = Math.max(0.1, Math.min(0.9, ((x - a) * (c - a) + (y - b) * (d - b)) / long));
      const far = Math.hypot(a + t * (c - a) - x, b + t * (d - b) - y);
      if (far < least) [best, least] = [n, far];
    });
    return best;
  }

  function turn(entry, link, x, y) {  // of lines of which one is drawn: to the next; at first to the nearest, in their middle always the same
    const group = entry.linked.get(link).map(([place]) => place), at = group.findIndex((place) => now[entry.number].held[place]);
    const middle = ([, , a, b, , , c, d]) => Math.hypot((a + c) / 2 - x, (b + d) / 2 - y) < size * 0.2;
    const first = middle(entry.places[link]) ? 0 : group.indexOf(link), all = group.map((_, n) => group[(n + first) % group.length]);
    const to = at < 0 ? all[0] : all[all.indexOf(group[at]) + 1];
    to === undefined ? clear(entry, group[at]) : set(entry, to, choices(entry, to).find((token) => token));
  }

  function nodeAt(entry, x, y, reach) {
    let best = null, least = reach;
    for (const node of entry.nodes.values()) {
      const far = Math.hypot(node.x - x, node.y - y);
      if (far < least) [best, least] = [node, far];
    }
    return best;
  }

  const other = (entry, link, node) => {
    const place = entry.places[link];
    return entry.nodes.get(`${place[0]},${place[1]}` === node.key ? `${place[4]},${place[5]}` : `${place[0]},${place[1]}`);
  };

  let drag = null;

  function down(event, board) {
    const entry = modes[mode];
    if (entry.kind === "words" || boards[entry.scene] !== board) {
      const fits = entries.findIndex((one) => one.kind !== "words" && boards[one.scene] === board);
      if (fits >= 0) { mode = fits; draw(); down(event, board); }
      return;
    }
    event.preventDefault();
    board.setPointerCapture?.(event.pointerId);
    const {x, y} = point(event, board), second = event.button === 2 || crossing;
    drag = {entry, board, before: JSON.stringify(now), x, y, moved: false, second};
    if (entry.kind === "lines") {
      drag.node = nodeAt(entry, x, y, size * 0.7);
      return;
    }
    if (entry.kind === "pieces") {
      drag.place = nearest(entry.places, x, y, size * 0.75);
      if (drag.place < 0) return;
      const own = now[entry.number].held;
      drag.had = own[drag.place];
      drag.piece = drag.had || Math.max(0, ...own) + 1;
      own[drag.place] = drag.piece;
    } else {
      const place = nearest(entry.places, x, y, size * (entry.kind === "sides" ? 0.45 : 0.75));
      if (place < 0) return;
      if (cursor?.entry === mode && cursor.place === place) heading = turned(heading);
      cursor = {entry: mode, place: entry.kind === "sides" ? nearest(stops(entry), x, y, size) : place};
      if (entry.kind === "clues") drag = null;
      else if (entry.typed) drag.place = place;
      else {
        drag.had = state(entry, place);
        drag.what = second ? crossAfter(entry, place) : next(entry, place);
        set(entry, place, drag.what);
        drag.place = place;
      }
    }
    draw();
    if (keyboard === root && cursor?.entry === mode) focus();  // whose keys would not be heard
  }

  function move(event) {
    if (!drag) return;
    const {entry, board} = drag, {x, y} = point(event, board);
    if (Math.hypot(x - drag.x, y - drag.y) > size * 0.3) drag.moved = true;
    if (entry.kind === "lines") {
      if (!drag.node || !drag.moved) return;
      const to = nodeAt(entry, x, y, size * 0.45);
      const link = to && to !== drag.node && drag.node.links.find((n) => other(entry, n, drag.node) === to);
      if (link === undefined || link === null || link === false) return;
      drag.what ??= drag.second ? crossAfter(entry, link) : lineAfter(entry, link);
      set(entry, link, drag.what === "more" ? lineAfter(entry, link) : drag.what);
      drag.node = to;
      drag.drawn = true;
    } else if (entry.kind === "pieces") {
      const place = nearest(entry.places, x, y, size * 0.5);
      if (place < 0 || !drag.piece) return;
      if (place !== drag.place) drag.drawn = true;
      now[entry.number].held[place] = drag.piece;
    } else if (!entry.typed && drag.place !== undefined) {
      const place = nearest(entry.places, x, y, size * (entry.kind === "sides" ? 0.3 : 0.5));
      if (place < 0 || place === drag.place) return;
      if (single(entry) && !drag.drawn) {  // a drag makes crosses, and leaves the marks that it meets
        drag.what = drag.had === -1 ? 0 : -1;
        set(entry, drag.place, drag.had > 0 ? drag.had : drag.what);
      }
      drag.drawn = true;
      if (!single(entry) || state(entry, place) <= 0) set(entry, place, drag.what);
      drag.place = place;
    } else return;
    draw();
  }

  const crossAfter = (entry, place) => state(entry, place) === -1 ? 0 : -1;

  const lineAfter = (entry, link) => {  // what a line becomes when it is drawn along: one more, after the last nothing
    const may = choices(entry, link), at = may.indexOf(now[entry.number].held[link]);
    return may[(at + 1) % may.length];
  };

  function up(event) {
    if (!drag) return;
    const {entry, board, before, second} = drag, {x, y} = point(event, board), own = now[entry.number];
    if (entry.kind === "lines" && !drag.drawn) {
      if (drag.moved && drag.node) {  // towards a distant place
        const angle = Math.atan2(y - drag.node.y, x - drag.node.x);
        const off = (n) => {
          const to = other(entry, n, drag.node), turn = Math.abs(Math.atan2(to.y - drag.node.y, to.x - drag.node.x) - angle);
          return Math.min(turn, 2 * Math.PI - turn);
        };
        const link = [...drag.node.links].sort((a, b) => off(a) - off(b))[0];
        if (off(link) < 0.5) set(entry, link, second ? crossAfter(entry, link) : lineAfter(entry, link));
      } else {
        const link = nearestLink(entry, x, y, size * 0.45);
        if (link >= 0 && entry.linked.has(link) && !second) turn(entry, link, x, y);
        else if (link >= 0) set(entry, link, second ? crossAfter(entry, link) : next(entry, link));
      }
    }
    if (entry.kind === "pieces" && drag.place >= 0 && !drag.drawn && drag.had) own.held[drag.place] = 0;  // a click takes it away
    drag = null;
    const after = JSON.stringify(now);
    if (before !== after) changed(before);
    draw();
  }

  // ---- the keyboard ---------------------------------------------------------------------------------------------------

  function stops(entry) {  // where the cursor may stand, as [row, column, x, y] in half steps
    return entry.stops ??= entry.kind === "lines" ? [...entry.nodes.values()].map((node) => [...node.at, node.x, node.y])
      : entry.kind === "sides" ? puzzle.scenes[entry.scene].cells : [...entry.places, ...beside[entry.number] ?? []];
  }

  const open = (entry, stop) => ["lines", "sides", "clues"].includes(entry.kind) || stop < entry.count;  // whether something may be entered there

  const beside = entries.map((entry) => {  // cells where only something may be read, after the places of an entry
    const places = new Set(entry.kind === "words" ? [] : entry.places.map(([row, column]) => `${row},${column}`));
    return (puzzle.scenes[entry.scene]?.cells ?? []).filter(([row, column]) => !places.has(`${row},${column}`));
  });

  function travel(entry, from, [down, right]) {
    const all = stops(entry), [, , x, y] = all[from];
    let best = from, least = Infinity;
    all.forEach((stop, n) => {
      const along = (stop[2] - x) * right + (stop[3] - y) * down, aside = Math.abs((stop[2] - x) * down) + Math.abs((stop[3] - y) * right);
      if (along > 1 && along + 3 * aside < least && aside <= along) [best, least] = [n, along + 3 * aside];
    });
    return best;
  }

  function between(entry, from, to) {  // the link or the side between two stops
    const all = stops(entry), [a, b] = [all[from], all[to]];
    if (entry.kind === "lines") {
      const node = entry.nodes.get(`${a[0]},${a[1]}`), goal = `${b[0]},${b[1]}`;
      return node.links.find((n) => other(entry, n, node).key === goal) ?? -1;
    }
    return nearest(entry.places, (a[2] + b[2]) / 2, (a[3] + b[3]) / 2, size * 0.3);
  }

  function pressed(event) {
    if (event.target.matches("input, select, textarea, summary")) return;
    const entry = modes[mode], control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === "z") { event.preventDefault(); event.shiftKey ? (options.redo ?? redo)() : (options.undo ?? undo)(); return; }
    if (control && event.key.toLowerCase() === "y") { event.preventDefault(); (options.redo ?? redo)(); return; }
    if (control || event.altKey || entry.kind === "words") return;
    const at = cursor?.entry === mode ? cursor.place : 0;
    if (event.key in ARROWS) {
      event.preventDefault();
      heading = ARROWS[event.key][0] ? "ArrowDown" : "ArrowRight";
      const to = cursor?.entry === mode ? travel(entry, at, ARROWS[event.key]) : at;
      if (event.shiftKey && to !== at) {
        if (entry.kind === "pieces") change(() => {
          const own = now[entry.number].held;
          own[at] ||= Math.max(0, ...own) + 1;
          own[to] = own[at];
        });
        else if (entry.kind === "lines" || entry.kind === "sides") {
          const link = between(entry, at, to);
          if (link >= 0) change(() => set(entry, link, next(entry, link)));
        }
      }
      if (!(event.shiftKey && entry.kind === "sides")) cursor = {entry: mode, place: to};
      draw();
      focus();
      return;
    }
    if (event.target.matches("button") && (event.key === " " || event.key === "Enter")) return;
    if (cursor?.entry === mode && !open(entry, at)) { if (event.key === " ") event.preventDefault(); else letter(event.key); return; }
    if (entry.kind === "clues" && cursor?.entry === mode && (event.key.length === 1 || event.key === "Backspace" || event.key === "Delete")) {
      event.preventDefault();
      writeClue(event.key.length === 1 ? event.key : "");
      return;
    }
    if (cursor?.entry !== mode) { if (event.key.length === 1 && event.key !== " ") letter(event.key); return; }
    if (event.key === "Backspace" || event.key === "Delete") {
      event.preventDefault();
      if (entry.kind === "pieces") change(() => { now[entry.number].held[at] = 0; });
      else if (entry.kind === "cells") clear(entry, at);
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (entry.kind === "cells" && !entry.typed) change(() => set(entry, at, next(entry, at, event.shiftKey)));
      else if (entry.kind === "pieces") change(() => {
        const own = now[entry.number].held;
        own[at] = own[at] ? 0 : Math.max(0, ...own) + 1;
      });
      else if (entry.typed) { pencil = !pencil; draw(); }
    } else if (event.key.length === 1) {
      if (entry.kind === "cells" && (entry.typed || entry.texts.some((text) => text.toLowerCase() === event.key.toLowerCase()))) {
        event.preventDefault();
        typeText(entry, at, event.key);
      } else if (event.key === "x" && entry.kind === "cells" && entry.crossed) change(() => set(entry, at, state(entry, at) === -1 ? 0 : -1));
      else letter(event.key);
    }
  }

  function writeClue(text) {
    const [row, column] = clues.places[cursor.place];
    options.clue(row / 2, column / 2, text);
  }

  function letter(pressed) {
    if (pressed === "." && dotted(modes[mode])) { crossing = !crossing; draw(); }
    if (pressed === "m" && modes.length > 1) choose((mode + 1) % modes.length);
  }

  function choose(number) { mode = number; cursor = null; draw(); }

  // ---- drawing --------------------------------------------------------------------------------------------------------

  function ring(scene, x, y, inset) {
    const own = puzzle.scenes[scene], n = own.rings && own.cells.findIndex((cell) => cell[2] === x && cell[3] === y);
    if (own.rings && n >= 0) {
      const points = own.rings[n], shrunk = [];
      for (let k = 0; k < points.length; k += 2) shrunk.push(`${x + (points[k] - x) * inset},${y + (points[k + 1] - y) * inset}`);
      return ["polygon", {points: shrunk.join(" ")}];
    }
    const half = size * inset / 2;
    return ["rect", {x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: inset < 1 ? size * 0.06 : 0}];
  }

  const texts = boards.map((board) => new Set([...board.querySelectorAll("text[data-cell]")].map((text) => text.dataset.cell)));

  const fills = boards.map((board) => new Map([...board.querySelectorAll(".cell[data-cell]")].map((cell) => [cell.dataset.cell, cell.classList[1]])));

  function numbered(entry, place) {  // whether a text stands at an end of a line, which then is drawn below the texts
    const [a, b, , , c, d] = entry.places[place];
    return texts[entry.scene].has(`r${a / 2}c${b / 2}`) || texts[entry.scene].has(`r${c / 2}c${d / 2}`);
  }

  function drawToken(entry, place, token, under, over, trial) {
    const [row, column, x, y] = entry.places[place], extra = trial ? " trial" : "";
    const fill = token.some(([kind]) => kind === "shade") ? "full-found" : fills[entry.scene].get(`r${row / 2}c${column / 2}`);
    for (const [kind, what] of token) {
      if (kind === "shade") {
        const [name, shape] = ring(entry.scene, x, y, 0.88);
        make(name, {...shape, class: (what === "full" ? "full-found" : what) + extra}, under);
      } else if (kind === "sign") {
        const wide = size * (row % 2 === 0 && column % 2 === 0 ? 1 : 0.5);
        make("use", {href: `#sign-${what}`, transform: `translate(${x} ${y}) scale(${wide})`, class: extra}, over);
      } else if (kind === "text" || kind === "corner") {
        const low = puzzle.scenes[entry.scene].low ? 0.08 : 0;  // below a clue in the corner
        const tall = size * (kind === "corner" ? 0.28 : Math.min(low ? 0.46 : 0.55, 1.4 / Math.max(1, [...what].length)));
        const at = kind === "corner" ? [x - size * 0.42, y - size * 0.22] : [x, y + size * low + tall * 0.35];
        make("text", {class: `letter ${kind === "corner" ? "corner " : ""}found${fill ? ` on on-${fill}` : ""}${extra}`, x: at[0], y: at[1], "font-size": tall}, over, what);
      } else if (kind === "diagonal") {
        const h = size / 2, turn = what === "1" ? 1 : -1;
        line(over, `side found${extra}`, x - h, y - turn * h, x + h, y + turn * h, size / 13);
      } else if (kind === "side") {
        const [a, b, c, d] = entry.ends[place];
        line(over, `side found${extra}`, a, b, c, d, size / 11);
      } else if (kind === "line") {
        const [, , a, b, , , c, d] = entry.places[place], count = Number(what), long = Math.hypot(c - a, d - b);
        for (let k = 0; k < count; k++) {
          const aside = (k - (count - 1) / 2) * size / 6, right = -(d - b) / long * aside, below = (c - a) / long * aside;
          const ends = [a + right, b + below, c + right, d + below], low = numbered(entry, place);
          if (!low) line(over.firstChild, "casing", ...ends, size / 6);
          line(low ? under : over, `side found${extra}`, ...ends, size / 11);
        }
      }
    }
  }

  function drawEntry(entry, under, over, tried) {
    const own = now[entry.number], old = tried?.[entry.number];
    if (entry.kind === "pieces") return drawPieces(entry, under, over);
    entry.places.forEach((place, n) => {
      const held = own.held[n], trial = old && old.held[n] !== held;
      if (held && !entry.shown?.includes(n)) drawToken(entry, n, entry.free ? [["text", held]] : entry.tokens[held], under, over, trial);
      const [x, y] = entry.kind === "lines" ? [(place[2] + place[6]) / 2, (place[3] + place[7]) / 2] : [place[2], place[3]];
      if (own.crossed.includes(n)) {
        const extra = old && !old.crossed.includes(n) ? " trial" : "";
        if (entry.kind === "cells") make("circle", {class: `dot cross${extra}`, cx: x, cy: y, r: size * 0.08}, over);
        else {
          const arm = size * 0.1;
          line(over, `cross${extra}`, x - arm, y - arm, x + arm, y + arm, size / 24);
          line(over, `cross${extra}`, x - arm, y + arm, x + arm, y - arm, size / 24);
        }
      }
      const notes = own.notes[n];
      if (notes && !held) {
        const places = entry.texts.slice(1), grid = places.length <= 9 && notes.every((text) => text.length === 1);
        if (grid) for (const text of notes) {
          const k = places.indexOf(text);
          make("text", {class: "letter note", x: x + size * 0.28 * (k % 3 - 1), y: y + size * (0.28 * (Math.floor(k / 3) - 1) + 0.08), "font-size": size * 0.24}, over, text);
        } else make("text", {class: "letter note", x, y: y + size * 0.08, "font-size": size * Math.min(0.26, 1.5 / notes.join(" ").length)}, over, notes.join(" "));
      }
    });
  }

  function drawPieces(entry, under, over) {
    const own = now[entry.number].held, numbers = [...new Set(own.filter((piece) => piece))];
    const key = (place) => `${place[0]},${place[1]}`, at = new Map(entry.places.map((place, n) => [key(place), n]));
    entry.places.forEach((place, n) => {
      if (!own[n]) return;
      const [row, column, x, y] = place, [name, shape] = ring(entry.scene, x, y, 1);
      make(name, {...shape, class: `cell region-${own[n] % 12}`}, under);
      if (puzzle.scenes[entry.scene].rings) return;
      const h = size / 2;
      for (const [down, right] of Object.values(ARROWS)) {
        const beside = at.get(`${row + 2 * down},${column + 2 * right}`);
        if (beside !== undefined && own[beside] === own[n]) continue;
        const mx = x + right * h, my = y + down * h;
        line(over, "seam", mx - down * h, my - right * h, mx + down * h, my + right * h, size / 16);
      }
    });
  }

  function label(entry, stop) {
    const at = stops(entry)[stop], where = cellsLabel(at);
    if (entry.kind === "clues") return `${where}: clue ${options.clueAt(at[0] / 2, at[1] / 2) || "none"}`;
    const state = open(entry, stop) ? stateLabel(entry, stop) : "", shown = shownAt(entry.scene, at).flatMap((text) => text?.split("; ") ?? []);
    return `${where}: ${[state, ...shown].filter((text) => text && `${text}, given` !== state).join("; ")}`;
  }

  const inCells = puzzle.scenes.map(({cells, said}) => new Map(cells.map(([row, column], n) => [`${row},${column}`, said.cells[n]])));

  function shownAt(scene, [row, column]) {  // what the picture shows there
    const {said} = puzzle.scenes[scene], at = (r, c) => inCells[scene].get(`${r},${c}`);
    if (row % 2 === 0 && column % 2 === 0) return [at(row, column), said.rows[row / 2], said.columns[column / 2] && `column: ${said.columns[column / 2]}`];
    return Object.entries(AROUND).map(([way, text]) => {
      const [down, right] = way.split(",").map(Number), shown = at(row + down, column + right);
      return shown && `${shown} ${text}`;
    });
  }

  function stateLabel(entry, stop) {
    const own = now[entry.number];
    if (entry.kind === "cells") {
      const held = own.held[stop], fixed = stop in entry.fixed;
      const what = own.crossed.includes(stop) ? "crossed" : !held ? "empty" : entry.free ? held
        : entry.tokens[held].map(([kind, text]) => kind === "shade" ? "shaded" : kind === "diagonal" ? (text === "1" ? "\\" : "/") : text.replaceAll("_", " ")).join(" ");
      const notes = own.notes[stop];
      return `${what}${fixed ? ", given" : ""}${notes && !held ? `, notes ${notes.join(" ")}` : ""}`;
    }
    if (entry.kind === "pieces") return own.held[stop] ? `piece ${own.held[stop]}` : "in no piece";
    const said = [];
    for (const [name, way] of Object.entries(ARROWS)) {
      const to = travel(entry, stop, way), link = to === stop ? -1 : between(entry, stop, to);
      const what = link < 0 ? 0 : state(entry, link);
      if (what) said.push(`${what === -1 ? "cross" : what > 1 ? "double line" : "line"} ${name.slice(5).toLowerCase()}`);
    }
    return said.join(", ") || "nothing drawn";
  }

  function draw() {
    const tried = trials.length ? JSON.parse(past[trials.at(-1)] ?? JSON.stringify(now)) : null;
    boards.forEach((board, scene) => {
      const over = board.querySelector(".entered"), under = board.querySelector(".below");
      over.replaceChildren();
      make("g", {}, over);  // of light rims, which show lines on dark signs
      under.replaceChildren();
      for (const text of board.querySelectorAll("text.on-entered")) text.classList.remove("on-entered");
      for (const entry of entries) if (entry.scene === scene) {
        drawEntry(entry, under, over, tried);
        if (entry.kind === "cells" && !entry.free) now[entry.number].held.forEach((held, n) => {
          if (held && !(n in entry.fixed) && entry.tokens[held].some(([kind, what]) => kind === "shade" && what === "full")) {
            const [row, column] = entry.places[n];
            for (const text of board.querySelectorAll(`text[data-cell="r${row / 2}c${column / 2}"]`)) text.classList.add("on-entered");
          }
        });
      }
      for (const [number, place] of faulty) if (entries[number].scene === scene) {
        const entry = entries[number], at = entry.places[place];
        if (entry.kind === "lines") line(over, "faulty", at[2], at[3], at[6], at[7], size / 5);
        else { const [name, shape] = ring(scene, at[2], at[3], 0.94); make(name, {...shape, class: "faulty"}, over); }
      }
      for (const [of, x, y, kind] of [...lit, ...spots]) if (of === scene) { const [name, shape] = ring(scene, x, y, kind.endsWith("small-place") ? 0.4 : 0.94); make(name, {...shape, class: `lit ${kind}`}, over); }
      grid(board, scene);
    });
    bar();
    keys();
    drawWords();
    keep();
  }

  function grid(board, scene) {  // the cells as a grid for the keyboard and for screen readers
    const entry = modes[mode], layer = board.querySelector(".grid");
    const here = entry.kind !== "words" && entry.scene === scene;
    for (const part of board.children) if (part !== layer) here ? part.setAttribute("aria-hidden", true) : part.removeAttribute("aria-hidden");
    if (!here) { layer.replaceChildren(); delete layer.dataset.of; return; }
    const all = stops(entry), whole = all.every(([row, column]) => row % 2 === 0 && column % 2 === 0) || all.every(([row, column]) => row % 2 && column % 2);
    const index = (at) => whole ? Math.ceil(at / 2) : at + 1;  // of a row or column, from 1
    if (layer.dataset.of !== String(mode)) {
      layer.replaceChildren();
      layer.dataset.of = mode;
      let group = null, row = null;
      all.map((stop, n) => [stop, n]).sort(([a], [b]) => a[0] - b[0] || a[1] - b[1]).forEach(([stop, n]) => {
        if (stop[0] !== row) { group = make("g", {role: "row", "aria-label": `row ${index(stop[0])}`, "aria-rowindex": index(stop[0])}, layer); row = stop[0]; }
        const [name, shape] = ring(scene, stop[2], stop[3], entry.kind === "lines" && stop[0] % 2 ? 0.5 : 1);
        make(name, {...shape, role: "gridcell", tabindex: -1, "data-stop": n, "aria-colindex": index(stop[1])}, group);
      });
      layer.setAttribute("aria-rowcount", index(Math.max(...all.map(([row]) => row))));
      layer.setAttribute("aria-colcount", index(Math.max(...all.map(([, column]) => column))));
    }
    const at = cursor?.entry === mode ? cursor.place : 0;
    for (const cell of layer.querySelectorAll("[role=gridcell]")) {
      const n = Number(cell.dataset.stop);
      cell.setAttribute("aria-label", label(entry, n));
      cell.setAttribute("aria-readonly", !open(entry, n) || (entry.kind === "cells" && n in entry.fixed));
      cell.setAttribute("tabindex", n === at ? 0 : -1);
      cell.classList.toggle("cursor", cursor?.entry === mode && n === at);
    }
  }

  function focus() {
    boards[modes[mode].scene]?.querySelector(`.grid [data-stop="${cursor.place}"]`)?.focus({preventScroll: true});
  }

  function help() {
    const kinds = [...new Set(entries.map((entry) => entry.kind === "cells" ? (entry.typed ? "type" : single(entry) ? "single" : "turn") : entry.kind))];
    const lines = kinds.map((kind) => HOW[kind]);
    if (puzzle.spelt && kinds.includes("type")) lines.push("After a letter comes the next cell of the word: across or down, as the last arrow went. A second tap on a cell turns.");
    if (entries.some(dotted)) lines.push("The button “dots” or “crosses” above the board, or the key . (full stop), makes each click and drag enter dots or crosses; the right button does too.");
    if (entries.length > 1) lines.unshift("The buttons above the board, or the key m, choose what is entered.");
    lines.push("Ctrl+Z takes back, Ctrl+Shift+Z repeats. A trial can be kept or dropped as a whole. The game is kept when the page is closed.");
    for (const text of lines) parts.help.append(Object.assign(document.createElement("p"), {textContent: text}));
  }

  function bar() {
    const ways = modes.length > 1 ? modes.map((entry, n) => button(entry.name, () => choose(n), {"aria-pressed": n === mode})) : [];
    const time = document.createElement("button");
    Object.assign(time, {type: "button", className: "clock", title: hidden ? "show the clock" : "hide the clock"});
    time.setAttribute("aria-label", hidden ? "Show the clock" : "Hide the clock");
    time.textContent = hidden ? "clock" : clock();
    time.addEventListener("click", () => { hidden = !hidden; bar(); });
    const sign = modes[mode].kind === "cells" ? "• dots" : "× crosses";  // as it is drawn
    const crosses = dotted(modes[mode]) ? [button(sign, () => { crossing = !crossing; draw(); }, {"aria-pressed": crossing})] : [];
    refill(parts.bar, ...ways, ...crosses, time);
    refill(parts.tools,
      ...(options.undo ? [] : [button("Undo", undo, {disabled: !past.length}), button("Redo", redo, {disabled: !future.length})]),
      button("Try", () => { trials.push(past.length); draw(); say(`Trial ${trials.length}: keep it or drop it.`); seen(); }),
      ...(options.check || puzzle.facts || puzzle.check.rules.length ? [button("Check", options.check ?? check)] : []),
      button("Clear", () => change(() => { now = empty(); trials = []; cursor = null; }), {disabled: !past.length}),
      ...(trials.length
        ? [button("Keep trial", () => { trials.pop(); draw(); }), button("Drop trial", () => {
            const depth = trials.pop();
            if (depth < past.length) { now = JSON.parse(past[depth]); past = past.slice(0, depth); future = []; }
            judge();
            draw();
          })] : []),
    );
  }

  function check() {
    tell();
    seen();
  }

  function tell() {
    if (solved) { say(solvedText()); return; }
    const broken = brokenRules(), names = [...new Set(broken.map(([name]) => puzzle.check.names[name]))];
    if (broken.length) {
      faulty = toBlame(broken[0][1]).flatMap((n) => puzzle.check.unknowns[n]);
      say(`This breaks the rule: ${names[0]}. ${names.length > 1 ? `Also: ${names.slice(1, 3).join("; ")}. ` : ""}`);
      draw();
      if (puzzle.facts) parts.said.append(button("Back to the last right board", revert));
      return;
    }
    if (!puzzle.facts) {
      const [checked, all] = puzzle.check.share;
      say(checked < all ? "None of the rules that this page checks is broken." : "No rule is broken.");
      return;
    }
    const found = wrong();
    say(found.length ? `${found.length === 1 ? "One entry is" : `${found.length} entries are`} wrong. ` : "Right so far.");
    if (found.length) parts.said.append(button("Back to the last right board", revert));
  }

  function revert() {
    const boards = [...past, JSON.stringify(now)], here = JSON.stringify(now);
    const last = boards.findLastIndex((text) => { now = JSON.parse(text); return !wrong().length; });
    now = JSON.parse(here);
    change(() => { now = last < 0 ? empty() : JSON.parse(boards[last]); });
  }

  function keys() {
    const entry = modes[mode];
    const at = cursor?.entry === mode && open(entry, cursor.place) ? cursor.place : -1;
    if (entry.kind === "clues") {
      const place = clues.places[at], text = place ? options.clueAt(place[0] / 2, place[1] / 2) : "";
      parts.keys.replaceChildren(input(text, "the clue there", at < 0, writeClue));
      return;
    }
    if (entry.kind !== "cells" || !entry.typed) { parts.keys.replaceChildren(); return; }
    const texts = entry.free ? [] : entry.texts.map((text, n) => [text, n]).filter(([text]) => text);
    const others = entry.free ? [] : entry.tokens.map((token, n) => [token, n]).filter(([token, n]) => n && !entry.texts[n]);
    const may = at < 0 ? null : choices(entry, at);
    const all = [
      ...(texts.length <= 40 ? texts.filter(([, n]) => entry.useful.has(n)) : []).map(([text, n]) => button(text, () => {
        if (at < 0) return;
        if (pencil) return typeText(entry, at, text);
        change(() => put(entry, at, n));
        advance(entry, at);
      }, {class: "key", disabled: at < 0 || !may.includes(n)})),
      ...others.map(([token, n]) => button(token.map(([kind, what]) => kind === "shade" ? "■" : what).join(" "),
        () => { if (at >= 0) change(() => put(entry, at, n)); }, {class: "key", disabled: at < 0})),
      ...(entry.crossed ? [button("×", () => { if (at >= 0) change(() => set(entry, at, state(entry, at) === -1 ? 0 : -1)); }, {class: "key", "aria-label": "cross", disabled: at < 0})] : []),
      button("⌫", () => { if (at >= 0) clear(entry, at); }, {class: "key", "aria-label": "erase", disabled: at < 0}),
      ...(texts.length > 1 ? [button("notes", () => { pencil = !pencil; draw(); }, {class: "key notes", "aria-pressed": pencil})] : []),
    ], rows = Math.ceil(all.length / ROW);
    parts.keys.style.setProperty("--columns", Math.ceil(all.length / rows));
    refill(parts.keys, ...all, ...(entry.free ? [field(entry, at)] : []));
  }

  function field(entry, at) {  // any text, for a screen without a keyboard
    return input(at >= 0 ? now[entry.number].held[at] : "", "what stands there", at < 0, (text) => change(() => put(entry, at, text.toUpperCase())));
  }

  function input(value, label, disabled, action) {
    const field = Object.assign(document.createElement("input"), {type: "text", value, disabled, autocapitalize: "characters"});
    field.setAttribute("aria-label", label);
    field.addEventListener("change", () => action(field.value.trim()));
    return field;
  }

  function drawWords() {
    const words = entries.filter((entry) => entry.kind === "words");
    if (!words.length) return;
    if (!parts.words.children.length) for (const entry of words) entry.places.forEach((name, place) => {
      const row = document.createElement("label"), choice = document.createElement(entry.free ? "input" : "select");
      row.append(name, " ", choice);
      if (!entry.free) for (const token of choices(entry, place)) choice.append(new Option(entry.texts[token] || "–", token));
      choice.dataset.at = `${entry.number} ${place}`;
      choice.addEventListener("change", () => change(() => { now[entry.number].held[place] = entry.free ? choice.value : Number(choice.value); }));
      parts.words.append(row);
    });
    for (const input of parts.words.querySelectorAll("input, select")) {
      const [number, place] = input.dataset.at.split(" ").map(Number);
      if (document.activeElement !== input || input.tagName === "SELECT") input.value = now[number].held[place];
    }
  }

  // ---- the beginning --------------------------------------------------------------------------------------------------

  let hidden = false;

  for (const board of boards) {
    const cells = [...board.querySelectorAll(":scope > .cell")].at(-1), below = document.createElementNS(SVG, "g");
    below.setAttribute("class", "below");
    cells ? cells.after(below) : board.prepend(below);
    make("g", {class: "grid", role: "grid", "aria-label": puzzle.title}, board);
    board.addEventListener("pointerdown", (event) => down(event, board));
    board.addEventListener("pointermove", move);
    board.addEventListener("pointerup", up);
    board.addEventListener("pointercancel", () => { if (drag) { now = JSON.parse(drag.before); drag = null; draw(); } });
    board.addEventListener("contextmenu", (event) => event.preventDefault());
  }
  keyboard.addEventListener("keydown", pressed, {signal});
  const ticking = setInterval(() => {
    if (solved || document.hidden) return;
    seconds++;
    if (!hidden) parts.bar.querySelector(".clock").textContent = clock();
    if (seconds % 5 === 0) keep();
  }, 1000);
  addEventListener("pagehide", keep, {signal});
  help();
  if (!restore() && puzzle.marks) now = entries.map((entry, n) => held(entry, puzzle.marks[n]));
  if (options.state && !past.length) now = fitting(options.state) ?? now;
  if (options.at && options.at.mode < modes.length) {
    ({mode, pencil} = options.at);
    cursor = options.at.cursor && options.at.cursor.entry === mode && options.at.cursor.place < stops(modes[mode]).length ? options.at.cursor : null;
  }
  judge();
  draw();
  if (options.at?.focused && cursor) focus();

  return {
    get now() { return now; },
    get own() { return now.map((one, n) => ({...one, held: one.held.map((held, place) => place in entries[n].fixed ? null : held)})); },  // without what is given
    get solved() { return solved; },
    get at() { return {mode, cursor, pencil, focused: root.contains(document.activeElement)}; },  // where the player is
    undo,
    redo,
    say,
    enter: (boards) => change(() => {
      now = entries.map((entry, n) => held(entry, boards[n]));
      shown = JSON.stringify(now);
    }),
    moves: (moves) => change(() => moves.forEach(apply)),
    present(board, moves) {  // a board, and moves from there, without a step of the history
      now = JSON.parse(JSON.stringify(board));
      moves.forEach(apply);
      if (moves.length) shown = JSON.stringify(now);
      judge();
      draw();
    },
    light(places) { lit = places; draw(); },
    spot(row, column) {
      const before = JSON.stringify(spots);
      spots = clues.places.filter(([r, c]) => r === 2 * row && c === 2 * column).map(([, , x, y]) => [0, x, y, "spot"]);
      if (JSON.stringify(spots) !== before) draw();
    },
    learn(known) { Object.assign(puzzle, known); judge(); draw(); },  // the facts or answers, which may come later
    end() { ended.abort(); clearInterval(ticking); },
  };
}

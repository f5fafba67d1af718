// What is entered beside the boards: unknowns without a picture, by name, and words on a board.
import { button, element } from "./elements.js";
import { choices } from "./entries.js";

/** Fields for the unknowns of an entry that no picture shows. */
class Fields {
  constructor(session, entry, parent) {
    this.session = session;
    this.entry = entry;
    this.fields = entry.places.map((name, place) => {
      const field = this.#field(place);
      parent.append(element("label", {}, name, " ", field));
      return field;
    });
  }

  #field(place) {
    const { entry, session } = this;
    const field = element(entry.free ? "input" : "select", {
      "data-at": `${entry.number} ${place}`,
    });
    if (!entry.free)
      for (const token of choices(entry, place))
        field.append(new Option(entry.texts[token] || "–", String(token)));
    field.addEventListener("change", () => {
      const held = entry.free ? field.value : Number(field.value);
      session.change(() => session.game.set(entry.number, place, { held }));
    });
    return field;
  }

  draw() {
    this.fields.forEach((field, place) => {
      const isTyped = document.activeElement === field && field.tagName === "INPUT";
      if (!isTyped) field.value = this.session.game.at(this.entry.number, place).held;
    });
  }
}

/** A grid of crosses and ticks: a row for each unknown, a column for each value. */
class TickGrid {
  constructor(session, entry, parent) {
    this.session = session;
    this.entry = entry;
    this.cells = [];
    const head = element("tr", {}, element("th", {}, entry.name));
    for (const [text] of entry.table) head.append(element("th", { scope: "col" }, text));
    const body = element("tbody");
    const prefix = new RegExp(`^${entry.name} `);
    entry.places.forEach((label, place) => {
      const name = label.replace(prefix, "");
      const row = element("tr", {}, element("th", { scope: "row" }, name));
      for (const [text, token] of entry.table) {
        const tick = button("", () => this.#turn(place, token), {
          "data-tick": `${place} ${token}`,
        });
        tick.addEventListener("contextmenu", (event) => {
          event.preventDefault();
          this.#turn(place, token, true);
        });
        tick.addEventListener("keydown", (event) => this.#key(event, place, token));
        row.append(element("td", {}, tick));
        this.cells.push({ tick, place, token, name: `${name}, ${text}` });
      }
      body.append(row);
    });
    parent.append(element("table", { class: "ticks" }, element("thead", {}, head), body));
  }

  #key(event, place, token) {
    if (event.key === "x") this.#turn(place, token, true);
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    beside(event.target.closest("td"), event.key)?.focus();
  }

  /** Nothing, a cross, a tick, nothing; or only a cross. */
  #turn(place, token, isCross = false) {
    const { entry, session } = this;
    const { held, out = [] } = session.game.at(entry.number, place);
    if (place in entry.fixed) return;
    const others = out.filter((number) => number !== token);
    const isOut = out.includes(token);
    session.change(() => {
      if (held === token) session.game.set(entry.number, place, { held: 0 });
      else if (isOut)
        session.game.set(
          entry.number,
          place,
          isCross ? { out: others } : { held: token, out: others },
        );
      else session.game.set(entry.number, place, { out: [...others, token].sort((a, b) => a - b) });
    });
  }

  draw() {
    const { entry, session } = this;
    for (const { tick, place, token, name } of this.cells) {
      const { held, out = [] } = session.game.at(entry.number, place);
      const isTicked = held === token;
      const sign = isTicked ? "✓" : out.includes(token) ? "×" : held ? "·" : "";
      const state = isTicked ? "yes" : out.includes(token) ? "no" : "open";
      if (tick.textContent !== sign) tick.textContent = sign;
      tick.setAttribute("aria-label", `${name}: ${state}`);
      tick.setAttribute("aria-pressed", String(isTicked));
      tick.disabled = !choices(entry, place).includes(token);
    }
  }
}

/** The next button of a grid in the direction of an arrow that can be pressed. */
function beside(cell, key) {
  const index = [...cell.parentElement.children].indexOf(cell);
  const next = {
    ArrowLeft: (at) => at.previousElementSibling,
    ArrowRight: (at) => at.nextElementSibling,
    ArrowUp: (at) => at.parentElement.previousElementSibling?.children[index],
    ArrowDown: (at) => at.parentElement.nextElementSibling?.children[index],
  }[key];
  if (!next) return null;
  for (let at = next(cell); at; at = next(at)) {
    const tick = at.querySelector("button:enabled");
    if (tick) return tick;
  }
  return null;
}

/** The words that are marked on the board, and those of a list that are not yet. */
class MarkedWords {
  constructor(session, entry, parent) {
    this.session = session;
    this.entry = entry;
    this.list = element("p", { class: "marked" });
    parent.append(this.list);
  }

  draw() {
    const { entry, session, list } = this;
    const spelled = [];
    session.game.marks[entry.number].forEach(({ held }, place) => {
      if (held) spelled.push(session.hand.spelling(entry, entry.places[place]));
    });
    const left = new Set((entry.words ?? []).map((word) => word.toUpperCase()));
    const matches = (word) =>
      [word, [...word].reverse().join("")].find((text) => left.delete(text)) ?? word;
    const names = spelled.map((word) => matches(word.toUpperCase()));
    const marked = names.map((word) => element("s", {}, word));
    const rest = [...left].map((word) => element("span", {}, word));
    const count = `${names.length} marked`;
    const open = entry.words?.length ? `, ${left.size} left` : "";
    list.replaceChildren(
      element("b", {}, `Words: ${count}${open}`),
      ...spaced([...marked, ...rest]),
    );
  }
}

/** How many times two texts have changed places. */
class Exchanges {
  constructor(session, entry, parent) {
    this.session = session;
    this.entry = entry;
    this.count = element("p", { class: "marked" });
    parent.append(this.count);
  }

  draw() {
    const isOwn = ([number]) => number === this.entry.number;
    const { length } = this.session.game.past.filter((step) => step.some(isOwn));
    this.count.textContent = `Swaps: ${length}`;
  }
}

const spaced = (children) => children.flatMap((child) => [" ", child]);

/** All lists of a session, in a part of the page. */
export function lists(session, parent) {
  return session.entries.flatMap((entry) => {
    if (entry.kind === "paths") return [new MarkedWords(session, entry, parent)];
    if (entry.moved) return [new Exchanges(session, entry, parent)];
    if (entry.kind !== "words") return [];
    if (entry.table) return [new TickGrid(session, entry, parent)];
    return [new Fields(session, entry, parent)];
  });
}

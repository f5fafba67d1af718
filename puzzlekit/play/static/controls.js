// Buttons around the boards: what is entered, tools, keys for a screen, options, help.
import { CROSS, put, setState, stateOf } from "./entering.js";
import { choices } from "./entries.js";
import { button, element, refill } from "./elements.js";

const ROW = 8; // keys below the board, on a phone
const KEYS = 40; // texts that have a key each, at most

const HOW = {
  turn: "Click or tap a cell: its sign, then a dot for what it is not, then nothing. Drag to do the same to several cells. Keyboard: arrows, Space, x.",
  single:
    "Click or tap a cell: its sign, then a dot where it is not, then nothing. Drag for dots in several cells. Keyboard: arrows, Space, x.",
  type: "Click or tap a cell and type, or use the keys below the board. Drag, or hold Ctrl or Shift, to choose several cells: what you type goes to all. Small candidates: notes (Shift with a digit) stand in the corners, centre notes (Ctrl with a digit) in the middle. Keyboard: arrows, Enter for the next sign or value, Space for notes, Backspace.",
  move: "Drag a text onto another place: the two change places. Or tap one, then the other. Keyboard: arrows, Space to pick up and to put down; or type what belongs there.",
  lines:
    "Drag to draw a line; click or tap a line or where one could be, away from its ends: a line, then a cross, then nothing. Keyboard: arrows (and q, e, z, c for diagonals), with Shift to draw; x and an arrow for a cross.",
  pieces:
    "Drag through cells to join them; click a cell to take it out again. Keyboard: arrows (and q, e, z, c for diagonals), with Shift to join, Space.",
  sides:
    "Click a side or drag along sides to draw a border, again for a cross. Keyboard: arrows, with Shift to draw the side in that direction; x and an arrow for a cross.",
  paths:
    "Drag over the board from the first letter of a word to the last; tap a marked word to take it away. Keyboard: arrows to the first letter, Shift with arrows (and q, e, z, c for diagonals) to the last, then Space.",
  ticks:
    "Click or tap a field of the grid: a cross, then a tick, then nothing. Keyboard: arrows, Space, x for a cross.",
  words: "Choose or type a value for each line; drag over the letters of a board to spell a word.",
};

const OPTIONS = {
  conflicts: "Show at once where a rule is broken",
  same: "Highlight what has the same value",
  thin: "Take away notes that a new value excludes",
  parts: "Colour lines by connected part",
  clock: "Show the clock",
};

/** The kind of help that an entry needs. */
function helpKind(entry) {
  if (entry.kind === "words") return entry.table ? "ticks" : "words";
  if (entry.kind !== "cells") return entry.kind;
  if (entry.moved) return "move";
  if (entry.typed) return "type";
  return entry.single ? "single" : "turn";
}

/** How to enter what this puzzle has, as paragraphs. */
export function helpTexts(session) {
  const { entries, puzzle, modes } = session;
  const own = entries.filter(({ kind }) => kind !== "colours");
  const kinds = [...new Set(own.map(helpKind))];
  const texts = kinds.map((kind) => HOW[kind]);
  if (puzzle.spelt && kinds.includes("type"))
    texts.push(
      "After a letter comes the next cell of the word: across or down, as the last arrow went. A second tap on a cell turns.",
    );
  if (own.some(({ dotted }) => dotted))
    texts.push(
      "The button “dots” or “crosses” above the board, or the key . (full stop), makes each click and drag enter dots or crosses; the right button and a long press do too.",
    );
  if (modes.length > 1)
    texts.unshift("The buttons above the board, or the key m, choose what is entered.");
  texts.push(
    "Two fingers move and enlarge the board, as the wheel with Ctrl does; two quick taps that enter nothing show all of it. Home and End go to the ends of a row.",
    "Ctrl+Z takes back, Ctrl+Shift+Z repeats. A trial can be kept or dropped as a whole. The game is kept when the page is closed.",
  );
  return texts;
}

/** The boxes of the options. */
export function optionBoxes(session) {
  const { entries, settings, puzzle } = session;
  const has = {
    conflicts: puzzle.check.rules.length > 0,
    same: entries.some(({ typed, kind }) => typed && kind === "cells"),
    thin:
      entries.some(({ typed, kind }) => typed && kind === "cells") && puzzle.check.rules.length > 0,
    parts: entries.some(({ kind }) => kind === "lines"),
    clock: true,
  };
  return Object.keys(OPTIONS)
    .filter((name) => has[name])
    .map((name) => {
      const box = element("input", { type: "checkbox", "data-option": name });
      box.checked = settings[name];
      box.addEventListener("change", () => session.choosing(name, box.checked));
      return element("label", { class: "option" }, box, " ", OPTIONS[name]);
    });
}

/** The buttons above the board. */
export function drawBar(session, parent) {
  const { modes, mode, settings } = session;
  const entry = modes[mode];
  const buttons =
    modes.length > 1
      ? modes.map((one, number) =>
          button(one.name, () => session.choose(number), {
            "aria-pressed": String(number === mode),
          }),
        )
      : [];
  if (entry.dotted) {
    const sign = entry.kind === "cells" ? "• dots" : "× crosses"; // as it is drawn
    const pressed = { "aria-pressed": String(session.crossing) };
    buttons.push(button(sign, () => session.toggleCrossing(), pressed));
  }
  if (session.views.some((view) => view?.zoomed))
    buttons.push(
      button("Fit", () => session.views.forEach((view) => view.fit()), { class: "fit" }),
    );
  const label = settings.clock ? "Hide the clock" : "Show the clock";
  const clock = button(
    settings.clock ? session.keeper.clock() : "clock",
    () => session.choosing("clock", !settings.clock),
    { class: "clock", title: label.toLowerCase(), "aria-label": label },
  );
  refill(parent, ...buttons, clock);
}

/** The buttons below the board. */
export function drawTools(session, parent) {
  const { game, options, puzzle } = session;
  const { length } = game.past;
  const buttons = [];
  if (!options.undo)
    buttons.push(
      button("Undo", () => session.undo(), { disabled: !length }),
      button("Redo", () => session.redo(), { disabled: !game.future.length }),
    );
  buttons.push(button("Try", () => session.try()));
  if (options.check || puzzle.facts || puzzle.check.rules.length)
    buttons.push(button("Check", options.check ?? (() => session.checks.check())));
  if (session.hints) buttons.push(button("Hint", () => session.hints.show()));
  buttons.push(button("Clear", () => session.clear(), { disabled: !length }));
  if (game.trials.length)
    buttons.push(
      button("Keep trial", () => session.keepTrial()),
      button("Drop trial", () => session.dropTrial()),
    );
  refill(parent, ...buttons);
}

/**
 * The keys below the board, for a screen without a keyboard.
 *
 * A key that looks like the one before stays on the page, so it asks for the places when it is
 * pressed.
 */
export function drawKeys(session, parent) {
  const entry = session.modes[session.mode];
  const places = session.places();
  if (entry.kind === "clues") return refill(parent, clueField(session));
  if (entry.kind === "colours") return refill(parent, ...colourKeys(session, entry));
  if (entry.kind !== "cells" || !entry.typed) return refill(parent);
  const keys = typedKeys(session, entry, places);
  const rows = Math.ceil(keys.length / ROW);
  parent.style.setProperty("--columns", String(Math.ceil(keys.length / rows)));
  refill(parent, ...keys, ...(entry.free ? [textField(session, entry, places)] : []));
}

function colourKeys(session, entry) {
  const keys = entry.tokens.slice(1).map((_, number) => {
    const colour = number + 1;
    const pressed = { "aria-pressed": String(session.colour === colour) };
    const name = { class: `key swatch swatch-${colour}`, "aria-label": `colour ${colour}` };
    return button(String(colour), () => session.chooseColour(colour), { ...name, ...pressed });
  });
  return keys;
}

function typedKeys(session, entry, places) {
  const isIdle = !places.length;
  const { game, pencil } = session;
  const may = new Set(places.flatMap((place) => choices(entry, place)));
  const tokens = entry.free ? [] : entry.texts.map((text, token) => [text, token]).slice(1);
  const texts = tokens.filter(([text, token]) => text && entry.useful.has(token));
  const signs = tokens.filter(([text]) => !text);
  // where each unknown stands in several places, as a letter of a code, the texts that are entered
  const held = entry.linked.size ? game.marks[entry.number].map((mark) => mark.held) : [];
  const used = new Set(held);
  const keys = [];
  if (texts.length <= KEYS)
    for (const [text, token] of texts)
      keys.push(
        button(text, () => session.writer.enter(token, text), {
          class: used.has(token) ? "key used" : "key",
          disabled: isIdle || !may.has(token),
        }),
      );
  for (const [, token] of signs) {
    const label = entry.labels[token];
    const enter = () => session.writer.enter(token, label);
    keys.push(button(label, enter, { class: "key", disabled: isIdle || !may.has(token) }));
  }
  if (entry.crossed) {
    const turn = (place) =>
      setState(game, entry, place, stateOf(game, entry, place) === CROSS ? 0 : CROSS);
    const name = { class: "key", "aria-label": "cross", disabled: isIdle };
    keys.push(button("×", () => session.change(() => session.places().forEach(turn)), name));
  }
  const eraser = { class: "key", "aria-label": "erase", disabled: isIdle };
  keys.push(button("⌫", () => session.writer.erase(), eraser));
  if (texts.length > 1)
    for (const [name, field] of [
      ["notes", "notes"],
      ["centre", "centre"],
    ])
      keys.push(
        button(name, () => session.writer.toggleNotes(field), {
          class: "key notes",
          "aria-pressed": String(pencil === field),
        }),
      );
  return keys;
}

/** Any text, for a screen without a keyboard. */
function textField(session, entry, places) {
  const text = places.length ? session.game.at(entry.number, places[0]).held : "";
  const enter = (typed) => {
    const letters = typed.toUpperCase();
    session.change(() =>
      session.places().forEach((place) => put(session.game, entry, place, letters)),
    );
  };
  return textInput(text, "what stands there", !places.length, enter);
}

function clueField(session) {
  const { cursor, mode, modes } = session;
  const place = cursor?.entry === mode ? modes[mode].places[cursor.place] : null;
  const text = place ? session.options.clueAt(place[0] / 2, place[1] / 2) : "";
  return textInput(text, "the clue there", !place, (typed) => session.writer.writeClue(typed));
}

function textInput(value, label, disabled, action) {
  const input = element("input", {
    type: "text",
    "aria-label": label,
    autocapitalize: "characters",
    disabled,
  });
  input.value = value;
  input.addEventListener("change", () => action(input.value.trim()));
  return input;
}

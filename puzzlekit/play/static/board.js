// Plays a puzzle on its picture.
import { helpTexts, optionBoxes } from "./controls.js";
import { button, element } from "./elements.js";
import { listen } from "./gestures.js";
import { sha256 } from "./hash.js";
import { listenToKeys } from "./keys.js";
import { lists } from "./lists.js";
import { Session } from "./session.js";
import { choicesKept, PageStore, TabStore } from "./store.js";
import { boardOfLink, download, gameOf, gameText, linkOf } from "./transfer.js";
import { View } from "./view.js";

/**
 * Play a puzzle in an element that has its boards (`svg.board`), and add all else to it.
 *
 * @param {HTMLElement} root
 * @param {any} puzzle What `play/page.py` knows of it.
 * @param {any} options All may be left out: `storage`, with the methods of localStorage, for one
 *   tab alone; `keyboard`, whose keys are heard; `state`, boards to begin with; `at`, where the
 *   player is; `changed()`, called after each change; `check()`, which judges instead of the page;
 *   `undo` and `redo`, instead of the buttons of the board; `clue(row, column, text)`, which writes
 *   a clue, and `clueAt(row, column)`, which reads one.
 */
export function mount(root, puzzle, options = {}) {
  const ended = new AbortController();
  const { signal } = ended;
  const keyboard = options.keyboard ?? document;
  const parts = addParts(root);
  const session = new Session(root, puzzle, { ...options, keyboard }, parts);
  for (const { scene, kind } of session.own)
    if (scene >= 0 && kind !== "colours") session.boards[scene].style.order = "-1"; // before those to look at
  for (const board of session.boards) addHand(session, board, signal);
  session.lists = lists(session, parts.words);
  fillHelp(session);
  rememberRules(root, signal);
  listenToKeys(keyboard, session, signal);
  const ticking = setInterval(() => document.hidden || session.keeper.tick(), 1000);
  addEventListener("pagehide", () => session.keeper.leave(), { signal });
  listenToPrint(root, signal);
  session.painter.all();
  session.painter.colourParts(session.settings.parts);
  goTo(session, options.at);
  const store = storeOf(session);
  const ready = session.keeper.begin(store).then(() => openLink(session));

  return {
    ready,
    state: () => session.state(),
    open: (text) => openGame(session, text),
    get now() {
      return session.playedBoards();
    },
    get own() {
      return withoutGiven(session);
    },
    get solved() {
      return session.solved;
    },
    get at() {
      const { mode, cursor, writer } = session;
      const { pencil } = writer;
      return { mode, cursor, pencil, focused: root.contains(document.activeElement) };
    },
    undo: () => session.undo(),
    redo: () => session.redo(),
    say: (text) => session.say(text),
    enter: (boards) => session.enterBoards(boards),
    moves: (moves, notes) => session.moves(moves, notes),
    present: (boards, moves) => session.present(boards, moves),
    light: (drawn) => session.outlines.light(drawn),
    glow: (squares) => session.outlines.glow(squares),
    spot: (row, column) => session.outlines.spot(row, column),
    learn: (facts) => session.learn(facts),
    end() {
      ended.abort();
      clearInterval(ticking);
      session.idle.end();
      store.end();
    },
  };
}

/** Add the parts of the page around the boards, by name. */
function addParts(root) {
  const frame = root.querySelector("svg.board")?.parentElement ?? root;
  const group = (name, label) =>
    element("div", { class: name, role: "group", "aria-label": label });
  const parts = {
    bar: group("bar", "What is entered"),
    words: element("div", { class: "words" }),
    keys: group("keys", "Keys"),
    tools: group("tools", "Tools"),
    said: element("p", { class: "said", role: "status" }),
    notice: element("p", { class: "notice", role: "status" }),
    options: element("details", { class: "options" }, element("summary", {}, "Options")),
    help: element("details", { class: "help" }, element("summary", {}, "How to enter")),
    heard: element("div", { class: "heard", "aria-live": "polite" }),
  };
  if (frame === root) root.append(parts.bar);
  else frame.before(parts.bar);
  const { words, keys, tools, said, notice, options, help, heard } = parts;
  root.append(words, keys, tools, said, notice, options, help, heard);
  return parts;
}

function fillHelp(session) {
  const { parts } = session;
  parts.options.append(...optionBoxes(session));
  for (const text of helpTexts(session)) parts.help.append(element("p", {}, text));
  if (session.options.check) return; // another page keeps and shares it
  const file = element("input", {
    type: "file",
    accept: ".json",
    "aria-label": "Open a game",
    hidden: "",
  });
  file.addEventListener("change", async () => {
    if (file.files[0]) openGame(session, await file.files[0].text());
    file.value = "";
  });
  const link = element("input", {
    type: "text",
    readonly: "",
    "aria-label": "Link to this board",
    hidden: "",
  });
  const buttons = [
    button("Save the game", () => saveGame(session)),
    button("Open a game", () => file.click()),
    button("Link to this board", () => showLink(session, link)),
  ];
  parts.options.append(element("div", { class: "games" }, ...buttons, file, link));
}

function addHand(session, board, signal) {
  const view = new View(board, () => session.refreshBar(), signal);
  session.views.push(view);
  listen(board, view, {
    begin: (event, x, y) => session.hand.begin(event, board, x, y),
    drawn: (stroke) => session.hand.drawn(stroke),
    hold: (stroke) => session.hand.hold(stroke),
    end: (stroke) => session.hand.end(stroke),
    cancel: () => session.hand.cancel(),
  });
}

/** Whether rules are folded is remembered for all puzzles that have them. */
function rememberRules(root, signal) {
  const rules = root.querySelector("details");
  if (!rules || rules.matches(".options, .help")) return;
  const name = `rules ${sha256(rules.textContent).slice(0, 10)}`;
  if (choicesKept.read(name, "open") === "folded") rules.open = false;
  const remember = () => choicesKept.write(name, rules.open ? "open" : "folded");
  rules.addEventListener("toggle", remember);
  addEventListener("pagehide", remember, { signal }); // which may come before
}

/** On paper, the rules are open. */
function listenToPrint(root, signal) {
  const rules = root.querySelector("details:not(.options, .help)");
  let wasOpen = true;
  const before = () => {
    wasOpen = rules.open;
    rules.open = true;
  };
  if (!rules) return;
  addEventListener("beforeprint", before, { signal });
  addEventListener("afterprint", () => (rules.open = wasOpen), { signal });
}

/** Go where the player was. */
function goTo(session, at) {
  if (at && at.mode < session.modes.length) {
    session.mode = at.mode;
    session.writer.pencil = at.pencil;
    const { stops } = session.entry;
    const isHere = at.cursor && at.cursor.entry === at.mode && at.cursor.place < stops.length;
    session.cursor = isHere ? at.cursor : null;
  }
  session.learn({});
  if (at?.focused && session.cursor) session.focus();
}

function storeOf(session) {
  const { puzzle, options } = session;
  const problem = (text) => {
    if (session.parts.notice.textContent !== text) session.parts.notice.textContent = text;
  };
  if (options.storage) return new TabStore(puzzle.id, problem, options.storage);
  return new PageStore(`${puzzle.id} ${location.pathname}`, problem, () => session.keeper.follow());
}

/** The boards without what is given. */
function withoutGiven(session) {
  return session.playedBoards().map((board, number) => {
    const { fixed } = session.entries[number];
    return { ...board, held: board.held.map((held, place) => (place in fixed ? null : held)) };
  });
}

const fileName = (title) => `${title.replace(/[^\p{L}\p{N}]+/gu, " ").trim() || "game"}.json`;

function saveGame(session) {
  const text = gameText(session.puzzle, session.keeper.header(), session.game.steps());
  download(fileName(session.puzzle.title), text);
  session.say("The game is saved as a file.");
}

/** Open a game of a file: in a game that has begun, its board is one more step. */
function openGame(session, text) {
  const { game, puzzle } = session;
  try {
    const opened = gameOf(text, puzzle, game.blanks);
    session.keeper.openGame(opened);
  } catch (error) {
    session.say(error.message);
    session.seen();
  }
}

function showLink(session, field) {
  const { game, puzzle } = session;
  const [address] = location.href.split("#");
  field.value = `${address}#${linkOf(puzzle, game.blanks, game.marks)}`;
  field.hidden = false;
  field.focus();
  field.select();
  navigator.clipboard?.writeText(field.value).then(
    () => session.say("The link is copied."),
    () => {},
  );
}

/** Enter the board of a link, as one step. */
function openLink(session) {
  const { game, puzzle, options } = session;
  if (options.storage) return;
  const marks = boardOfLink(location.hash, puzzle, game.blanks);
  if (!marks) return;
  session.enterMarks(marks);
  history.replaceState(null, "", location.href.split("#")[0]);
}

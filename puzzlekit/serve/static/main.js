// The page: texts on the left, the board on the right, and each follows the other.
import {Answers, capital} from "./answers.js";
import {ask} from "./ask.js";
import {mount} from "./board.js";
import {Drafts} from "./drafts.js";
import {Editor, none} from "./editor.js";
import * as disk from "./files.js";
import {$, button, dialog, element, ofTab, splitter, visible} from "./parts.js";
import {boardOf, signs} from "./svg.js";
import {showTypes} from "./types.js";

const PAUSE = 120, TYPING = 800, LOOK = 3000;  // milliseconds
const LIVE = 8;  // seconds for all solutions while one writes
const BEGUN = "puzzlekit texts";

let board = null, clues = null, live = [], timer = 0, shown = "";

// ---- the texts, and one history of them and of the board ------------------------------------------------------------

const drafts = new Drafts((lost) => { $("trouble").hidden = !lost; });
const unsaved = () => Object.values(editors).some((editor) => editor.unsaved);
let folder = null;  // that is served: its name and its id

const events = {schema, caret: follow, save, reload, changed: (editor) => { record(editor); later(); }};
const editors = Object.fromEntries(["type", "spec"].map((name) => [name, new Editor(document.querySelector(`[data-pane=${name}]`), capital(name), events)]));
const texts = () => ({type: editors.type.text, spec: editors.spec.text});
const state = () => Object.fromEntries(Object.entries(editors).map(([name, {text, origin}]) => [name, {text, origin}]));
let waiting = false;  // whether the texts came by a link, and nobody has said yet that they may run
const moment = () => ({texts: state(), draft: drafts.id, waiting});
let past = [], future = [], before = moment(), last = {editor: null, at: 0};

function record(editor) {  // what is typed without a pause is one step
  const now = performance.now();
  if (last.editor !== editor || now - last.at > TYPING || !past.length) past.push(before);
  last = {editor, at: now};
  before = moment();
  future = [];
}

function set(given) {
  for (const [name, {text, origin = none()}] of Object.entries(given)) {
    editors[name].text = text;
    editors[name].comes(origin);
  }
  before = moment();
  last.editor = null;
}

function replace(given, strange = false) {
  if ("type" in given || given.spec?.origin) leave();
  put(given, strange);
}

function put(given, strange = false) {  // as one step of the history
  waiting = strange;
  past.push(before);
  future = [];
  set(given);
  if ("type" in given) answers.clear();
  carried = false;
  later(0);
}

function travel(from, to, step) {
  while (from.length) {
    const found = from.pop();
    if (found === "board") {
      if (!board?.[step]()) continue;
      to.push(found);
      answers.moved();
    } else {
      to.push(before);
      drafts.name(found.draft);
      waiting = found.waiting;
      set(found.texts);
      later(0);
    }
    break;
  }
  history();
}

const undo = () => travel(past, future, "undo"), redo = () => travel(future, past, "redo");

function history() {
  $("undo").disabled = !past.length;
  $("redo").disabled = !future.length;
}

// ---- the board follows the texts -------------------------------------------------------------------------------------

function later(pause = PAUSE) {
  history();
  keep();
  clearTimeout(timer);
  timer = setTimeout(update, pause);
}

function keep() {  // for a reload, and, while they are not saved, for another visit
  if (waiting) return;  // a reload reads the link again, and asks again
  try {
    ofTab.setItem(BEGUN, JSON.stringify(state()));
  } catch {
    ofTab.removeItem(BEGUN);  // it is full: after a reload the draft comes back
  }
  drafts.keep(unsaved() ? {folder, texts: state(), title: titleOf(texts())} : null);
}

const titleOf = ({type, spec}) => `${spec}\n${type}`.match(/^title:\s*(.+)$/m)?.[1] ?? `${spec}\n${type}`.match(/^puzzle:\s*(.+)$/m)?.[1] ?? (spec.trim() || type.trim()).slice(0, 60);

async function update() {
  const own = texts(), key = JSON.stringify(own);
  if (waiting) return stranger();
  if (key === shown) return;
  shown = "";
  live.forEach((question) => question.stop());
  live = [];
  answers.old();
  if (!own.type.trim() && !own.spec.trim()) return blank();
  $("actions").disabled = false;
  verdict("", "…");
  const current = () => JSON.stringify(texts()) === key;
  const asked = ask("board", own, {seconds: 15});
  live.push(asked);
  try {
    const found = await asked;
    if (!current()) return;
    shown = key;
    wrong([]);
    draw(found);
    carried = true;
  } catch (error) {
    if (!current()) return;
    const problems = error.problems ?? [{where: "spec", line: 0, message: error.message, help: error.help}], [{where, line, message}] = problems;
    wrong(problems);
    verdict("bad", where in editors && line ? `${where === "type" ? "Type" : "Spec"}, line ${line}: ${message}` : capital(message));
    $("play").classList.toggle("stale", board !== null);
    shown = "";
    return;
  }
  const counted = ask("solutions", own, {seconds: LIVE, progress: (found) => current() && counts(found)});
  live.push(counted);
  try {
    const found = await counted;
    if (!current()) return;
    counts(found);
    if (found.game) remount(found.game);
    else if (found.known) board?.learn(found.known);
  } catch (error) {
    if (current()) verdict("", capital(error.message));
  }
}

function wrong(problems) {  // one that is elsewhere, as in a type that follows, is told with its place below the spec
  const own = problems.map((one) => one.where in editors ? one : {...one, where: "spec", line: 0, message: `${one.where ? `${one.where}, line ${one.line}: ` : ""}${one.message}`});
  for (const [name, editor] of Object.entries(editors)) editor.wrong(own.filter(({where}) => where === name));
}

function verdict(kind, text) {
  $("verdict").className = kind;
  $("verdict").textContent = text;
}

function counts({verdict: kind, count, least}) {
  const many = count ? ` (${count.toLocaleString("en")})` : "";
  const said = {none: "No solution", one: "One solution", several: `Several solutions${many}`}[kind];
  verdict(kind, said ?? (least ? "One solution at least" : `Not known after ${LIVE} s`));
  answers.verdict(kind);
}

let boards = [], drawn = {};

function draw(found) {
  $("title").textContent = found.title;
  document.title = `${found.title} · puzzlekit`;
  clues = found.clues && {field: found.clues.field, at: new Map(found.clues.cells.map(([row, column, ...place]) => [`${row},${column}`, place]))};
  [boards, drawn] = [found.boards, found.signs];
  $("play").classList.remove("stale");
  [about, beside] = [found.about, found.beside];
  remount(found.game);
}

let about = "", beside = "", carried = false;  // whether the next board keeps what is entered

function remount(game) {
  const held = carried ? board?.own : undefined, at = carried ? board?.at : undefined;
  board?.end();
  const root = element("div", {class: "play"}), frame = element("div", {class: "boards"}, ...boards.map(boardOf));
  root.append(about ? element("details", {open: carried && $("play").querySelector("details")?.open}, element("summary", {}, "Rules"), element("p", {}, about)) : "", frame,
    beside ? element("pre", {class: "beside"}, beside) : "", signs(drawn));
  $("play").replaceChildren(root);
  board = mount(root, game, {
    storage, keyboard: root, state: held, at, undo, redo, check: () => answers.check(),
    changed: () => { answers.moved(); past.push("board"); future = []; last.editor = null; history(); },
    ...(clues && {clue: writeClue, clueAt}),
  });
}

const kept = [];
const storage = {  // what is entered on the last boards is kept over a reload, for this tab alone
  getItem: (name) => ofTab.getItem(name),
  setItem(name, text) {
    ofTab.setItem(name, text);
    if (!kept.includes(name)) kept.push(name);
    while (kept.length > 30) ofTab.removeItem(kept.shift());
  },
};

function blank() {
  board?.end();
  board = null;
  clues = null;
  shown = "";
  wrong([]);
  verdict("", "");
  $("title").textContent = "";
  $("actions").disabled = true;
  if (opening) return $("play").replaceChildren(element("p", {class: "blank"}, "Opening…"));
  $("play").replaceChildren(element("div", {class: "blank"}, element("p", {}, "Choose a type with an example, or write one."),
    element("div", {class: "group"}, button("All types", types, {class: "first"}), button("A new type", begin))));
}

// ---- texts that came by a link -----------------------------------------------------------------------------------------

function stranger() {
  board?.end();
  board = null;
  clues = null;
  wrong([]);
  verdict("", "");
  $("title").textContent = titleOf(texts());
  $("actions").disabled = true;
  const run = () => {
    waiting = false;
    before = moment();
    window.history.replaceState(null, "", location.pathname);
    later(0);
  };
  $("play").replaceChildren(element("div", {class: "blank"}, element("p", {}, "This type and this spec came by a link. Whoever made it wrote the rules: read them if you like, and then run them."),
    element("div", {class: "group"}, button("Run them", run, {class: "first"}), button("Begin empty", () => replace({type: {text: ""}, spec: {text: ""}})))));
}

async function received() {  // opens the texts that the address carries; gives whether it does
  let given;
  try {
    given = await disk.carried(location.hash.slice(1));
  } catch (error) {
    notOpened(error);
    return true;
  }
  if (!given) return false;
  brought++;
  opening = false;
  replace({type: {text: given.type}, spec: {text: given.spec}}, true);
  return true;
}

// ---- the texts follow the board: clues ------------------------------------------------------------------------------

const place = (row, column) => clues?.at.get(`${row},${column}`);

function clueAt(row, column) {
  const [line, start, length] = place(row, column) ?? [0, 0, 0], text = editors.spec.text.split("\n")[line]?.slice(start, start + length) ?? "";
  return text === "." ? "" : text;
}

let typed = {at: "", text: "", time: 0};

function writeClue(row, column, text) {
  const found = place(row, column), at = `${row},${column}`, now = performance.now();
  if (!found) return;
  const single = ![...clues.at.values()].some(([, , length]) => length > 1) && !/\S \S/.test(editors.spec.text.split("\n")[found[0]]);
  const longer = text && !single && typed.at === at && now - typed.time < 1500 && /^\d+$/.test(typed.text + text) ? typed.text + text : text;
  typed = {at, text: longer, time: now};
  const [line, start, length] = found, written = (single ? longer.slice(0, 1) : longer).replace(/\s/g, "") || ".";
  editors.spec.write(line, start, length, written);
  for (const [, other] of clues.at) if (other[0] === line && other[1] > start) other[1] += written.length - length;
  found[2] = written.length;
}

function follow(editor) {  // the cell that the caret stands at
  if (editor !== editors.spec || !clues) return board?.spot();
  const [line, column] = editor.place();
  const cell = [...clues.at].find(([, [own, start, length]]) => own === line && column >= start && column < start + length);
  board?.spot(...(cell ? cell[0].split(",").map(Number) : []));
}

// ---- drafts ---------------------------------------------------------------------------------------------------------

function leave() {  // what is not saved stays in its draft when something else is opened
  $("draft").hidden = true;
  if (unsaved()) drafts.fresh();
}

function openDraft(draft) {
  const given = structuredClone(draft.texts);
  if (draft.folder?.id !== folder?.id) for (const text of Object.values(given)) text.origin = none();  // its files are elsewhere
  leave();
  drafts.take(draft);
  put(given);
}

const when = (time) => new Date(time).toLocaleString([], {dateStyle: "medium", timeStyle: "short"});

async function returning() {  // the last draft of this folder comes back, unless something is opened meanwhile
  const own = brought, list = (await drafts.list()).filter((draft) => draft.folder?.id === folder?.id);
  if (!list.length || own !== brought || past.length) return;
  openDraft(list[0]);
  past = [];
  history();
  const others = list.length > 1 ? [" ", button(`${list.length - 1} more`, files)] : [];
  $("draft").replaceChildren(`Not saved: your texts of ${when(list[0].at)}. `, button("Begin empty", () => replace({type: {text: ""}, spec: {text: ""}})), ...others);
  $("draft").hidden = false;
}

async function draftsList() {  // those that no page has open
  const list = await drafts.list().catch(() => []);
  if (!list.length) return [];
  const rows = list.map((draft) => {
    const from = draft.folder && draft.folder.id !== folder?.id ? `, in ${draft.folder.name}` : "";
    const row = element("li", {}, button(visible(draft.title), () => { $("ask").close(); openDraft(draft); }, {class: "plain"}), element("span", {class: "time"}, `${when(draft.at)}${from} `),
      button("Delete", async () => { await drafts.remove(draft); row.remove(); }, {"aria-label": `Delete the draft ${draft.title}`}));
    return row;
  });
  return [element("h3", {}, "Not saved"), element("ul", {class: "names"}, ...rows)];
}

// ---- what may be written --------------------------------------------------------------------------------------------

let schemas = {type: null, of: Promise.resolve(null)};

async function schema(editor) {  // the JSON Schema of a text; that of specs follows from the type
  const {type} = texts();
  if (waiting) return {};
  if (schemas.type !== type) schemas = {type, of: ask("schema", {type}).catch(() => null)};
  return (await schemas.of)?.[editor === editors.type ? "type" : "spec"] ?? {};
}

// ---- types, files, links --------------------------------------------------------------------------------------------

const types = () => showTypes(open);

let brought = 0, opening = false;  // how often texts were asked for, and whether they are on their way

async function bring(question, given) {  // the texts of an answer: of the last one, if two are on their way
  const own = ++brought;
  opening = true;
  try {
    const {type, spec} = await ask(question, given);
    if (own === brought) replace({type: shipped(type), spec: shipped(spec)});
  } catch (error) {
    if (own === brought) notOpened(error);
  }
  if (own !== brought) return;
  opening = false;
  later(0);
}

// Not as the verdict, which is about the texts that are still there.
const notOpened = ({message}) => dialog("Not opened", [element("p", {}, capital(message))], [["Close", null]]);

const shipped = (text) => ({text, origin: {...none(), saved: text}});  // which can be opened again as it is

const open = (name, example) => bring("example", {name, example});

async function begin() {
  await bring("new");
  view("type");
}

async function files() {
  const [{folder: own, names}, kept] = await Promise.all([disk.list(), draftsList()]);
  const list = element("ul", {class: "names"}, ...names.map((name) => element("li", {}, button(visible(name), async () => {
    $("ask").close();
    try { await openFile(name); } catch (error) { notOpened(error); }
  }, {class: "plain"}))));
  const empty = disk.choose ? element("p", {}, "A type, a spec, or both, from your machine. They are read here, and sent nowhere.") : element("p", {}, "There is no YAML file in this folder yet.");
  const others = disk.choose ? [["Choose files", async () => openTexts(await disk.choose())]] : [];
  dialog(`Files of ${own.name}`, [...kept, names.length ? list : empty], [...others, ["Close", null]]);
}

const fromFile = ({name, text, version}, origin = none()) => ({text, origin: Object.assign(origin, {file: name, version, saved: text})});

async function openFile(name) {
  const read = await disk.read(name), found = await ask("opened", {text: read.text, name});
  const own = fromFile(read);
  if (!found.spec) return replace({type: own});
  const beside = found.file ? await disk.read(found.file) : null;
  const kind = beside ? fromFile(beside) : shipped(found.type ?? "");
  replace({spec: own, ...(found.type === null ? {} : {type: kind})});
}

async function openTexts(files) {  // a spec, a type, or one of each
  const given = {};
  for (const file of files) {
    const found = await ask("opened", {text: file.text, name: file.name}), origin = {...none(), file: file.name, saved: file.text};
    if (!found.spec) given.type = {text: file.text, origin};
    else given.spec = {text: file.text, origin};
    if (found.spec && found.type !== null) given.type ??= shipped(found.type);
  }
  if (files.length) replace(given);
}

function link() {
  const text = element("textarea", {rows: 4, "aria-label": "A link or the text of a file"});
  dialog("Open a link", [element("p", {}, "A link of puzz.link, Penpa, f-puzzles or another page, or the text of a type or spec."), text], [["Open", async () => {
    const {type, spec} = await ask("opened", {text: text.value});
    replace({...(type === null ? {} : {type: {text: type}}), ...(spec && {spec: {text: spec, origin: none()}})});
  }], ["Cancel", null]]);
}

function save(editor) {
  if (editor.file) return store(editor, editor.file, editor.origin.version).catch((error) => clash(editor, error));
  const suggested = editor.text.match(/^puzzle:\s*([\w-]+)/m)?.[1] ?? "puzzle";
  const name = element("input", {type: "text", value: `${suggested}${editor === editors.spec ? "-spec" : ""}.yaml`, "aria-label": "Name"});
  dialog("Save", [element("label", {}, "Name ", name)], [["Save", () => store(editor, name.value.trim(), null)], ["Cancel", null]]);
}

async function store(editor, name, version) {
  const text = editor.text, done = await disk.save(name, text, version);
  fromFile({name, text, version: done.version}, editor.origin);
  editor.comes(editor.origin);
  later();
}

function clash(editor, error) {
  if (error.status !== 409) return dialog("Not saved", [element("p", {}, error.message), ...(error.help ? [element("p", {class: "tip"}, error.help)] : [])], [["Close", null]]);
  return dialog("Not saved", [element("p", {}, `${error.message}. Your text is still here.`)], [
    ["Keep writing", null], ["Read it again", () => reload(editor)],
    ["Save over it", async () => store(editor, editor.file, (await disk.versions([editor.file]))[editor.file])]]);
}

async function reload(editor) {
  replace({[editor === editors.spec ? "spec" : "type"]: fromFile(await disk.read(editor.file), editor.origin)});
}

setInterval(async () => {
  const open = Object.values(editors).filter((editor) => editor.file);
  if (!open.length || document.hidden) return;
  const versions = await disk.versions(open.map((editor) => editor.file)).catch(() => ({}));
  for (const editor of open) if (editor.file in versions) editor.notice.hidden = versions[editor.file] === editor.origin.version;
}, LOOK);

// ---- the beginning --------------------------------------------------------------------------------------------------

function view(name) {
  document.body.dataset.view = name;
  for (const one of $("views").children) one.setAttribute("aria-pressed", one.dataset.view === name);
}

const answers = new Answers({texts, board: () => board, generated: (spec) => replace({spec: {text: spec}})});
document.querySelectorAll(".split").forEach(splitter);
$("open-types").addEventListener("click", types);
$("open-files").addEventListener("click", files);
$("open-link").addEventListener("click", link);
$("open-new").addEventListener("click", begin);
$("undo").addEventListener("click", undo);
$("redo").addEventListener("click", redo);
$("views").addEventListener("click", (event) => event.target.dataset.view && view(event.target.dataset.view));
addEventListener("beforeunload", (event) => { if (Object.values(editors).some((editor) => editor.dirty) || (unsaved() && !drafts.kept)) event.preventDefault(); });
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const action = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" ? redo : key === "s" ? () => save(editors.type.focused ? editors.type : editors.spec) : null;
  if (!action) return;
  event.preventDefault();
  action();
});

async function named() {  // opens what the address names, once: a reload keeps what was written since
  if (await received()) return;
  const [name, example = ""] = location.hash.slice(1).split("/");
  if (!name) return;
  if (name === "new") begin();
  else open(name, example);
  window.history.replaceState(null, "", location.pathname);
}

async function beginning() {
  const stored = ofTab.getItem(BEGUN), isNamed = location.hash.length > 1;
  if (stored) set(JSON.parse(stored));
  await named();
  later(0);
  ({folder} = await disk.list().catch(() => ({folder: null})));
  try {
    if (stored) return await drafts.begin();
    if (!isNamed) await returning();
  } catch {
    $("trouble").hidden = false;
  }
}

addEventListener("hashchange", named);
beginning();

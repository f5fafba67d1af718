// The questions about the puzzle, and their answers: each is a card, which can be stopped while it is open.
import {ask} from "./ask.js";
import {linkTo} from "./files.js";
import {$, button, dialog, download, element} from "./parts.js";
import {phrased} from "./phrases.js";
import {shapes, source} from "./svg.js";

const MOST = 8;  // cards
const overlays = ({drawn}) => drawn.map((elements) => shapes(elements.join("")));  // what stands over each board
const phone = matchMedia("(max-width: 860px)");  // as in serve.css
const LONG = 60, LONGEST = 600;  // seconds

export class Answers {
  constructor({texts, board, generated}) {
    Object.assign(this, {texts, board, generated});
    const group = (label, ...names) => element("div", {class: "group", role: "group", "aria-label": label},
      ...names.map(([text, action, attributes]) => button(text, action, attributes)));
    this.reason = button("Why?", () => this.why());
    $("actions").append(
      group("Solutions", ["Solve", () => this.solve(), {class: "first"}], ["Count", () => this.count()], ["Shared", () => this.shared(), {title: "what all solutions share"}]),
      group("Help", ["Hint", () => this.hint()], ["Explain", () => this.explain()]),
      group("The puzzle", ["Make another", () => this.make()], ["Rate", () => this.rate()]),
      group("Give away", ["Picture", () => this.picture()], ["Links", () => this.link()], ["YAML", () => this.yaml(), {title: "download the texts"}]));
    $("actions").children[1].append(this.reason);
  }

  verdict(found) {  // the label of the button says what would be told
    this.reason.textContent = {none: "Why none?", several: "What decides?"}[found] ?? "Why?";
    this.reason.title = {none: "which rules and clues clash", several: "where two solutions differ, and a clue that would decide"}[found] ?? "";
  }

  old() {  // the texts have changed: the board is again what it was before an explanation
    this.settle?.();
    for (const card of $("answers").children) card.classList.add("old");
  }

  moved() { for (const card of $("answers").querySelectorAll("[aria-label=Check]")) card.classList.add("old"); }  // the board has changed

  clear(which = "article") { for (const card of [...$("answers").querySelectorAll(which)]) card.querySelector(".head .plain").click(); }  // another type is opened

  // Asks, and shows how long that takes, with a button to stop; gives the body of the card and the answer. If the time is up,
  // that is what comes when it is asked again.
  async card(name, question, given = {}, {seconds = LONG, progress, closed} = {}) {
    if (phone.matches) this.clear("article:not(:has(.stop))");  // there is room for one beside the board
    const body = element("div", {class: "body"}), time = element("span", {class: "time"}), began = performance.now();
    const end = button("×", () => { asked.stop(); clearInterval(ticking); card.remove(); closed?.(); }, {"aria-label": `Close: ${name}`, class: "plain"});
    const stop = button("Stop", () => asked.stop(), {class: "stop"});
    const card = element("article", {class: "card-answer", "aria-label": name}, element("div", {class: "head"}, element("h3", {}, name), time, stop, end), body);
    const ticking = setInterval(() => { time.textContent = `${((performance.now() - began) / 1000).toFixed(1)} s`; }, 200);
    $("answers").prepend(card);
    if (phone.matches) document.querySelector("#play .boards")?.scrollIntoView({block: "start"});
    [...$("answers").children].slice(MOST).forEach((other) => other.querySelector(".plain").click());
    const asked = ask(question, {...this.texts(), board: this.board()?.now, ...given}, {seconds, progress: (found) => progress?.(found, body)});
    let late = false;
    try {
      return {body, answer: await asked};
    } catch (error) {
      body.append(element("p", {class: "wrong"}, capital(error.message)));
      if (error.help) body.append(element("p", {class: "tip"}, error.help));
      late = error.message.includes("the time is up") && seconds < LONGEST;
    } finally {
      clearInterval(ticking);
      stop.remove();
    }
    if (!late) return {body, answer: null};
    await new Promise((again) => body.append(button("Ask again, for ten minutes", again)));
    end.click();
    return this.card(name, question, given, {seconds: LONGEST, progress, closed});
  }

  said(body, text) { for (const line of text.split("\n")) body.append(element("p", {}, line)); }

  step(step) { return phrased(step, (squares) => this.board()?.glow(squares)); }

  offer(body, {moves, notes = []}, text = "Enter it") {
    if (moves.length || notes.length) body.append(button(text, (event) => { this.board()?.moves(moves, notes); event.target.remove(); }));
  }

  light(answer) {
    if (answer.drawn) this.board()?.light(overlays(answer));
    this.look();
  }

  look() {  // what is new on the board stands above the answer, or beside it
    const place = document.querySelector("#play .lit.new") ?? document.querySelector("#play .lit"), frame = $("work").parentElement;
    if (!phone.matches || !place) return;
    const {top, bottom} = place.getBoundingClientRect(), room = frame.getBoundingClientRect(), sheet = $("answers").getBoundingClientRect();
    const to = sheet.left > room.left + 1 ? room.bottom : sheet.top;
    if (top < room.top) frame.scrollBy(0, top - room.top);
    else if (bottom > to) frame.scrollBy(0, Math.min(bottom - to, top - room.top));
  }

  async solve() {
    const found = element("span");
    const {body, answer} = await this.card("Solve", "solve", {}, {progress: (so, body) => { body.replaceChildren(found); found.textContent = `${so.found} found so far`; }});
    if (!answer) return;
    const {boards, pictures, text} = answer, count = boards.length;
    body.replaceChildren(element("p", {}, text));
    if (!count) return;
    const show = (n) => {
      at = (n + count) % count;
      place.textContent = `${at + 1} of ${count}`;
      const playable = boards[at].length && boards[at].some((own) => own.length);
      if (playable) this.board()?.enter(boards[at]);
      picture.src = source(pictures[Math.min(at, pictures.length - 1)]);
      picture.hidden = playable || pictures.length <= at;
    };
    let at = 0;
    const place = element("span", {class: "time"}), picture = element("img", {alt: "The solution", class: "solution"});
    if (count > 1) body.append(element("div", {class: "group"}, button("‹", () => show(at - 1), {"aria-label": "The solution before"}), place, button("›", () => show(at + 1), {"aria-label": "The next solution"})));
    body.append(picture);
    show(0);
  }

  async count() {
    const {body, answer} = await this.card("Count", "count");
    if (answer) this.said(body, answer.count === 0 ? "No solution." : answer.count === 1 ? "One solution." : `${answer.count.toLocaleString("en")} solutions.`);
  }

  async shared() {
    const {body, answer} = await this.card("Shared by all solutions", "shared");
    if (!answer) return;
    this.said(body, answer.text);
    if (answer.board) this.board()?.enter(answer.board);
  }

  async check() {
    const {body, answer} = await this.card("Check", "check");
    if (!answer) return;
    this.said(body, answer.text);
    this.light(answer);
  }

  async hint() {
    const {body, answer} = await this.card("Hint", "hint");
    if (!answer) return;
    const whole = () => {
      body.replaceChildren(element("p", {}, this.step(answer)));
      this.light(answer);
      this.offer(body, answer);
    };
    if (!answer.where) return whole();
    const degree = (text, next, action) => {
      body.replaceChildren();
      this.said(body, text);
      body.append(button(next, action));
      body.lastChild.focus({preventScroll: true});
    };
    degree(answer.where, "Show the pattern", () => degree(answer.pattern, "Show the step", whole));
  }

  async explain() {
    const board = this.board(), copy = () => board && JSON.parse(JSON.stringify(board.now)), steps = [], list = element("ol", {class: "steps", "aria-live": "off"});
    const heard = element("p", {class: "heard"});  // the step alone, not all that arrive
    let start = copy(), closing = start, at = -1;  // the board before the first step, and that when the card is closed
    const named = (n) => button(steps[n].text, () => show(n), {class: "plain"});
    const show = (n) => {
      if (n < 0 || n >= steps.length) return;
      list.children[at]?.replaceChildren(named(at));
      at = n;
      heard.textContent = `${n + 1}. ${steps[n].text}`;
      list.children[at].replaceChildren(element("div", {class: "plain", tabindex: 0, "aria-current": "step"}, this.step(steps[n])));
      list.scrollTop = list.children[at].offsetTop - list.offsetTop;  // only the list, not the board away
      if (this.board() !== board || !board) return;
      board.present(start, steps.slice(0, at + 1).flatMap((step) => step.moves));
      board.light(overlays(steps[at]));
      this.look();
    };
    const settle = () => {
      if (board && this.board() === board && steps.length) { board.present(closing, []); board.light([]); }
    };
    const closed = () => {
      settle();
      steps.length = 0;
      at = -1;
      list.replaceChildren();
    };
    this.settle = settle;
    const progress = ({step, start: empty}, body) => {
      if (empty) {
        body.append(element("p", {}, "A solution is on the board, so the steps begin with an empty one."));
        if (board && this.board() === board) board.enter(empty);
        start = copy();
        return;
      }
      if (!steps.length) {
        const keep = () => { closing = copy(); };
        body.append(list, heard);
        body.previousSibling.querySelector("h3").after(element("div", {class: "group"}, button("‹", () => show(at - 1), {"aria-label": "The step before"}),
          button("›", () => show(at + 1), {"aria-label": "The next step"}), button("Keep", keep, {title: "keep this board when the card is closed"})));
      }
      steps.push(step);
      const n = steps.length - 1;
      list.append(element("li", {}, named(n)));
      if (!n) show(0);
    };
    const {body, answer} = await this.card("Explain", "explain", {solved: board?.solved}, {progress, closed});
    list.addEventListener("keydown", (event) => {
      const by = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}[event.key];
      if (!by) return;
      event.preventDefault();
      show(at + by);
      list.children[at].firstChild.focus();
    });
    if (!answer) return;
    this.said(body, `${steps.length} step${steps.length === 1 ? "" : "s"}. ${answer.text}`);
    if (steps.length) steps.at(-1).moves.push(...answer.moves);
    else this.offer(body, answer);
    if (steps.length && at === steps.length - 1) show(at);
  }

  async why() {
    const {body, answer} = await this.card(this.reason.textContent, "why");
    if (!answer) return;
    this.said(body, answer.text);
    this.light(answer);
    this.offer(body, answer, "Enter the deciding value");
  }

  async rate() {
    const {body, answer} = await this.card("Rate", "rate");
    if (!answer) return;
    const ends = {stuck: " There are several solutions.", unsatisfiable: " There is no solution.", running: " The time was up before the end."}[answer.status] ?? "";
    const level = answer.text ? `${answer.text[0].toUpperCase()}${answer.text.slice(1)}. ` : "";
    this.said(body, `${level}Score ${answer.score}.${ends}`);
  }

  make() {
    const level = element("select", {"aria-label": "Level"}, ...[["", "any level"], ["easy", "easy"], ["medium", "medium"], ["hard", "hard"], ["expert", "expert"], ["extreme", "extreme"]].map(([value, text]) => element("option", {value}, text)));
    dialog("Make another", [element("p", {}, "A new puzzle with one solution: new clues, and all other fields as they are. Undo brings this one back."), element("label", {}, "Level ", level)],
      [["Make", () => { this.made(level.value); }], ["Cancel", null]]);
  }

  async made(level) {
    const {body, answer} = await this.card("Make another", "generate", {level});
    if (!answer) return;
    this.generated(answer.spec);
    this.said(body, "Here it is.");
  }

  picture() {
    const solved = element("input", {type: "checkbox"});
    const give = (form) => async () => {
      const {data, name} = await ask("picture", {...this.texts(), form, solved: solved.checked}, {seconds: LONG});
      download(name, Uint8Array.from(atob(data), (character) => character.charCodeAt(0)), {svg: "image/svg+xml", png: "image/png", pdf: "application/pdf"}[form]);
    };
    dialog("Picture", [element("label", {}, solved, " with a solution")], [["SVG", give("svg")], ["PNG", give("png")], ["PDF", give("pdf")], ["Cancel", null]]);
  }

  async link() {
    const {body, answer} = await this.card("Links", "link", {}, {seconds: 10});
    if (!answer) return;
    const links = Object.entries(answer.links).filter(([, address]) => address.startsWith("https://"));
    const copy = (address) => button("Copy", (event) => navigator.clipboard.writeText(address).then(() => { event.target.textContent = "Copied"; }));
    if (linkTo) {
      const address = await linkTo(this.texts());
      body.append(element("p", {}, element("a", {href: address, target: "_blank", rel: "noopener"}, "This page, with this type and this spec"), " ", copy(address)));
    }
    if (!links.length) this.said(body, "No page of another program knows the rules of this type.");
    for (const [host, address] of links) body.append(element("p", {},
      element("a", {href: address, target: "_blank", rel: "noreferrer noopener"}, `Open at ${host}`), " ", copy(address)));
  }

  yaml() {
    const {type, spec} = this.texts();
    const name = spec.match(/^puzzle:\s*([\w-]+)/m)?.[1] ?? type.match(/^puzzle:\s*([\w-]+)/m)?.[1] ?? "puzzle";
    dialog("Download", [element("p", {}, "The texts as they are, as files.")],
      [["Spec", () => download(`${name}-spec.yaml`, spec, "text/yaml")], ["Type", () => download(`${name}.yaml`, type, "text/yaml")], ["Cancel", null]]);
  }
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

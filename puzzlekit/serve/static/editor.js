// A text with line numbers, with what is wrong at its lines.
import {button, element} from "./parts.js";

const LINE = 20;  // pixels, as in serve.css

// What a text comes from: a file, with its version and text as they were last read or saved. All states of the history that
// come from one file share the object, so that after an undo it is that of now.
export const none = () => ({file: null, version: null, saved: ""});

export class Editor {
  constructor(pane, name, {changed, caret, save, reload}) {
    Object.assign(this, {name, changed, origin: none()});
    this.numbers = element("div", {class: "numbers", "aria-hidden": "true"});
    this.bands = element("div", {class: "bands", "aria-hidden": "true"});
    this.area = element("textarea", {
      "aria-label": name, "aria-describedby": `problems-${name}`, wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      oninput: () => this.touched(), onscroll: () => this.scrolled(), onkeydown: (event) => this.pressed(event),
    });
    this.problems = element("ol", {class: "problems", id: `problems-${name}`, role: "status"});
    this.label = element("span", {class: "file"});
    this.notice = element("p", {class: "notice", role: "alert", hidden: true}, "This file has changed on the disk. ", button("Read it again", () => reload(this)));
    pane.append(
      element("div", {class: "head"}, element("h2", {}, name), this.label, button("Save", () => save(this), {"aria-label": `Save the ${name.toLowerCase()}`})),
      this.notice, element("div", {class: "field"}, this.numbers, element("div", {class: "text-area"}, this.bands, this.area)), this.problems);
    document.addEventListener("selectionchange", () => { if (document.activeElement === this.area) caret(this); });
    this.show();
  }

  get text() { return this.area.value; }
  set text(text) {
    const old = this.text, most = Math.min(old.length, text.length), {scrollTop} = this.area;
    if (text === old) return;
    let start = 0, end = 0;  // how many characters are the same at the start and at the end
    while (start < most && old[start] === text[start]) start++;
    while (end < most - start && old.at(-1 - end) === text.at(-1 - end)) end++;
    this.area.value = text;
    this.area.setSelectionRange(text.length - end, text.length - end);
    this.area.scrollTop = scrollTop;
    this.show();
  }

  get file() { return this.origin.file; }
  get unsaved() { return this.text.trim() !== "" && this.text !== this.origin.saved; }
  get dirty() { return this.file !== null && this.text !== this.origin.saved; }

  comes(origin) {
    this.origin = origin;
    this.notice.hidden = true;
    this.show();
  }

  touched() {
    this.show();
    this.changed(this);
  }

  show() {
    const count = this.text.split("\n").length;
    if (this.numbers.childElementCount !== count) this.numbers.replaceChildren(...Array.from({length: count}, (_, n) => element("span", {}, n + 1)));
    this.label.textContent = this.file ? `${this.file}${this.dirty ? " · not saved" : ""}` : "";
    this.scrolled();
  }

  scrolled() {
    const {scrollTop, scrollLeft} = this.area;
    this.numbers.style.translate = `0 ${-scrollTop}px`;
    this.bands.style.translate = `${-scrollLeft}px ${-scrollTop}px`;
  }

  wrong(problems) {  // those of this text, and those without a place
    [...this.numbers.children].forEach((number) => number.classList.remove("bad"));
    this.bands.replaceChildren();
    for (const {line} of problems) if (line) {
      this.numbers.children[line - 1]?.classList.add("bad");
      const band = element("div", {class: "band"});
      band.style.top = `${(line - 1) * LINE}px`;
      this.bands.append(band);
    }
    this.problems.replaceChildren(...problems.slice(0, 20).map(({line, column, message, help}) => element("li", {},
      line ? button(`Line ${line}`, () => this.goto(line, column), {class: "plain"}) : null,
      element("span", {}, ` ${message}`), help ? element("span", {class: "tip"}, help) : null)));
    this.area.setAttribute("aria-invalid", problems.length > 0);
    this.scrolled();
  }

  at(line, column) {  // the index of a place, both from 0
    return this.text.split("\n").slice(0, line).reduce((sum, text) => sum + text.length + 1, 0) + column;
  }

  goto(line, column) {
    const start = this.at(line - 1, Math.max(0, column - 1));
    this.area.focus();
    this.area.setSelectionRange(start, start);
    this.area.scrollTop = Math.max(0, (line - 4) * LINE);
  }

  place() {  // of the caret: line and column from 0
    const before = this.text.slice(0, this.area.selectionStart).split("\n");
    return [before.length - 1, before.at(-1).length];
  }

  write(line, column, length, text) {
    const start = this.at(line, column);
    this.text = this.text.slice(0, start) + text + this.text.slice(start + length);
    this.changed(this);
  }

  pressed(event) {  // a new line begins where the last one does, deeper after a colon
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    const line = this.text.slice(0, this.area.selectionStart).split("\n").at(-1), indent = line.match(/^\s*/)[0];
    document.execCommand("insertText", false, `\n${indent}${/:\s*[|>]?\s*$/.test(line) ? "  " : ""}`);
  }
}

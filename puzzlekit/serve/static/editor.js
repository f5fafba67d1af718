// A text with colours, line numbers and completion, with what is wrong at its lines.
import {
  Annotation, EditorView, HighlightStyle, autocompletion, bracketMatching, completionKeymap, defaultKeymap, drawSelection,
  highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, indentOnInput, indentUnit, keymap,
  lineNumbers, lintGutter, search, searchKeymap, setDiagnostics, syntaxHighlighting, tags, yaml,
} from "./codemirror.js";
import {complete} from "./completion.js";
import {button, element} from "./parts.js";

const MOST = 20;  // problems in the list below the text
const outside = Annotation.define();  // of a change that nobody has typed

// What a text comes from: a file, with its version and text as they were last read or saved. All states of the history that
// come from one file share the object, so that after an undo it is that of now.
export const none = () => ({file: null, version: null, saved: ""});

const COLOURS = syntaxHighlighting(HighlightStyle.define([
  {tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--key)", fontWeight: "600"},
  {tag: [tags.string, tags.special(tags.string)], color: "var(--right)"},
  {tag: tags.comment, color: "var(--faint)", fontStyle: "italic"},
  {tag: [tags.keyword, tags.labelName, tags.typeName, tags.meta], color: "var(--some)"},
  {tag: [tags.punctuation, tags.separator, tags.bracket], color: "var(--faint)"},
]));

// Tab is free, so that the keyboard leads out of the text; Ctrl+] and Ctrl+[ move lines to the right and back.
const COMMON = [
  lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), highlightSpecialChars(), drawSelection(), indentUnit.of("  "), indentOnInput(),
  bracketMatching(), highlightSelectionMatches(), search({top: true}), yaml(), COLOURS, lintGutter(),
  keymap.of([...completionKeymap, ...searchKeymap, ...defaultKeymap]),
  EditorView.cspNonce.of(document.querySelector("meta[name=nonce]").content),
];

export class Editor {
  constructor(pane, name, {changed, caret, save, reload, schema}) {
    Object.assign(this, {name, changed, origin: none(), invalid: false});
    const field = element("div", {class: "field"});
    this.view = new EditorView({parent: field, extensions: [
      COMMON,
      autocompletion({override: [async (context) => complete(context, await schema(this))]}),
      EditorView.contentAttributes.of(() => ({
        "aria-label": name, "aria-describedby": `problems-${name}`, "aria-invalid": String(this.invalid), autocapitalize: "off", spellcheck: "false",
      })),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.show();
        if (update.docChanged && !update.transactions.some((one) => one.annotation(outside))) this.changed(this);
        if ((update.selectionSet || update.focusChanged) && update.view.hasFocus) caret(this);
      }),
    ]});
    this.problems = element("ol", {class: "problems", id: `problems-${name}`, role: "status"});
    this.label = element("span", {class: "file"});
    this.notice = element("p", {class: "banner", role: "alert", hidden: true}, "This file has changed on the disk. ", button("Read it again", () => reload(this)));
    pane.append(
      element("div", {class: "head"}, element("h2", {}, name), this.label, button("Save", () => save(this), {"aria-label": `Save the ${name.toLowerCase()}`})),
      this.notice, field, this.problems);
    this.show();
  }

  get doc() { return this.view.state.doc; }

  get text() {
    if (this.read?.doc !== this.doc) this.read = {doc: this.doc, text: this.doc.toString()};
    return this.read.text;
  }

  set text(text) {  // what is the same at the start and at the end stays, and so does the caret there
    const old = this.text, most = Math.min(old.length, text.length);
    if (text === old) return;
    let start = 0, end = 0;
    while (start < most && old[start] === text[start]) start++;
    while (end < most - start && old.at(-1 - end) === text.at(-1 - end)) end++;
    this.view.dispatch({changes: {from: start, to: old.length - end, insert: text.slice(start, text.length - end)}, annotations: outside.of(true)});
  }

  get focused() { return this.view.hasFocus; }
  get file() { return this.origin.file; }
  get unsaved() { return this.text.trim() !== "" && this.text !== this.origin.saved; }
  get dirty() { return this.file !== null && this.text !== this.origin.saved; }

  comes(origin) {
    this.origin = origin;
    this.notice.hidden = true;
    this.show();
  }

  show() {
    this.label.textContent = this.file ? `${this.file}${this.dirty ? " · not saved" : ""}` : "";
  }

  wrong(problems) {  // those of this text, and those without a place
    this.invalid = problems.length > 0;
    const diagnostics = problems.filter(({line}) => line > 0 && line <= this.doc.lines).map(({line, column, message, help}) => {
      const {from, to} = this.doc.line(line), start = Math.min(to, from + Math.max(0, column - 1));
      return {from: start === to ? from : start, to, severity: "error", message: help ? `${message}\n${help}` : message};
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics.sort((one, other) => one.from - other.from)));
    this.problems.replaceChildren(...problems.slice(0, MOST).map(({line, column, message, help}) => element("li", {},
      line ? button(`Line ${line}`, () => this.goto(line, column), {class: "plain"}) : null,
      element("span", {}, ` ${message}`), help ? element("span", {class: "tip"}, help) : null)));
  }

  at(line, column) {  // the index of a place, both from 0
    const {from, to} = this.doc.line(Math.min(line + 1, this.doc.lines));
    return Math.min(to, from + column);
  }

  goto(line, column) {
    const anchor = this.at(line - 1, Math.max(0, column - 1));
    this.view.dispatch({selection: {anchor}, effects: EditorView.scrollIntoView(anchor, {y: "center"})});
    this.view.focus();
  }

  place() {  // of the caret: line and column from 0
    const {head} = this.view.state.selection.main, line = this.doc.lineAt(head);
    return [line.number - 1, head - line.from];
  }

  write(line, column, length, text) {
    const from = this.at(line, column);
    this.view.dispatch({changes: {from, to: this.at(line, column + length), insert: text}});
  }
}

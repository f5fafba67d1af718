// What puzzlekit/serve/static/editor.js takes from CodeMirror.
export {autocompletion, completionKeymap} from "@codemirror/autocomplete";
export {defaultKeymap} from "@codemirror/commands";
export {yaml} from "@codemirror/lang-yaml";
export {HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting} from "@codemirror/language";
export {lintGutter, setDiagnostics} from "@codemirror/lint";
export {highlightSelectionMatches, search, searchKeymap} from "@codemirror/search";
export {Annotation} from "@codemirror/state";
export {EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers} from "@codemirror/view";
export {tags} from "@lezer/highlight";

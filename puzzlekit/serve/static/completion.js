// Completion of YAML from a JSON Schema: the keys of the mapping that the caret is in, and the texts that a key may have.

const KEY = /^(\s*(?:- +)*)([^\s#:[\]{},"'][^#:]*?):(?:\s|$)/;  // the blanks and dashes before a key, and the key
const UP = 2000;  // lines that are looked at for the keys around the caret

// Gives the keys that lead to a line whose text begins at a column; `[]` stands for the items of a list. Null within a text
// of several lines.
function pathTo(text, number, dashes) {
  const path = [];
  let column = dashes.length;
  const enter = (before) => {  // a key at the first column of an item
    if (!before.includes("-")) return;
    path.unshift("[]");
    column = before.indexOf("-") + 1;
  };
  enter(dashes);
  for (let n = number - 1; n > 0 && n > number - UP && column > 0; n--) {
    const line = text.line(n).text, match = line.match(KEY), [, before = "", key = ""] = match ?? [];
    const indent = match ? before.length : line.search(/\S/);
    if (indent < 0 || line.trimStart().startsWith("#")) continue;
    if (match && indent === column) enter(before);
    else if (match && indent < column) {
      if (/[|>][-+\d]*\s*$/.test(line)) return null;
      path.unshift(key);
      column = indent;
      enter(before);
    }
  }
  return path;
}

function forms(schema) {  // a schema and its alternatives
  if (!schema || typeof schema !== "object") return [];
  const alternatives = [...schema.anyOf ?? [], ...schema.oneOf ?? [], ...schema.allOf ?? []];
  return [schema, ...alternatives.flatMap(forms)];
}

function below(schema, path) {
  let schemas = forms(schema);
  for (const key of path) {
    schemas = schemas.flatMap((own) => forms(key === "[]" ? own.items : own.properties?.[key] ?? own.additionalProperties));
  }
  return schemas;
}

function keysBeside(text, number, column) {  // the other keys of the mapping
  const keys = new Set();
  for (const step of [-1, 1]) {
    for (let n = number + step; n > 0 && n <= text.lines && Math.abs(n - number) < UP; n += step) {
      const line = text.line(n).text, [, before = "", key] = line.match(KEY) ?? [];
      if (line.trim() && line.search(/\S/) < column && before.length !== column) break;
      if (key && before.length === column) keys.add(key);
      if (key && before.length === column && before.includes("-")) break;
    }
  }
  return keys;
}

const isPlain = (own) => [own.type ?? []].flat().some((type) => !["object", "array", "null"].includes(type));
const isShort = (text) => ["string", "number", "boolean"].includes(typeof text) && !String(text).includes("\n") && String(text).length < 60;

function keyOptions(schemas, taken, blanks) {
  const options = new Map();
  for (const {properties = {}, required = []} of schemas) for (const [key, own] of Object.entries(properties)) {
    if (taken.has(key) || options.has(key)) continue;
    const inner = forms(own), opens = inner.some((form) => form.type) && !inner.some(isPlain);
    const info = inner.find((form) => form.description)?.description;
    options.set(key, {label: key, type: "property", info, boost: required.includes(key) ? 1 : 0, apply: opens ? `${key}:\n${" ".repeat(blanks + 2)}` : `${key}: `});
  }
  return [...options.values()];
}

function textOptions(schemas) {
  const texts = new Set();
  for (const {enum: choices = [], const: only, examples = [], default: usual} of schemas) {
    for (const text of [...choices, only, usual, ...examples]) if (isShort(text)) texts.add(String(text));
  }
  return [...texts].map((label) => ({label, type: "text"}));
}

// Gives the completions at the caret, as CodeMirror wants them.
export function complete(context, schema) {
  const {state, pos, explicit} = context, line = state.doc.lineAt(pos), before = line.text.slice(0, pos - line.from);
  const atKey = before.match(/^(\s*(?:- +)*)([\w.-]*)$/), atText = before.match(/^(\s*(?:- +)*)([^\s#:][^#:]*):\s+([^\s#]*)$/);
  const [, dashes, word] = atKey ?? (atText ? [null, atText[1], atText[3]] : []);
  if (dashes === undefined || !(word || explicit || (atText && before.endsWith(": ")))) return null;
  const path = pathTo(state.doc, line.number, dashes);
  if (!path) return null;
  const options = atKey
    ? keyOptions(below(schema, path), keysBeside(state.doc, line.number, dashes.length), dashes.length)
    : textOptions(below(schema, [...path, atText[2]]));
  return options.length ? {from: pos - word.length, options, validFor: atKey ? /^[\w.-]*$/ : /^[^\s#]*$/} : null;
}

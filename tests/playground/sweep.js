// Asks Python of the playground, in node: `node sweep.js PLAYGROUND PYODIDE`. Each line of its input
// is a question as JSON; for each it prints a line with the messages and the seconds it took.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [playground, pyodide] = process.argv.slice(2);
const script = (name) => import(pathToFileURL(join(playground, "static", name)));
const { start } = await script("python.js");
const { FILES } = await script("manifest.js");
const content = (name) => new Uint8Array(readFileSync(join(playground, "python", name)));
const unpacked = (file) => file && new Uint8Array(gunzipSync(content(file.address)));
const files = unpacked(FILES.files);
const snapshot = unpacked(FILES.snapshot)?.buffer;
const root = pathToFileURL(`${pyodide}/`);
const { ask } = await start(root, { files, snapshot }, FILES.archives, content);

for await (const question of createInterface({ input: process.stdin })) {
  const began = performance.now();
  const messages = [];
  ask(question, (text) => messages.push(JSON.parse(text)));
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ messages, seconds }));
}

// Asks Python of the playground, in node: `node sweep.js PLAYGROUND PYODIDE`. Each line of its input
// is a question as JSON; for each it prints a line with the messages and the seconds it took.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [playground, pyodide] = process.argv.slice(2);
const script = (name) => import(pathToFileURL(join(playground, "static", name)));
const { start } = await script("python.js");
const { FILES } = await script("manifest.js");
const content = (name) => new Uint8Array(readFileSync(join(playground, "python", name)));
const parts = [FILES.numpy, FILES.engine].map(({ address }) => content(address));
const { ask } = await start(pathToFileURL(`${pyodide}/`), parts, FILES.archives, content);

for await (const question of createInterface({ input: process.stdin })) {
  const began = performance.now();
  const messages = [];
  ask(question, (text) => messages.push(JSON.parse(text)));
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ messages, seconds }));
}

// Takes a snapshot of a Python that has loaded puzzlekit: `node snapshot.js PLAYGROUND PYODIDE
// ARCHIVE TARGET`, of a playground that has its scripts, and of an archive of all files. It prints
// the paths of the modules that the snapshot has, as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [playground, pyodide, archive, target] = process.argv.slice(2);
const script = (name) => import(pathToFileURL(join(playground, "static", name)));
const { boot } = await script("python.js");
const { taken } = await script("snapshot.js");
const root = pathToFileURL(`${pyodide}/`);
let before;
const keep = (module) => {
  before = module.HEAPU8.slice();
};
const options = { _makeSnapshot: true };
const python = await boot(root, new Uint8Array(readFileSync(archive)), null, options, keep);
const modules = python.runPython(`
import gc, json, sys
from puzzlekit.playground import ask, load, prepare
load()
gc.collect()
json.dumps([module.__file__ for module in sys.modules.values() if hasattr(module, "__file__")])
`);
writeFileSync(target, new Uint8Array(await taken(python, before)));
console.log(modules);

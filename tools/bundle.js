// Bundles the scripts of a page on which a puzzle is played: `npm run bundle`. With `--check`, only
// tells whether the bundles are those of the scripts.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

const FOLDER = "puzzlekit/play/static";
const BUNDLES = {
  "page.js": "page.min.js",
  "book_extra.js": "book.min.js",
  "hints_extra.js": "hints.min.js",
};

/** The digest of all scripts, which each bundle begins with. */
function digest() {
  const hash = createHash("sha256");
  const isSource = (name) => name.endsWith(".js") && !name.endsWith(".min.js");
  for (const name of readdirSync(FOLDER).filter(isSource).sort())
    hash.update(readFileSync(join(FOLDER, name)));
  return hash.digest("hex");
}

function bundled(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [join(FOLDER, entry)],
    bundle: true,
    minify: true,
    charset: "utf8",
    format: "iife",
    target: "es2022",
    write: false,
  });
  return `// puzzlekit ${digest()}\n${outputFiles[0].text}`;
}

for (const [entry, name] of Object.entries(BUNDLES)) {
  const file = join(FOLDER, name);
  const bundle = bundled(entry);
  if (!process.argv.includes("--check")) writeFileSync(file, bundle);
  else if (readFileSync(file, "utf8") !== bundle) {
    console.error(`${file} is old: npm run bundle`);
    process.exitCode = 1;
  }
}

// Bundles the scripts of a page on which a puzzle is played: `npm run bundle`. With `--check`, only
// tells whether the bundle is that of the scripts.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

const FOLDER = "puzzlekit/play/static";
const BUNDLE = join(FOLDER, "page.min.js");

/** The digest of all scripts, which the bundle begins with. */
function digest() {
  const hash = createHash("sha256");
  const isSource = (name) => name.endsWith(".js") && !name.endsWith(".min.js");
  for (const name of readdirSync(FOLDER).filter(isSource).sort())
    hash.update(readFileSync(join(FOLDER, name)));
  return hash.digest("hex");
}

const { outputFiles } = buildSync({
  entryPoints: [join(FOLDER, "page.js")],
  bundle: true,
  minify: true,
  charset: "utf8",
  format: "iife",
  target: "es2022",
  write: false,
});
const bundle = `// puzzlekit ${digest()}\n${outputFiles[0].text}`;
const isCurrent = () => readFileSync(BUNDLE, "utf8") === bundle;
if (!process.argv.includes("--check")) writeFileSync(BUNDLE, bundle);
else if (!isCurrent()) {
  console.error(`${BUNDLE} is old: npm run bundle`);
  process.exit(1);
}

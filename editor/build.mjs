// Bundles CodeMirror into one file for the page of `puzzlekit serve`, with the licences of all that is in it.
import {readFileSync, writeFileSync} from "node:fs";
import {build} from "esbuild";

const OUT = "../puzzlekit/serve/static/codemirror", HERE = "node_modules/";

const built = await build({
  entryPoints: ["codemirror.mjs"], bundle: true, format: "esm", minify: true, target: "es2022", charset: "utf8",
  legalComments: "none", banner: {js: "/* CodeMirror 6; see codemirror.license.txt. Built by `make editor`. */"},
  outfile: `${OUT}.js`, metafile: true,
});

const folder = (path) => path.slice(path.lastIndexOf(HERE) + HERE.length).split("/").slice(0, path.includes(`${HERE}@`) ? 2 : 1).join("/");
const packages = [...new Set(Object.keys(built.metafile.inputs).filter((path) => path.includes(HERE)).map(folder))].sort();
const licences = packages.map((name) => {
  const {version, license} = JSON.parse(readFileSync(`${HERE}${name}/package.json`, "utf8"));
  return `${name} ${version} (${license})\n\n${readFileSync(`${HERE}${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync(`${OUT}.license.txt`, licences.join(`\n${"-".repeat(80)}\n\n`));

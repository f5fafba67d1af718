// The script of a page with one puzzle, or with several; their data stands in the page.
import { mount } from "./board.js";
import { extrasOf } from "./extras.js";

const dataOf = (name) => JSON.parse(document.getElementById(name)?.textContent ?? "null");
const [puzzle, puzzles] = ["puzzle", "puzzles"].map(dataOf);
const main = document.querySelector("main");
if (puzzle) Object.assign(window, { puzzlekit: mount(main, puzzle) });
else new (extrasOf(globalThis).Book)(main, puzzles, mount);

// The script of a page with one puzzle, whose data stands in the page.
import { mount } from "./board.js";

const puzzle = JSON.parse(document.getElementById("puzzle").textContent);
Object.assign(window, { puzzlekit: mount(document.querySelector("main"), puzzle) });

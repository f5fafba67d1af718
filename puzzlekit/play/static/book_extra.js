// What pages with several puzzles have besides.
import { Book } from "./book.js";
import { addExtras } from "./extras.js";

addExtras(globalThis, { Book });

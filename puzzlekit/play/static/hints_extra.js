// What pages with hints have besides.
import { addExtras } from "./extras.js";
import { Hints } from "./hints.js";

addExtras(globalThis, { Hints });

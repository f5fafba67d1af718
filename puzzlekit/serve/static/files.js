// Files, as `puzzlekit serve` has them: those of one folder. The playground has a script of this name that offers the same.
import {post} from "./ask.js";

// Gives the folder, its name and its id, and the names of its files; throws if the server does not answer.
export const list = () => post("list", {});

export const read = (name) => post("read", {name});  // {name, text, version}

// Saves a text as the file of this version, or as a new one if it is null; gives its name and its version now.
export const save = (name, text, version) => post("save", {name, text, version});

export const versions = async (names) => (await post("versions", {names})).versions;

export const choose = null;  // lets the user choose files of the machine; here those of the folder are enough

export const linkTo = null;  // gives a link that carries texts; the address of this page is of no use to others

export const carried = async () => null;  // the texts that a link to this page carries

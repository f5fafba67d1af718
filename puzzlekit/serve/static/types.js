// The list of all types, found by name, group and words, with a picture of each.
import {ask} from "./ask.js";
import {$, button, element} from "./parts.js";
import {source} from "./svg.js";

const TOGETHER = 12;  // pictures of one question
let known = null, choose = null;
const wanted = new Map(), drawn = new Map();  // by the name of the type: where a picture is to go, and those that are there
let asking = false;

const seen = new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) {
    const {name} = target.dataset;
    if (!isIntersecting) wanted.delete(name);
    else if (!drawn.has(name)) wanted.set(name, target);
  }
  draw();
}, {rootMargin: "200px"});

async function draw() {
  if (asking || !wanted.size) return;
  asking = true;
  const some = [...wanted].slice(0, TOGETHER);
  for (const [name] of some) wanted.delete(name);
  const pictures = new Map(some);
  try {
    await ask("pictures", {names: [...pictures.keys()]}, {seconds: 15, progress({name, picture}) {
      drawn.set(name, source(picture));
      pictures.get(name).src = drawn.get(name);
    }});
  } catch { /* the list does without */ }
  asking = false;
  draw();
}

function card({name, title, specs}) {
  const image = element("img", {alt: "", "data-name": name, src: drawn.get(name), width: 120, height: 120});
  const more = specs.length > 1 ? element("select", {"aria-label": `Examples of ${title}`, onchange: () => { if (more.value) pick(name, more.value); more.value = ""; }},
    element("option", {value: ""}, `${specs.length} examples`), ...specs.map((spec) => element("option", {value: spec}, spec.replaceAll("_", " ")))) : null;
  seen.observe(image);
  return element("li", {}, element("button", {type: "button", class: "card", onclick: () => pick(name, specs[0] ?? "")}, image, element("span", {}, title)), more);
}

function pick(name, example) {
  $("types").close();
  choose(name, example);
}

function list() {
  const words = $("types-words").value.toLowerCase().split(/\s+/).filter((word) => word), groups = new Map();
  const found = known.filter((one) => words.every((word) => one.words.includes(word)));
  for (const one of found) groups.set(one.group || "other", [...(groups.get(one.group || "other") ?? []), one]);
  $("types-count").textContent = `${found.length} of ${known.length}`;
  $("types-list").replaceChildren(...[...groups].sort().map(([group, own]) => element("section", {}, element("h3", {}, group), element("ul", {}, ...own.map(card)))));
}

export async function showTypes(action) {
  choose = action;
  $("types").showModal();
  $("types-words").focus();
  if (known) return;
  try {
    known = (await ask("catalogue")).types;
    list();
  } catch (error) {
    $("types-list").textContent = error.message;
  }
}

$("types-words").addEventListener("input", () => known && list());
$("types-words").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  $("types-list").querySelector(".card")?.click();
});
$("types").querySelector(".close").addEventListener("click", () => $("types").close());

// Texts of steps: phrases light up what they are about.
import { element } from "./elements.js";

/**
 * A text whose phrases let squares glow while they are pointed at, or have the focus.
 *
 * @param {{text: string, phrases: [number, number, number[][]][]}} step
 * @param {(squares: number[][]) => void} glow
 */
export function phrased({ text, phrases }, glow) {
  const whole = element("span", { class: "step" });
  const signs = [...text]; // as the phrases count them
  let end = 0;
  for (const [from, to, squares] of phrases) {
    const phrase = element(
      "span",
      { class: "phrase", tabindex: 0 },
      signs.slice(from, to).join(""),
    );
    for (const type of ["pointerenter", "focus"])
      phrase.addEventListener(type, () => glow(squares));
    for (const type of ["pointerleave", "blur"]) phrase.addEventListener(type, () => glow([]));
    whole.append(signs.slice(end, from).join(""), phrase);
    end = to;
  }
  whole.append(signs.slice(end).join(""));
  return whole;
}

// What the page says of a board: whether it is right so far, and which rules are broken.
import { outlinesOf } from "./outlines.js";

export class Checks {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.faulty = []; // the places of a broken rule, as [entry, place]
  }

  check() {
    this.#tell();
    this.session.seen();
  }

  #tell() {
    const { judge, puzzle } = this.session;
    if (this.session.solved) return this.session.say(this.session.solvedText());
    const broken = judge.evaluateAll();
    if (broken.length) return this.#tellBroken(broken);
    if (!puzzle.facts) {
      const [checked, all] = puzzle.check.share;
      const isPart = checked < all;
      return this.session.say(
        isPart ? "None of the rules that this page checks is broken." : "No rule is broken.",
      );
    }
    const { length } = judge.wrong();
    if (!length) return this.session.say("Right so far.");
    this.session.say(`${length === 1 ? "One entry is" : `${length} entries are`} wrong. `);
    this.#offerRevert();
  }

  #tellBroken(broken) {
    const { names, rules } = this.session.puzzle.check;
    const [first, ...others] = [...new Set(broken.map((rule) => names[rules[rule][0]]))];
    this.faulty = this.session.judge.blamed(broken[0]);
    const also = others.length ? `Also: ${others.slice(0, 2).join("; ")}. ` : "";
    this.session.say(`This breaks the rule: ${first}. ${also}`);
    this.session.outlines.outline();
    this.showConflicts();
    if (this.session.puzzle.facts) this.#offerRevert();
  }

  #offerRevert() {
    const revert = document.createElement("button");
    revert.type = "button";
    revert.textContent = "Back to the last right board";
    revert.addEventListener("click", () => this.revert());
    this.session.parts.said.append(revert);
  }

  showConflicts() {
    const { judge, settings } = this.session;
    const rules = settings.conflicts ? [...judge.broken.keys()] : [];
    const places = rules.flatMap((rule) => judge.blamed(rule));
    const isEntered = ([number, place]) => {
      const mark = this.session.game.at(number, place);
      return mark.held || mark.crossed;
    };
    this.session.painter.outlines(
      "conflicts",
      outlinesOf(this.session.entries, places.filter(isEntered), "conflict"),
    );
  }

  revert() {
    const depth = this.session.judge.lastRight();
    const { game } = this.session;
    const marks = game.blanks.map((row) => [...row]);
    if (depth >= 0) {
      game.marks.forEach((row, entry) =>
        row.forEach((mark, place) => (marks[entry][place] = mark)),
      );
      for (const step of game.past.slice(depth).reverse())
        for (const [entry, place, before] of [...step].reverse()) marks[entry][place] = before;
    }
    this.session.enterMarks(marks);
  }
}

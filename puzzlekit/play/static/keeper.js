// Keeps the game of a session: its steps, its clock, and what other tabs do with it.
import { Game, dense, sparse } from "./game.js";
import { isSound } from "./transfer.js";

const TICK = 5; // seconds after which the clock is kept

export class Keeper {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    /** @type {import("./game.js").Mark[][]} The marks with which the game began. */
    this.base = session.game.blanks;
    this.store = null;
    this.seconds = 0;
  }

  /** Continue the game that was kept, if there is one. */
  async begin(store) {
    this.store = store;
    const kept = await store.load();
    if (kept) this.continue(kept, this.session.game.past);
    else if (this.session.game.past.length) this.keep(0);
  }

  /** Continue a game. Returns false if it is none of this board. */
  continue({ header, steps }, meanwhile = []) {
    const { blanks } = this.session.game;
    if (!isSound({ ...header, steps }, blanks)) return false;
    this.base = dense(blanks, header.base);
    const { length } = this.session.game.trials;
    this.session.game.restore(header, steps, this.base, meanwhile);
    this.seconds = Math.max(this.seconds, header.seconds ?? 0);
    this.session.shown = header.shown ?? "";
    if (this.session.game.trials.length || length) this.session.painter.all();
    this.session.judged();
    if (meanwhile.length) this.keep(header.done);
    return true;
  }

  /** Follow another tab. */
  async follow() {
    if (this.session.game.open) return void setTimeout(() => this.follow(), 200);
    const kept = await this.store.load();
    if (kept) this.continue(kept);
  }

  header() {
    const { seconds, session } = this;
    const { solved, shown } = session;
    const base = sparse(this.session.game.blanks, this.base);
    return { ...this.session.game.header(base), seconds, solved, shown };
  }

  keep(from = this.session.game.past.length, isMove = true) {
    this.store?.save(this.header(), this.session.game, from, isMove);
  }

  tick() {
    if (this.session.solved) return;
    this.seconds++;
    const clock = this.session.parts.bar.querySelector(".clock");
    if (this.session.settings.clock && clock) clock.textContent = this.clock();
    if (this.seconds % TICK === 0 && this.session.game.past.length) this.keep(undefined, false);
  }

  /** Keep the clock, when the page is left. */
  leave() {
    if (this.session.game.past.length || this.session.game.future.length)
      this.keep(undefined, false);
  }

  clock() {
    const minutes = Math.floor(this.seconds / 60);
    return `${minutes}:${String(this.seconds % 60).padStart(2, "0")}`;
  }

  /** Open a game: in one that has begun, its last board is one more step. */
  openGame(opened) {
    const { game } = this.session;
    if (!game.past.length && !game.future.length) {
      this.continue(opened);
      this.keep(0);
      return;
    }
    const scratch = new Game(game.blanks);
    scratch.restore(opened.header, opened.steps, dense(game.blanks, opened.header.base));
    this.session.enterMarks(scratch.marks);
  }
}

// Which part of a board is seen: it is panned and zoomed in its frame.

const MOST = 12; // times the size at which the board fits

export class View {
  /**
   * @param {SVGSVGElement} board
   * @param {(zoomed: boolean) => void} changed
   * @param {AbortSignal} signal Ends it.
   */
  constructor(board, changed, signal) {
    this.board = board;
    this.changed = changed;
    const { x, y, width, height } = board.viewBox.baseVal;
    this.full = { x, y, width, height };
    this.box = { ...this.full };
    /** @type {DOMMatrix | null} From the screen to the board, until one of them moves. */
    this.inverse = null;
    for (const type of ["scroll", "resize"])
      addEventListener(type, () => this.moved(), { capture: true, passive: true, signal });
  }

  /** Note that the board may stand elsewhere on the screen. */
  moved() {
    this.inverse = null;
  }

  get scale() {
    return this.full.width / this.box.width;
  }

  get zoomed() {
    return this.scale > 1.01;
  }

  /** The coordinates on the board of a point of the screen. */
  point(x, y) {
    this.inverse ??= this.board.getScreenCTM().inverse();
    const at = new DOMPoint(x, y).matrixTransform(this.inverse);
    return [at.x, at.y];
  }

  /** Show the point of the board at a point of the screen, at a scale. */
  show(at, screen, scale) {
    const [x, y] = at;
    const [screenX, screenY] = screen;
    const factor = Math.min(MOST, Math.max(1, scale));
    this.box.width = this.full.width / factor;
    this.box.height = this.full.height / factor;
    this.#apply();
    const [nowX, nowY] = this.point(screenX, screenY);
    this.box.x = clamp(this.box.x + x - nowX, this.full.x, this.full.width - this.box.width);
    this.box.y = clamp(this.box.y + y - nowY, this.full.y, this.full.height - this.box.height);
    this.#apply();
  }

  /** Zoom around a point of the screen. */
  zoom(x, y, factor) {
    this.show(this.point(x, y), [x, y], this.scale * factor);
  }

  /** Move by pixels of the screen. Returns whether the board has moved. */
  pan(right, down) {
    const { x, y } = this.box;
    const [fromX, fromY] = this.point(0, 0);
    const [toX, toY] = this.point(right, down);
    this.box.x = clamp(x + toX - fromX, this.full.x, this.full.width - this.box.width);
    this.box.y = clamp(y + toY - fromY, this.full.y, this.full.height - this.box.height);
    this.#apply();
    return this.box.x !== x || this.box.y !== y;
  }

  /** Bring a point of the board into view. */
  reveal(x, y, margin) {
    const { box, full } = this;
    if (!this.zoomed) return;
    const near = (at, low, length) =>
      at - margin < low ? at - margin : at + margin > low + length ? at + margin - length : low;
    box.x = clamp(near(x, box.x, box.width), full.x, full.width - box.width);
    box.y = clamp(near(y, box.y, box.height), full.y, full.height - box.height);
    this.#apply();
  }

  fit() {
    this.box = { ...this.full };
    this.#apply();
  }

  #apply() {
    const { x, y, width, height } = this.box;
    this.moved();
    this.board.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.board.classList.toggle("zoomed", this.zoomed);
    this.changed(this.zoomed);
  }
}

const clamp = (number, low, length) => Math.min(low + length, Math.max(low, number));

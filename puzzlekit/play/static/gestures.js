// What pointers do on a board: one draws, two pan and zoom, the wheel zooms.

const HOLD = 500; // milliseconds of a long press
const DOUBLE = 350; // between the taps of a double tap
const STILL = 12; // pixels that a finger may move in a tap

/**
 * Listen to the pointers on a board.
 *
 * @param {SVGSVGElement} board
 * @param {import("./view.js").View} view
 * @param {any} hand What strokes do: `begin(event, x, y)`, which returns a stroke or null,
 *   `drawn(stroke)`, `end(stroke)`, which returns whether anything changed, and `cancel()`.
 */
export function listen(board, view, hand) {
  /** @type {Map<number, [number, number]>} The pointers that are down, where they are. */
  const down = new Map();
  let stroke = null;
  let holder = 0; // the pointer of the stroke
  let pinch = null;
  let timer = 0;
  let tap = null; // the last one that changed nothing: {time, at}

  const stop = () => {
    clearTimeout(timer);
    if (stroke) hand.cancel();
    stroke = null;
  };

  const startPinch = () => {
    stop();
    view.moved();
    const [a, b] = [...down.values()];
    const centre = middle(a, b);
    pinch = {
      at: view.point(centre[0], centre[1]),
      scale: view.scale,
      apart: distance(a, b),
      start: [a, b],
      time: performance.now(),
    };
  };

  const movePinch = () => {
    const [a, b] = [...down.values()];
    const factor = pinch.apart ? distance(a, b) / pinch.apart : 1;
    view.show(pinch.at, middle(a, b), pinch.scale * factor);
  };

  const isStill = () => {
    const [a, b] = [...down.values()];
    return b && distance(a, pinch.start[0]) < STILL && distance(b, pinch.start[1]) < STILL;
  };

  /** Two taps in a row that changed nothing fit the board. */
  const tapped = (at) => {
    const now = performance.now();
    const isDouble = tap && now - tap.time < DOUBLE && distance(tap.at, at) < 3 * STILL;
    tap = isDouble ? null : { time: now, at };
    if (isDouble && view.zoomed) view.fit();
  };

  board.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") {
      down.set(event.pointerId, [event.clientX, event.clientY]);
      capture(board, event.pointerId);
      if (down.size === 2) startPinch();
      if (down.size > 1) return event.preventDefault();
    } else if (event.button === 1) {
      return;
    }
    if (stroke) stop();
    view.moved();
    const [x, y] = view.point(event.clientX, event.clientY);
    stroke = hand.begin(event, x, y);
    view.moved(); // what has been shown since may have moved the board
    if (!stroke) {
      if (event.pointerType === "touch") timer = 0;
      return;
    }
    event.preventDefault();
    holder = event.pointerId;
    capture(board, holder);
    clearTimeout(timer);
    if (event.pointerType === "touch")
      timer = setTimeout(() => {
        if (stroke && !stroke.moved) hand.hold(stroke);
      }, HOLD);
  });

  board.addEventListener("pointermove", (event) => {
    if (down.has(event.pointerId)) down.set(event.pointerId, [event.clientX, event.clientY]);
    if (pinch && down.size >= 2) return movePinch();
    if (!stroke || event.pointerId !== holder) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const one of events.length ? events : [event]) {
      const [x, y] = view.point(one.clientX, one.clientY);
      stroke.move(x, y);
    }
    hand.drawn(stroke);
  });

  board.addEventListener("pointerup", (event) => {
    if (pinch) {
      if (down.size === 2 && isStill() && performance.now() - pinch.time < DOUBLE)
        tapped(middle(pinch.start[0], pinch.start[1]));
      down.delete(event.pointerId);
      if (!down.size) pinch = null; // the last finger draws nothing either
      return;
    }
    down.delete(event.pointerId);
    if (event.pointerId !== holder && stroke) return;
    clearTimeout(timer);
    if (!stroke) return tapped([event.clientX, event.clientY]);
    const ended = stroke;
    stroke = null;
    const [x, y] = view.point(event.clientX, event.clientY);
    ended.move(x, y);
    const hasChanged = hand.end(ended);
    if (hasChanged || ended.moved) tap = null;
    else tapped([event.clientX, event.clientY]);
  });

  board.addEventListener("pointercancel", (event) => {
    down.delete(event.pointerId);
    if (!down.size) pinch = null;
    if (event.pointerId === holder) stop();
  });

  board.addEventListener("contextmenu", (event) => event.preventDefault());

  board.addEventListener(
    "wheel",
    (event) => {
      view.moved();
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        view.zoom(event.clientX, event.clientY, Math.exp(-event.deltaY / 300));
      } else if (view.zoomed) {
        const [right, below] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
        if (view.pan(right, below)) event.preventDefault();
      }
    },
    { passive: false },
  );
}

/** Hear a pointer that leaves the board. */
function capture(board, pointer) {
  try {
    board.setPointerCapture(pointer);
  } catch {
    // the pointer has gone, or was never there
  }
}

const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

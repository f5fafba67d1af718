// Points and routes on a board. Nothing here needs a browser.

/** Points in square buckets, so that the nearest is looked up without a scan of all of them. */
export class PointIndex {
  /**
   * @param {number[][]} points The points, as [x, y].
   * @param {number} size The side of a bucket.
   */
  constructor(points, size) {
    this.points = points;
    this.size = size;
    /** @type {Map<number, number[]>} */
    this.buckets = new Map();
    points.forEach(([x, y], number) => {
      const key = bucket(Math.floor(x / size), Math.floor(y / size));
      const numbers = this.buckets.get(key);
      if (numbers) numbers.push(number);
      else this.buckets.set(key, [number]);
    });
  }

  /** The number of the nearest point that is closer than `reach`; -1 if there is none. */
  nearest(x, y, reach) {
    let best = -1;
    let least = reach * reach;
    for (const number of this.around(x, y, reach)) {
      const distance = (this.points[number][0] - x) ** 2 + (this.points[number][1] - y) ** 2;
      if (distance < least) [best, least] = [number, distance];
    }
    return best;
  }

  /** The numbers of the points in all buckets that a circle meets. */
  *around(x, y, reach) {
    const { size, buckets } = this;
    for (let i = Math.floor((x - reach) / size); i <= Math.floor((x + reach) / size); i++)
      for (let j = Math.floor((y - reach) / size); j <= Math.floor((y + reach) / size); j++)
        yield* buckets.get(bucket(i, j)) ?? [];
  }
}

const bucket = (column, row) => column * 65536 + row;

/** Points on the segment from one point to another, at most `step` apart: the last, not the first. */
export function* samples(from, to, step) {
  const [x, y] = from;
  const [toX, toY] = to;
  const count = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / step));
  for (let k = 1; k <= count; k++) yield [x + ((toX - x) * k) / count, y + ((toY - y) * k) / count];
}

/** The distance of a point from a segment, without a share of it at each end. */
export function segmentDistance(x, y, from, to, margin = 0) {
  const [a, b] = from;
  const [c, d] = to;
  const length = (c - a) ** 2 + (d - b) ** 2;
  const along = length ? ((x - a) * (c - a) + (y - b) * (d - b)) / length : 0;
  const t = Math.max(margin, Math.min(1 - margin, along));
  return Math.hypot(a + t * (c - a) - x, b + t * (d - b) - y);
}

/**
 * The links from one node of a graph to another that stay closest to a segment; null if more than
 * `longest` links are needed.
 *
 * A pointer that skips a node, or cuts a corner, takes this route.
 *
 * @param {any} start The first node.
 * @param {any} goal The last node.
 * @param {(node: any) => [number, any][]} linksOf The links of a node with the nodes they lead to.
 * @param {(node: any) => number} cost How far a node lies from the segment.
 * @returns {[number, any][] | null} The links, each with the node that it leads to.
 */
export function route(start, goal, linksOf, cost, longest = 3) {
  let best = null;
  let least = Infinity;
  const visited = new Set([start]);
  const way = [];
  const walk = (node, sum) => {
    if (sum >= least) return;
    if (node === goal) {
      [best, least] = [[...way], sum];
      return;
    }
    if (way.length === longest) return;
    for (const [link, next] of linksOf(node)) {
      if (visited.has(next)) continue;
      visited.add(next);
      way.push([link, next]);
      walk(next, sum + 1e-3 + cost(next));
      way.pop();
      visited.delete(next);
    }
  };
  walk(start, 0);
  return best;
}

/** For each of `count` nodes, the number of a node that stands for its connected component. */
export function components(count, links) {
  const up = Array.from({ length: count }, (_, node) => node);
  const root = (node) => {
    while (up[node] !== node) node = up[node] = up[up[node]];
    return node;
  };
  for (const [a, b] of links) up[root(a)] = root(b);
  return up.map((_, node) => root(node));
}

/**
 * The stop that a way leads to from another: the nearest in its direction, else the same. A way is
 * [down, right]; one that is diagonal leads to no stop in the same row or column.
 */
export function travel(stops, index, from, way, size) {
  const [down, right] = way;
  const isDiagonal = Boolean(down && right);
  const [, , x, y] = stops[from];
  let best = from;
  let least = Infinity;
  let isStraight = false;
  const look = (number) => {
    const dx = stops[number][2] - x;
    const dy = stops[number][3] - y;
    const along = dx * right + dy * down;
    const aside = Math.abs(dx * down - dy * right);
    const isOff = isDiagonal ? aside >= along : aside > along;
    if (along <= 1 || along + 3 * aside >= least || isOff) return;
    [best, least] = [number, along + 3 * aside];
    isStraight = aside < 1;
  };
  for (const number of index.around(x + right * size, y + down * size, size)) look(number);
  if (!isStraight) for (let number = 0; number < stops.length; number++) look(number);
  return best;
}

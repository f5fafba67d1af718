import assert from "node:assert/strict";
import { test } from "node:test";
import {
  components,
  PointIndex,
  route,
  samples,
  segmentDistance,
  travel,
} from "../../../puzzlekit/play/static/geometry.js";

const grid = (side) =>
  Array.from({ length: side * side }, (_, n) => [40 * (n % side), 40 * Math.floor(n / side)]);

test("the nearest point is that of a scan of all points", () => {
  const points = grid(7);
  const index = new PointIndex(points, 40);
  for (let x = -30; x < 300; x += 17)
    for (let y = -30; y < 300; y += 13) {
      const distances = points.map(([a, b]) => Math.hypot(a - x, b - y));
      const least = Math.min(...distances);
      const number = index.nearest(x, y, 25);
      assert.equal(number < 0, least >= 25);
      if (number >= 0) assert.equal(distances[number], least);
    }
});

test("samples end at the last point, and are close to each other", () => {
  const points = [...samples([0, 0], [30, 40], 8)];
  assert.deepEqual(points.at(-1), [30, 40]);
  assert.equal(points.length, 7);
});

test("a route around a corner stays close to the way of the pointer", () => {
  const node = (x, y) => ({ x, y });
  const nodes = grid(3).map(([x, y]) => node(x, y));
  const links = (from) =>
    nodes.flatMap((to, n) =>
      Math.abs(to.x - from.x) + Math.abs(to.y - from.y) === 40 ? [[n, to]] : [],
    );
  const cost = ({ x, y }) => segmentDistance(x, y, [0, 0], [40, 30]);
  const way = route(nodes[0], nodes[4], links, cost);
  assert.deepEqual(
    way.map(([link]) => link),
    [1, 4],
  );
  assert.equal(route(nodes[0], nodes[8], links, cost), null); // four links are too many
});

test("components are numbered alike if and only if links join them", () => {
  const roots = components(5, [
    [0, 1],
    [3, 4],
  ]);
  assert.equal(roots[0], roots[1]);
  assert.equal(roots[3], roots[4]);
  assert.equal(new Set(roots).size, 3);
});

test("an arrow leads to the next stop, across a gap too, and not beyond the end", () => {
  const stops = [0, 1, 4].map((column) => [2, 2 * column, 40 * column, 0]);
  const index = new PointIndex(
    stops.map(([, , x, y]) => [x, y]),
    40,
  );
  assert.equal(travel(stops, index, 0, [0, 1], 40), 1);
  assert.equal(travel(stops, index, 1, [0, 1], 40), 2);
  assert.equal(travel(stops, index, 2, [0, 1], 40), 2);
  assert.equal(travel(stops, index, 2, [1, 0], 40), 2);
});

test("a diagonal way leads to the next cell at a corner, and nowhere along an edge", () => {
  const points = grid(3);
  const index = new PointIndex(points, 40);
  const stops = points.map(([x, y]) => [y / 20, x / 20, x, y]);
  assert.equal(travel(stops, index, 0, [1, 1], 40), 4);
  assert.equal(travel(stops, index, 4, [-1, 1], 40), 2);
  assert.equal(travel(stops, index, 4, [1, -1], 40), 6);
  assert.equal(travel(stops, index, 2, [1, 1], 40), 2);
  assert.equal(travel(stops, index, 5, [-1, 1], 40), 5);
});

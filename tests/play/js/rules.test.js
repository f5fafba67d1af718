import assert from "node:assert/strict";
import { test } from "node:test";
import { canHold, possible } from "../../../puzzlekit/play/static/rules.js";

test("rows of letters stand in one text", () => {
  const rule = ["table", [0, 1], "adbe"];
  const holds = (...may) => canHold(possible(rule, may));
  assert.ok(holds(["a", "b"], ["e"]));
  assert.ok(!holds(["a"], ["e"]));
  assert.ok(holds(["a"], ["d", "e"]));
});

/** How hard a match of Arena is: levels that differ, however many squads one meets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gradesOf, levelOf } from "../../static/js/games/arena/levels.js";

const LEVELS = [["Easy", [["weak"]]], ["Even", [["weak"], ["middle"], ["middle", "strong"]]],
  ["Hard", [["weak"], ["middle"], ["strong"]]]];
const known = (wish) => wish;

test("every level is another one against any number of squads, and is known again", () => {
  for (let rivals = 1; rivals < 20; rivals++) {
    for (const [name, sides] of LEVELS) {
      const squads = gradesOf(sides, rivals).map((grade) => [grade[0], grade[1 % grade.length]]);
      assert.equal(levelOf(LEVELS, squads, known), name, `${name} against ${rivals}`);
    }
  }
});

test("in a duel the level's strongest squad comes; against three all that were measured", () => {
  assert.deepEqual(LEVELS.map(([, sides]) => gradesOf(sides, 1)), [[["weak"]], [["middle", "strong"]], [["strong"]]]);
  assert.deepEqual(gradesOf(LEVELS[2][1], 3), [["weak"], ["middle"], ["strong"]]);
});

test("squads of no level, and no squad, are of none", () => {
  assert.equal(levelOf(LEVELS, [["weak", "strong"]], known), "");
  assert.equal(levelOf(LEVELS, [], known), "");
  assert.equal(levelOf(LEVELS, [["friend", "me"]], known), "");
});

test("a friend among the rivals is of every level: no level takes the seat", () => {
  assert.equal(levelOf(LEVELS, [["friend", "strong"]], known), "Even");
  assert.equal(levelOf(LEVELS, [["friend", "friend"], ["weak", "weak"]], known), "Easy");
});

/** Agents as characters: their order, whom an alias means, their faces. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { featuresOf } from "../../static/js/lib/face.js";
import { firstSentence, inOrder, meant } from "../../static/js/partner-cards.js";

const agent = (name, fields = {}) => ({ value: `agent:${name}`, ref: `g/${name}`, name, text: "", ...fields });

test("the champion comes first and once, then who does best with people, odd ones are folded", () => {
  const rows = [{ ...agent("best", { people: 13 }), value: "agent:champion", alias: "champion" },
    agent("best", { people: 13 }), agent("bot"), agent("fair", { people: 7 }),
    agent("good", { people: 9 }), agent("random", { odd: true }), { value: "surprise", name: "Surprise me", text: "" }];
  const { shown, more } = inOrder(rows);
  assert.deepEqual(shown.map(({ value }) => value),
    ["agent:champion", "agent:good", "agent:fair", "agent:bot", "surprise"]);
  assert.deepEqual(more.map(({ value }) => value), ["agent:random"]);
});

test("a match may recommend somebody else than the champion", () => {
  const rows = [{ ...agent("squad", { people: 13 }), value: "agent:champion", alias: "champion" },
    agent("weak"), agent("strong")];
  assert.deepEqual(inOrder(rows, "agent:strong").shown.map(({ value }) => value),
    ["agent:strong", "agent:champion", "agent:weak"]);
  assert.deepEqual(inOrder(rows, "").shown.map(({ value }) => value), ["agent:champion", "agent:weak", "agent:strong"],
    "nobody");
});

test("where there are odd ones only, they are shown", () => {
  assert.deepEqual(inOrder([agent("random", { odd: true })]).shown.map(({ name }) => name), ["random"]);
});

test("an alias is whom it means in the chosen place", () => {
  const champion = { value: "agent:champion", name: "Champion", alias: "champion", text: "",
    means: { ring: "agent:ring-cook", "": "agent:greedy" } };
  const partners = new Map([champion, agent("ring-cook"), agent("greedy")].map((one) => [one.value, one]));
  assert.deepEqual([meant(champion, partners, "ring").name, meant(champion, partners, "room").name,
    meant(champion, partners, null).name], ["ring-cook", "greedy", "greedy"]);
  assert.equal(meant(champion, partners, "ring").value, "agent:champion", "it is the alias that is asked for");
  assert.equal(meant(champion, new Map(), "ring"), champion);
});

test("a face follows from the ref alone, and seven of eight agents have their own", () => {
  assert.deepEqual(featuresOf("hanabi/companion"), featuresOf("hanabi/companion"));
  const faces = Array.from({ length: 40 }, (_, i) => JSON.stringify(featuresOf(`game/agent-${i}`)));
  assert.ok(new Set(faces).size >= 35, `${new Set(faces).size} of 40`);
});

test("a card shows the first sentence", () => {
  assert.equal(firstSentence("Plays well. Never gambles."), "Plays well.");
  assert.equal(firstSentence("Hints 1.5 times. No"), "Hints 1.5 times.");
  assert.equal(firstSentence(""), "");
});

"""The bank of phrasings of kitchen instructions (language/phrasings/bank.jsonl)."""

import json

from engine import games
from engine.games.overcooked.language.programs import INTENTS, KINDS, SIDES

FILE = games.folder("overcooked") / "language/phrasings/bank.jsonl"
BANK = [json.loads(line) for line in FILE.read_text().splitlines()]
GOOD = [entry for entry in BANK if not entry["refused"]]


def test_the_bank_has_twenty_phrasings_of_every_intent_and_known_values_only():
    assert len(BANK) - len(GOOD) >= 150
    for intent in INTENTS:
        assert sum(any(goal["intent"] == intent for goal in e["subgoals"]) for e in GOOD) >= 20, intent
    for entry in GOOD:
        for goal in entry["subgoals"]:
            assert goal["who"] in ("me", "you", "both")
            assert goal["target"] is None or goal["target"]["kind"] in KINDS
            assert goal["target"] is None or goal["target"]["which"] in (None, *SIDES)
    assert len({entry["text"] for entry in BANK}) == len(BANK)

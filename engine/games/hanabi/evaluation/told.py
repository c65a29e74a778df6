"""What is counted in games of Hanabi in which somebody was told something (engine.evaluation.told)."""

from __future__ import annotations

from typing import Any

KINDS = ("play", "discard", "hint_color", "hint_rank")
SHARES = {"known_before_play": "What hints had said of cards when they were played"}
DID = ("play_touched", "play_other", "discard_touched", "discard_other", "hint")


class Counts:
    """By seat what it did; after each kind of the last player's move what followed: cards played or discarded
    that this hint touched (after a play or discard: that any hint had) or others, or a hint; which slots,
    oldest first; what hints had said of a card when it was played.
    """

    def __init__(self, seats: int) -> None:
        self.seats = [dict.fromkeys(KINDS, 0) for _ in range(seats)]
        self.after = {kind: dict.fromkeys(DID, 0) for kind in KINDS}
        self.slots: dict[str, list[int]] = {"play": [], "discard": []}
        self.known = dict.fromkeys(("nothing", "color", "rank", "both"), 0)
        self.fives, self.lives = 0, 0

    def note(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        """A move, between the open views before it and after it."""
        event, last = after["last"], before["last"]
        kind, seat = event["kind"], event["seat"]
        self.seats[seat][kind] += 1
        self.lives += before["lives"] - after["lives"]
        did = "hint"
        if kind in self.slots:
            hand = before["hands"][seat]["cards"]
            card, slot = hand[event["slots"][0]], event["slots"][0]
            spread = self.slots[kind]
            spread += [0] * (len(hand) - len(spread))
            # Where a hand is short of a card, the newest one still counts as the newest.
            spread[len(spread) - len(hand) + slot] += 1
            hinted = last is not None and last["kind"].startswith("hint")
            touched = last["target"] == seat and card["key"] in last["keys"] if hinted else card["touched"]
            did = f"{kind}_{'touched' if touched else 'other'}"
            if kind == "play":
                hints = [name for name in ("color", "rank") if card[name] is not None]
                self.known["both" if len(hints) == 2 else hints[0] if hints else "nothing"] += 1
            elif card["card"] % before["ranks"] == before["ranks"] - 1 == 4:
                self.fives += 1
        if last is not None and last["seat"] != seat:
            self.after[last["kind"]][did] += 1

    def found(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "after": self.after,
            "slots": self.slots,
            "known_before_play": self.known,
            "fives_discarded": self.fives,
            "lives_lost": self.lives,
        }

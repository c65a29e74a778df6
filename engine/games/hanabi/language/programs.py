"""Programs of version 1, which agents follow and logs keep: a list of rules over what the partner did and
what the agent does.

A rule: {"when": {"partner_did": [kinds], "value": red|1..5, "touched": one|many} (absent: always),
         "then": {"action": play|discard|keep|hint|hint_color|hint_rank, "cards": …, "for": …, "value": …},
         "weight": -1 to 1}
Kinds of what a partner did: play, discard, hint_color, hint_rank, nothing (no move yet). `touched`: how many
cards the hint touches.
`cards`: touched, touched_newest, touched_oldest, untouched, untouched_newest, untouched_oldest, newest,
oldest, unsure, any, critical (to keep: what may be the last of its kind), {"slot": 0..4 from the oldest},
{"rank": 1..5}, {"color": …} or both; useless and sure: as far as the agent knows. `for` (hints): playable,
critical, useless, new (not told yet); `on`: oldest or newest, which card of the other's hand is hinted.
`unless`, beside `cards`: [{"rank": 5}, {"color": "red"}], cards that it doesn't mean once the agent knows
that they are such.
`habit` marks rules about which card or hint is chosen once such a move is made, as against rules that ask for
the move. `asked` marks hints with a purpose that the player asks for, as against hints that fit what the
player will do. `if`: conditions that `when` can't say (events.py). `but_not`, in `when`: the occasions for
which a later instruction has replaced the rule (standing.py). `after`: the place of the rule in a chain of
things that are done once, one after another (chain.py).
"""

from __future__ import annotations

KINDS = ("play", "discard", "hint_color", "hint_rank", "nothing")
"""What a partner did."""
HINTS = {"hint_color", "hint_rank"}
EVENTS = {**{kind: {kind} for kind in KINDS[:4]}, "hint": HINTS, "start": {"nothing"}}
"""The declared events that are told by what the partner did, with the kinds."""
HABITS = ("newest", "oldest", "untouched", "untouched_newest", "untouched_oldest", "useless")
"""Cards that are chosen once such a move is made: "discard your oldest" asks for no discard."""
POSITIONS = "ABCDE"
"""Of cards in a hand, from the oldest."""

"""Was an instruction followed? Judged by what a game's log shows: the open table before a move, and the move.

Nothing here asks the reader's prior, which is what agents were pushed by: a program's rules are held against
the partner's last move, the cards in the hand and what was done. Only the moment right after what a rule
waits for counts, not cards that were meant turns ago.
"""

from __future__ import annotations

from typing import Any

from engine.games.hanabi.options import COLOR_NAMES

HINTS = ("hint_color", "hint_rank")


def judged(program: dict[str, Any], before: dict[str, Any], event: dict[str, Any]) -> bool | None:
    """Whether the move `event` (a view's "last") does what the program asks for at the table `before` (an
    open view): any of what it asks for, and nothing that it forbids. None: it says nothing there.
    """
    seat = event["seat"]
    wanted, spared = [], []
    timed = any("after" in rule for rule in program["rules"])
    for rule in program["rules"]:
        if timed or "if" in rule or not _applies(rule.get("when"), before, seat):
            continue  # whether a condition held, or what was done before, can't be seen from one table
        what = rule["then"]
        if what.get("cards") == "critical":
            if event["kind"] == "discard":  # nobody but the table knows: by what was lost
                spared.append(bool(before["hands"][seat]["cards"][event["slots"][0]]["critical"]))
        elif what["action"] == "keep" or rule["weight"] < 0:
            does = _does({**what, "action": "discard"} if what["action"] == "keep" else what, before, event)
            if does is not None:
                spared.append(does)
        elif rule.get("habit") and not _is_of(what["action"], before, event):
            continue  # how to do something, not when
        elif (does := _does(what, before, event)) is not None:
            wanted.append(does)
    if any(spared):
        return False
    return any(wanted) if wanted else True if spared else None


def _is_of(action: str, before: dict[str, Any], event: dict[str, Any]) -> bool:
    """Whether the move is one that a habit is about: a hint, a discard, a play of a card that isn't sure."""
    if action.startswith("hint"):
        return event["kind"] in HINTS
    if event["kind"] != action:
        return False
    card = before["hands"][event["seat"]]["cards"][event["slots"][0]]
    return action != "play" or not _surely_playable(card, before)


def _applies(when: dict[str, Any] | None, before: dict[str, Any], seat: int) -> bool:
    """Whether what a rule waits for is what happened last."""
    if when is None:
        return True
    last = before["last"]
    if last is None or last["seat"] == seat:
        return "nothing" in when["partner_did"]
    if last["kind"] in HINTS and last["target"] != seat:
        return False
    many = "one" if len(last["slots"]) == 1 else "many"
    return (
        last["kind"] in when["partner_did"]
        and when.get("value") in (None, _value(last))
        and when.get("touched") in (None, many)
        and not any(_applies(other, before, seat) for other in when.get("but_not", ()))
    )


def _value(event: dict[str, Any]) -> str | int | None:
    """What a hint said: a colour's name, a rank from 1."""
    if event["kind"] not in HINTS:
        return None
    return COLOR_NAMES[event["value"]] if event["kind"] == "hint_color" else event["value"] + 1


def _does(what: dict[str, Any], before: dict[str, Any], event: dict[str, Any]) -> bool | None:
    """Whether the move is of a kind, on cards that are meant; None where it couldn't have been."""
    action, seat = what["action"], event["seat"]
    if action.startswith("hint"):
        if what.get("for") == "new":
            return _does_tell(what, before, event)
        if not before["information"] or what.get("for") and not _worth_hinting(what["for"], before, seat):
            return None
        if "on" in what and "for" not in what:
            hand = before["hands"][event["target"]]["cards"] if event["kind"] in HINTS else []
            meant = [0 if what["on"] == "oldest" else len(hand) - 1]
            return action in ("hint", event["kind"]) and bool(hand) and bool(set(meant) & set(event["slots"]))
        is_such = event["kind"] in HINTS and action in ("hint", event["kind"])
        is_such = is_such and what.get("value") in (None, _value(event))
        return is_such and (what.get("for") is None or _serves(what["for"], before, event))
    if action == "discard" and not before["may_discard"]:
        return None
    slots = _slots(what, before, seat)
    if action == "play":  # nobody means a card that hints say doesn't fit
        slots = [slot for slot in slots if any(_fits(before["hands"][seat]["cards"][slot], before))]
    if not slots:
        return None
    return event["kind"] == action and event["slots"][0] in slots


def _does_tell(what: dict[str, Any], before: dict[str, Any], event: dict[str, Any]) -> bool | None:
    """Whether a hint told of cards of a kind that hadn't been told of; None where nobody else holds any."""
    field = "rank" if what["action"] == "hint_rank" else "color"
    others = [hand for hand in before["hands"] if hand["seat"] != event["seat"]]
    new = {
        card["key"]
        for hand in others
        for card in hand["cards"]
        if card[field] is None and _is_value(card["card"], what["value"], before["ranks"])
    }
    if not new or not before["information"]:
        return None
    return (
        event["kind"] == what["action"] and _value(event) == what["value"] and bool(new & set(event["keys"]))
    )


def _is_value(card: int, value: str | int, ranks: int) -> bool:
    """Whether a card is of a rank from 1 or a colour."""
    return card % ranks + 1 == value if isinstance(value, int) else COLOR_NAMES[card // ranks] == value


def _worth_hinting(purpose: str, before: dict[str, Any], seat: int) -> bool:
    """Whether anybody else holds a card of that kind which no hint has told of."""
    others = [card for hand in before["hands"] if hand["seat"] != seat for card in hand["cards"]]
    return any(not card["touched"] and _is_for(purpose, card, before) for card in others)


def _serves(purpose: str, before: dict[str, Any], event: dict[str, Any]) -> bool:
    """Whether a hint touched a card that is playable, critical or useless."""
    hand = before["hands"][event["target"]]["cards"]
    return any(_is_for(purpose, hand[slot], before) for slot in event["slots"])


def _is_for(purpose: str, card: dict[str, Any], before: dict[str, Any]) -> bool:
    if purpose in ("playable", "critical"):
        return bool(card[purpose])
    return before["fireworks"][card["card"] // before["ranks"]] > card["card"] % before["ranks"]


def _slots(what: dict[str, Any], before: dict[str, Any], seat: int) -> list[int]:
    """The slots of the seat's hand that a rule's cards are, oldest first, less what it leaves out."""
    hand, cards, last = before["hands"][seat]["cards"], what["cards"], before["last"]
    every = list(range(len(hand)))
    if isinstance(cards, dict):
        slots = [slot for slot in every if slot == cards.get("slot") or _known(hand[slot], cards)]
    elif cards.startswith("touched"):
        hinted = last is not None and last["kind"] in HINTS and last["target"] == seat
        keys = set(last["keys"]) if hinted else set()
        slots = [slot for slot in every if hand[slot]["key"] in keys]
    elif cards.startswith("untouched"):
        slots = [slot for slot in every if not hand[slot]["touched"]]
    elif cards == "sure":
        slots = [slot for slot in every if _surely_playable(hand[slot], before)]
    elif cards == "useless":
        slots = [slot for slot in every if max(_heights(hand[slot], before), default=0) < 0]
    elif cards == "unsure":
        slots = [slot for slot in every if not _surely_playable(hand[slot], before)]
    else:
        slots = every
    if not isinstance(cards, dict):
        slots = slots[-1:] if cards.endswith("newest") else slots[:1] if cards.endswith("oldest") else slots
    return [slot for slot in slots if not any(_known(hand[slot], kind) for kind in what.get("unless", ()))]


def _known(card: dict[str, Any], what: dict[str, Any]) -> bool:
    """Whether hints say that a card is of this rank, this colour, or both."""
    rank, color = card["rank"], card["color"]
    said: dict[str, Any] = {"rank": None if rank is None else rank + 1}
    said["color"] = None if color is None else COLOR_NAMES[color]
    return bool({"rank", "color"} & set(what)) and all(said.get(name) == what[name] for name in what)


def _surely_playable(card: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a card fits whatever it is of what hints leave open."""
    fits = _fits(card, before)
    return bool(fits) and all(fits)


def _fits(card: dict[str, Any], before: dict[str, Any]) -> list[bool]:
    """Whether each card that hints leave open would fit."""
    return [height == 0 for height in _heights(card, before)]


def _heights(card: dict[str, Any], before: dict[str, Any]) -> list[int]:
    """How far above its firework each card is that hints leave open: 0 fits, less has been played."""
    ranks, done = before["ranks"], before["fireworks"]
    return [kind % ranks - done[kind // ranks] for kind, open_ in enumerate(card["plausible"]) if open_]

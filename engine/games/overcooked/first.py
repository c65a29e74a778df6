"""The first kitchen: the person puts an onion into a pot, the partner does the rest on an instruction, a soup
is served, and the next one is planned. The partner stands still until it has an instruction.
"""

from __future__ import annotations

from engine.games.first import First, Scene, Step, has_instruction
from engine.games.pages import ME


def took_an_onion(scene: Scene) -> bool:
    """The person has taken an onion."""
    picks = [event for event in scene.news if event["seat"] == scene.seat and event["kind"] == "pick"]
    return "onion" in [pick["item"]["kind"] for pick in picks]


def brought(scene: Scene, seat: int) -> bool:
    """A cook has put something into a pot."""
    return scene.did(seat, "put_pot")


FIRST = First(
    about="Bring an onion, tell your partner to do the others, serve a soup, plan the next one.",
    options={"layout": "cramped_room", "horizon": 1200, "tick_length": 200},
    wishes=(ME, "agent:companion-cramped_room"),
    seed=1,
    asleep={1: "stay"},
    steps=(
        Step(
            say="You are the cook with the ring. Walk ([kitchen.north] [kitchen.west] [kitchen.south] "
            "[kitchen.east]) to a box of onions, facing it, and press [kitchen.act].",
            touch="You are the cook with the ring. Walk with the pad to a box of onions, facing it, and tap "
            "Act.",
            done=took_an_onion,
            noticed="You hold an onion.",
        ),
        Step(
            say="Carry it to the pot on the stove, at the top, and press [kitchen.act] again.",
            touch="Carry it to the pot on the stove, at the top, and tap Act again.",
            done=lambda scene: brought(scene, scene.seat),
            noticed="The first onion is in the pot.",
        ),
        Step(
            say="A soup takes three. Let {partner} do the others: press [kitchen.instruct] and write, or "
            "take this sentence.",
            touch="A soup takes three. Let {partner} do the others: tap Talk and write, or take this "
            "sentence.",
            tell=("Put two onions into the pot.",),
            done=has_instruction,
            noticed="{partner} has understood you.",
        ),
        Step(
            say="Watch {partner}: it begins now. Step out of its way.",
            done=lambda scene: brought(scene, scene.partner),
            noticed="{partner} put an onion into the pot, as you had asked.",
            wakes=(1,),
            shows=True,
        ),
        Step(
            say="Take a plate from the pile at the bottom. When the pot is ready, fill the plate there and "
            "bring it to the window.",
            done=lambda scene: scene.did(scene.seat, "deliver") or scene.did(scene.partner, "deliver"),
            noticed="The first soup is served: 20 points.",
        ),
        Step(
            say="Plan the next one together: press [plan.toggle], and see who does what. Cross a step out "
            "with its ×, or add one of your own.",
            touch="Plan the next one together: tap Plan together, and see who does what. Cross a step out "
            "with its ×, or add one of your own.",
            done=lambda scene: scene.did(scene.seat, "plan_drop", "plan_add", "plan_move"),
            noticed="The plan goes on with your change in it.",
        ),
    ),
)

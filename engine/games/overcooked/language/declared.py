"""What can be said in a kitchen, declared (engine.language.declared), and how it is carried out."""

from __future__ import annotations

from engine.language.declared import Act, Declared, Slot

_PLACES = {
    "pot": "", "onion": "the onions", "tomato": "the tomatoes", "dish": "the plates", "serve": "the serving window",
    "counter": "", "here": "where the agent stands",
}  # fmt: skip
_SIDES = {
    "left": "", "right": "", "top": "top, upper, back", "bottom": "bottom, lower, front", "middle": "",
    "nearest": "nearest, closest", "other": "the other one, not the one in use",
}  # fmt: skip
_TO = {"me": "for or at the speaker"}

DECLARED = Declared(
    game="overcooked",
    about=(
        "Cooks share a kitchen: fetch onions (in some kitchens tomatoes) from crates, put three into a pot, it cooks "
        "(in some kitchens one has to start it), take a plate, scoop the soup up with it, serve it at the window. "
        "Counters hold things for others. One cook, a person (“me”), types to another cook, the agent."
    ),
    by={
        "me": "the speaker does it (“I'll serve”)",
        "both": "speaker and agent, all cooks",
        "other": "another cook, not the agent (“let the other one serve”)",
    },
    acts={
        "fetch": Act(
            "get something from where it lies; with to=me bring or hand it over", ("what", "at", "side", "to")
        ),
        "fill": Act("put onions or tomatoes into a pot (cook, “do onions”)", ("what", "side")),
        "lay": Act(
            "put something down on a counter; with to=me near the speaker", ("what", "side", "near", "to")
        ),
        "take": Act("take something that lies on a counter", ("what", "side")),
        "plate": Act("scoop soup out of a pot with a plate; with to=me hand that soup over", ("side", "to")),
        "serve": Act("carry soup to the window", ("side",)),
        "start": Act("switch a pot on so that it cooks", ("side",)),
        "wait": Act(
            "stay at a place and do nothing else there; without a place, wait where you are",
            ("at", "side", "to"),
        ),
        "go": Act("go to a place; with to=me come to the speaker", ("at", "side", "to")),
        "stop": Act("stop working, stand still"),
        "continue": Act("carry on with what you do"),
        "divide": Act("we share the work, without saying who does what"),
        "swap": Act("we exchange what we have been doing"),
        "clear": Act("get out of the way"),
    },
    slots={
        "what": Slot(
            "a thing",
            {
                "onion": "",
                "tomato": "",
                "dish": "plate, bowl",
                "soup": "",
                "held": "whatever the agent holds",
            },
        ),
        "at": Slot("a place", _PLACES),
        "side": Slot("which of several pots, counters, windows", _SIDES),
        "near": Slot("which counter: one near that", {**_PLACES}),
        "to": Slot("whom it is for", _TO),
    },
    limits={
        "times": Slot("how often or how many, where that is said or clear (“an onion” is 1)", number=True)
    },
    events={
        "ready": "a soup is done",
        "cooking": "a soup is cooking",
        "full": "the pot is full (three in it)",
        "empty": "a pot is empty",
        "room": "a pot lacks ingredients",
        "signal": "the speaker says so",
        "i_fill": "the speaker puts something into a pot",
        "i_plate": "the speaker takes a plate or scoops soup",
        "i_serve": "the speaker serves, has served",
        "i_bring": "the speaker brings or lays something there",
        "i_leave": "the speaker moves away, is through",
        "i_come": "the speaker comes (back)",
        "i_busy": "the speaker is busy or carries something",
        "you_free": "the agent has nothing else to do, has empty hands",
        "you_served": "the agent has served",
        "laid": "something lies on a counter",
        "way_free": "the way is free",
        "late": "the time is nearly over",
    },
)

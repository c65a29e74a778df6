"""What the pages offer and say of Arena."""

from __future__ import annotations

from engine.games.pages import AGENT, ME, Key, Level, Pages, Preset

WEAK, MIDDLE, STRONG = (f"{AGENT}{name}" for name in ("weak", "middle", "strong"))
Sides = tuple[tuple[str, ...], ...]


def _placed(name: str, label: str, *keys: str) -> Key:
    return Key(f"arena.{name}", label, keys, places=True, mouse=True)


def _match(name: str, text: str, easy: Sides, even: Sides, hard: Sides) -> Preset:
    """A person and three mates against squads of four. Levels were measured with these mates, who do as they
    are told (`manage.py evaluate led`); docs/arena.md has the figures.
    """
    options = {"teams": 1 + len(even), "team_size": 4, "pace": "calm"}
    rivals = [side[seat % len(side)] for side in even for seat in range(4)]
    return Preset(
        *(name, text, options, (ME, *[STRONG] * 3, *rivals)), {"Easy": easy, "Even": even, "Hard": hard}
    )


PAGES = Pages(
    place=3,
    heading="Fight beside people and agents",
    invited="your squad stands together until it is the last one",
    lasts="four to six minutes",
    lasts_with={
        ("pace", "calm"): "four to six minutes",
        ("pace", "short"): "one to two minutes",
        ("pace", "normal"): "up to five minutes",
        ("pace", "long"): "up to ten minutes",
    },
    seats_help="People and agents; or agents alone, and you watch.",
    watched=" (late, and through the eyes of the side for which people play)",
    partners="squad",
    example="Follow me and cover me. Rescue whoever is down.",
    offered={
        "teams": tuple(range(2, 21)),
        "team_size": (4, 3, 2, 1),
        "pace": ("calm", "short", "normal", "long"),
        "monsters": (4, 0, 2, 8),
        "map_seed": (),
    },
    labels={
        "teams": ("Squads", "At most 20 players in all."),
        "team_size": ("Players in a squad", "Squad mates share what they see."),
        "pace": ("How long", "How fast the safe zone closes in, and when squads look for each other."),
        "monsters": ("Monsters", "They guard their dens and drop medical kits."),
        "map_seed": ("Map", "The same number is the same map; none is one of 16."),
    },
    words={
        ("pace", "calm"): "4 to 6 minutes: the zone waits, and so do they",
        ("pace", "short"): "1 to 2 minutes: straight into the fight",
        ("pace", "normal"): "up to 5 minutes",
        ("pace", "long"): "up to 10 minutes: a slow zone",
    },
    apart=("pace",),
    numbers={"map_seed": (0, 2**31 - 1, "one of 16, by lot")},
    most_seats=20,
    presets=(
        _match(
            "Lead a squad",
            "You and three mates, who stay with you and do as you say, against three squads.",
            ((WEAK,),) * 3,
            ((WEAK,), (WEAK, MIDDLE), (MIDDLE,)),
            ((WEAK,), (MIDDLE,), (MIDDLE,)),
        ),
        _match(
            "Duel of squads",
            "You and three mates against one squad.",
            ((WEAK,),),
            ((MIDDLE, STRONG, STRONG, STRONG),),
            ((STRONG,),),
        ),
        _match(
            "Battle royale",
            "Five squads of four; the last one standing wins.",
            ((WEAK,),) * 4,
            ((WEAK,), (WEAK,), (MIDDLE,), (MIDDLE,)),
            ((WEAK,), (MIDDLE,), (MIDDLE,), (MIDDLE,)),
        ),
    ),
    levels=(
        Level("Easy", "beginners"),
        Level("Even", "if you lead your mates, you win about half"),
        Level("Hard", "better shots among them"),
    ),
    keys_title="The Arena",
    keys=(
        _placed("forward", "Walk forward", "KeyW"),
        _placed("back", "Walk back", "KeyS"),
        _placed("left", "Walk left", "KeyA"),
        _placed("right", "Walk right", "KeyD"),
        _placed("run", "Run", "ShiftLeft"),
        _placed("jump", "Jump, or get up", "Space"),
        _placed("crouch", "Crouch; slide while running", "KeyC", "ControlLeft"),
        _placed("prone", "Lie down, get up", "KeyZ"),
        _placed("slide", "Slide (while walking or running)", "KeyX"),
        _placed("fire", "Fire", "Mouse0", "KeyJ", "Numpad0"),
        _placed("zoom", "Look along the sights", "Mouse2", "KeyB"),
        _placed("aimHelp", "Aim help: stop, aim at whoever is nearest to the crosshair, fire", "KeyK"),
        _placed("turnLeft", "Turn left", "ArrowLeft"),
        _placed("turnRight", "Turn right", "ArrowRight"),
        _placed("lookUp", "Look up", "ArrowUp"),
        _placed("lookDown", "Look down", "ArrowDown"),
        _placed("reload", "Reload", "KeyR"),
        _placed("interact", "Open or close a door; hold: help a mate up", "KeyE"),
        _placed("pick", "Pick up", "KeyF"),
        _placed("drop", "Drop the weapon in hand", "KeyG"),
        _placed("treat", "Treat yourself (again: stop)", "KeyH", "Digit4"),
        _placed("slot1", "First weapon", "Digit1"),
        _placed("slot2", "Second weapon", "Digit2"),
        _placed("other", "The other weapon", "WheelUp", "WheelDown", "KeyQ"),
        _placed("instruct", "Tell your squad something", "KeyT", "Enter"),
        _placed("sentences", "Wheel of ready sentences", "KeyV"),
        _placed("scoreboard", "Scoreboard", "Tab"),
        _placed("map", "Map", "KeyM"),
        _placed("watch", "Watch the next player", "KeyN"),
        _placed("copilot", "Co-pilot: take over, hand back", "KeyP"),
        _placed("yes", "Yes, that is what I meant", "KeyY"),
        _placed("plan", "Plan together; hide or show the plan", "KeyU"),
        _placed("sound", "Sound on or off", "KeyL"),
        _placed("menu", "Menu", "Escape"),
    ),
)

"""What the pages offer and say of Arena."""

from __future__ import annotations

from engine.games.pages import AGENT, ME, Key, Pages, Preset

MATE, ENEMY, WEAK = f"{AGENT}champion", f"{AGENT}middle", f"{AGENT}weak"


def _placed(name: str, label: str, *keys: str) -> Key:
    return Key(f"arena.{name}", label, keys, places=True)


PAGES = Pages(
    place=3,
    heading="Fight beside people and agents",
    invited="your squad stands together until it is the last one",
    lasts="about two minutes",
    seats_help="People and agents; or agents alone, and you watch.",
    partners="squad",
    example="Follow me and cover me. Rescue whoever is down.",
    offered={
        "teams": tuple(range(2, 21)),
        "team_size": (4, 3, 2, 1),
        "pace": ("normal", "short", "long"),
        "monsters": (4, 0, 2, 8),
        "map_seed": (),
    },
    labels={
        "teams": ("Squads", "At most 20 players in all."),
        "team_size": ("Players in a squad", "Squad mates share what they see."),
        "pace": ("Safe zone", "How fast it closes in."),
        "monsters": ("Monsters", "They guard their dens and drop medical kits."),
        "map_seed": ("Map", "The same number is the same map; none is one of 16."),
    },
    words={
        ("pace", "short"): "about 2 minutes",
        ("pace", "normal"): "about 5 minutes",
        ("pace", "long"): "about 10 minutes",
    },
    numbers={"map_seed": (0, 2**31 - 1, "one of 16, by lot")},
    most_seats=20,
    presets=(
        Preset(
            "Training",
            "You and three good squad mates against four beginners, with little time to lose.",
            {"teams": 2, "team_size": 4, "pace": "short"},
            (ME, *[MATE] * 3, *[WEAK] * 4),
        ),
        Preset(
            "Duel of squads",
            "Two squads of four, evenly matched.",
            {"teams": 2, "team_size": 4},
            (ME, *[MATE] * 3, *[ENEMY] * 4),
        ),
        Preset(
            "Battle royale",
            "Five squads of four; the last one standing wins.",
            {"teams": 5, "team_size": 4},
            (ME, *[MATE] * 3, *[ENEMY] * 16),
        ),
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
        _placed("instruct", "Tell your team something", "KeyT", "Enter"),
        _placed("sentences", "Wheel of ready sentences", "KeyV"),
        _placed("scoreboard", "Scoreboard", "Tab"),
        _placed("map", "Map", "KeyM"),
        _placed("watch", "Watch the next player", "KeyN"),
        _placed("copilot", "Co-pilot: take over, hand back", "KeyP"),
        _placed("yes", "Yes, that is what I meant", "KeyY"),
        _placed("sound", "Sound on or off", "KeyL"),
        _placed("menu", "Menu", "Escape"),
    ),
)

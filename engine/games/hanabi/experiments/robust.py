"""Colours' and ranks' conventions in other words, with wrong answers, and by weight: see
engine.experiments.robust. The words of table 6 are the paper's (section 5.2, appendices C.1 and C.2).
"""

from typing import Any

from engine.experiments.robust import SAME
from engine.games.hanabi.experiments.instructed import COLOUR, RANK
from engine.games.hanabi.experiments.instructed import hands as instructed

PAPERS = (
    "If my partner tells me the '{one}' of some of my cards, I should 'play' those specific cards. If my "
    "partner does something else, e.g. discards their card or tells me the '{other}' of my cards, then I may "
    "'hint {one}' to my partner."
)
SIMPLE = (
    "If my partner told me the {one} of some of my cards, I should play those specific cards. Otherwise, I "
    "should hint {one} to my partner."
)


SHORT = {"colour": COLOUR, "rank": RANK}


def words(text: str) -> dict[str, str]:
    """An instruction by kind."""
    return {
        "colour": text.format(one="color", other="rank"),
        "rank": text.format(one="rank", other="color"),
    }


WORDS = {
    "without quotes": {"words": words(PAPERS.replace("'", ""))},
    "simple": {"words": words(SIMPLE)},
    "in short": {"words": SHORT},
}


def flips(*shares: float) -> dict[str, dict[str, float]]:
    """Variants by the share of answers that are wrong."""
    return {f"{share:.0%} wrong": {"flipped": share} for share in shares}


def weights(agent: str, *each: float) -> dict[str, dict[str, Any]]:
    """Variants by how firmly a fixed agent is told: 1 is an instruction's whole weight."""
    return {f"weight {weight:g}": {"agent": agent, "weight": weight} for weight in each}


LAMBDA = 0.05
"""The paper's, for its own words: at .09 and more they make agents play all that a hint touches, and
lose. Our short form takes that of `instructed`, at which conventions differ most."""


def hands(
    name: str, variants: dict[str, Any], bars: dict[str, float], moves: int, short: bool = True, **more: Any
) -> dict[str, Any]:
    """Two players who begin at what is grounded, as in `instructed`, for fewer moves."""
    whole = instructed(moves, **more)
    kept = ("seeds", "options", "program", "training", "episodes")
    if not short:
        whole["training"]["instruction_weight"] = LAMBDA
    return {
        **{part: whole[part] for part in kept},
        "name": name,
        "told": "instruction",
        "kinds": SHORT if short else words(PAPERS),
        "variants": variants,
        "bars": bars,
    }


ONCE_MORE = {SAME: {}}
APART = 0.5
"""Points that a variant may be less: as far as agents of one arm may be apart in `instructed`."""
GROUNDED = "hanabi/grounded"
EACH = 0.0, 0.05, 0.1, 0.2, 0.5, 1.0
MOVES, GAMES = 1_000_000, 500
SETTINGS = [
    hands(
        "hanabi-words",
        ONCE_MORE | WORDS,
        {"without quotes": APART, "simple": APART},
        MOVES,
        short=False,
        episodes=GAMES,
    ),
    hands("hanabi-wrong", ONCE_MORE | flips(0.1, 0.25, 0.5), {"10% wrong": APART}, MOVES, episodes=GAMES),
    hands("hanabi-weights", weights(GROUNDED, *EACH), {}, MOVES, episodes=GAMES),
]
QUICK = [
    hands(
        "hanabi-words", ONCE_MORE | {"simple": WORDS["simple"]}, {}, 16_384, short=False, episodes=20, envs=32
    ),
    hands("hanabi-wrong", ONCE_MORE | flips(0.5), {}, 16_384, episodes=20, envs=32),
    hands("hanabi-weights", weights(GROUNDED, 0.0, 0.2), {}, 16_384, episodes=20, envs=32),
]

"""Programs of version 1 are told back in the agent's words."""

import pytest

from engine.games.hanabi.language import say
from engine.games.hanabi.language.carried import carried
from engine.games.hanabi.language.declared import DECLARED
from engine.language import bank
from engine.language.declared import parse
from tests.engine.games.hanabi.language.test_following import program


@pytest.mark.parametrize(
    ("notation", "sentence"),
    [
        ("play cards=touched when=hint_color", "When you hint a colour, I play the cards it touches."),
        (
            "not discard cards=touched when=hint",
            "When you give a hint, I do not discard the cards it touches.",
        ),
        (
            "play cards=touched_newest when=hint_rank",
            "When you hint a rank, I play the newest card it touches.",
        ),
        (
            "keep cards=touched told=5 when=hint_rank",
            "When you hint a rank (5s), I keep the cards it touches.",
        ),
        (
            "play cards=touched told=red touch=many when=hint_color",
            "When you hint a colour (red) on several cards, I play the cards it touches.",
        ),
        ("play cards=newest", "I play my newest card."),
        ("now play cards=newest", "Right now, I play my newest card."),
        ("not play cards=newest", "I do not play my newest card."),
        ("play slot=3", "I play the card in position C."),
        (
            "discard cards=untouched_oldest",
            "When I discard, I discard my oldest card without a hint.",
        ),
        (
            "discard cards=oldest except=5",
            "When I discard, I discard my oldest card, except 5s.",
        ),
        (
            "discard cards=newest until=late",
            "When I discard, I discard my newest card, until the deck is nearly empty.",
        ),
        ("not discard rank=5", "I do not discard 5s."),
        (
            "keep cards=critical",
            "I keep cards that are the last of their kind.",
        ),
        ("rather hint kind_of=color", "I would rather hint colours."),
        ("hint kind_of=color unless=hint_rank", "I hint colours, unless you hint a rank."),
        ("not hint kind_of=rank", "I do not hint ranks."),
        ("rather not hint", "I would rather not give a hint."),
        ("hint about=playable", "I give a hint about cards that can be played."),
        (
            "hint about=oldest when=critical",
            "When your card is the last of its kind, I give a hint about your oldest card.",
        ),
        ("hint rank=5 about=new", "I hint 5s about what is not known yet."),
        (
            "by=both play cards=touched when=hint_color ; discard cards=oldest",
            "When the other hints a colour, each of us plays the cards it touches; when I discard, I discard "
            "my oldest card.",
        ),
    ],
)
def test_a_program_is_told_back_in_one_sentence(notation, sentence):
    assert say.sentence(program(notation)) == sentence


def test_whatever_people_say_programs_that_differ_are_told_differently():
    """A card that need not be kept was told as one to keep."""
    told: dict[str, list[dict]] = {}
    for notation in {one for _, notations, _ in bank.programs("hanabi") for one in notations.split(" || ")}:
        found = carried(parse(DECLARED, notation))
        if found.program and not found.left:
            rules = found.program["rules"]
            assert told.setdefault(say.sentence(found.program), rules) == rules, notation
    assert len(told) > 5000
    assert say.sentence(program("not keep cards=oldest")) == "I do not keep my oldest card."

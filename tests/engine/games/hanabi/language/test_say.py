"""Programs of version 1 are told back in the agent's words."""

import pytest

from engine.games.hanabi.language import say
from tests.engine.games.hanabi.language.test_following import program


@pytest.mark.parametrize(
    ("notation", "sentence"),
    [
        ("play cards=touched when=hint_color", "When you hint a colour, I play the cards it touches."),
        (
            "not discard cards=touched when=hint",
            "When you give me a hint, I do not discard the cards it touches.",
        ),
        (
            "play cards=touched_newest when=hint_rank",
            "When you hint a rank, I play the newest card it touches.",
        ),
        ("keep cards=touched told=5 when=hint_rank", "When you hint 5s, I keep the cards it touches."),
        (
            "play cards=touched told=red touch=many when=hint_color",
            "When you hint red and touch several cards, I play the cards it touches.",
        ),
        ("play cards=newest", "I play my newest card rather than any other that I am not sure of."),
        ("now play cards=newest", "I play my newest card."),
        ("not play cards=newest", "I do not play my newest card."),
        ("play slot=3", "I play the card in position C."),
        (
            "discard cards=untouched_oldest",
            "When I discard, I discard my oldest card that you have not hinted.",
        ),
        (
            "discard cards=oldest except=5",
            "When I discard, I discard my oldest card, unless I know that it is a 5.",
        ),
        (
            "discard cards=newest until=late",
            "When I discard, I discard my newest card, until the deck is nearly empty.",
        ),
        ("not discard rank=5", "I do not discard cards that I know are 5s."),
        (
            "keep cards=critical",
            "I keep what I know is the last of its kind, and discard what is least likely to be.",
        ),
        ("rather hint kind_of=color", "I prefer to hint colours rather than ranks."),
        ("hint kind_of=color unless=hint_rank", "When you do not hint a rank, I hint colours."),
        ("not hint kind_of=rank", "I do not hint ranks."),
        ("rather not hint", "I give fewer hints."),
        ("hint about=playable", "I hint cards that you can play."),
        ("hint about=oldest when=critical", "I hint your oldest card when it must not be discarded."),
        ("hint rank=5 about=new", "I tell you of 5s that you don't know yet."),
        (
            "by=both play cards=touched when=hint_color ; discard cards=oldest",
            "When you hint a colour, I play the cards it touches; I hint a colour for cards that you can "
            "play; when I discard, I discard my oldest card.",
        ),
    ],
)
def test_a_program_is_told_back_in_one_sentence(notation, sentence):
    assert say.sentence(program(notation)) == sentence

"""Names of who sits at the table, in what is typed."""

import pytest

from engine import language
from engine.language import people

FOUR = {"names": ["Pia", "Bea Lee", "Squad 1", "Squad 2"], "seat": 0, "people": [0, 1]}
THREE = {"names": ["Pia", "bea_99", "Otto bot"], "seat": 0, "people": [0, 1]}
TWO = {"names": ["Pia", "Otto"], "seat": 0, "people": [0]}


def clauses(text: str, context: dict = FOUR) -> list[tuple]:
    reading = language.read("arena", text, context)
    assert reading.text == text and not reading.refused, reading
    return [(one["kind"], one["who"], one["to"]) for one in reading.program["clauses"]]


@pytest.mark.parametrize(
    "text",
    [
        "follow bea",
        "follow Bea Lee!",
        "follow @bea",
        "follow bea's lead",
        "follow my mate bea",
        "follow our other player",
    ],
)
def test_the_shown_name_of_somebody_is_them(text):
    assert clauses(text) == [("follow", "player 2", None)]


def test_who_is_named_is_helped_covered_and_spoken_to():
    assert clauses("cover my mate bea") == clauses("protect bea") == [("cover", "player 2", None)]
    assert clauses("revive bea")[0] == ("rescue", "player 2", None)
    assert clauses("bea needs help") == [("help", "player 2", None)]
    assert clauses("hey bea, follow me") == [("follow", "me", "player 2")]


BOTS = {"names": ["Pia", "Convention bot 1", "Convention bot 2", "Grounded bot 2"], "seat": 0, "people": [0]}


def test_a_partner_with_a_number_is_known_by_the_last_word_before_it():
    """The number is no rank of a card."""
    reading = language.read("hanabi", "bot 1: discard your oldest card", BOTS)
    assert reading.sentence == "When I discard, I discard my oldest card." and not reading.unread
    assert reading.to == language.read("hanabi", "bot one, discard your oldest card", BOTS).to == 1
    assert language.read("hanabi", "bot 1 shouldn't hint 5's", BOTS).refused, "about one of several"
    assert "bot 2" not in people.called("hanabi", BOTS["names"]), "there are two"
    squads = {"names": ["Pia", "Weak squad 1", "Weak squad 2"], "seat": 0, "people": [0]}
    assert clauses("follow squad two", squads) == [("follow", "player 3", None)]


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("arena", "follow zoe"),
        ("arena", "cover Zoe, she is low"),
        ("overcooked", "help zoe"),
        ("overcooked", "pass the onions to zoe"),
        ("hanabi", "if zoe hints red, play it"),
        ("overcooked", "get out of zoe's way"),
    ],
)
@pytest.mark.parametrize("context", [None, THREE])
def test_a_name_that_nobody_has_is_not_understood_and_never_the_speaker(game, text, context):
    reading = language.read(game, text, context)
    assert reading.refused and reading.program is None
    assert (
        reading.sentence.lower() == "i don't know who “zoe” is here." and reading.unread[0].lower() == "zoe"
    )


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("hanabi", "hint critical cards"),
        ("hanabi", "give fewer hints"),
        ("hanabi", "when someone plays a five, hint ones"),
        ("overcooked", "bring chopped onions"),
        ("overcooked", "pass available plates"),
        ("arena", "protect allies"),
        ("arena", "follow afterwards"),
        ("arena", "COVER THE HOUSE"),
    ],
)
def test_a_word_of_the_language_is_nobodys_name(game, text):
    assert not people.stranger(game, text, knows_seats=game == "arena")


@pytest.mark.parametrize("text", ["hint Dave a card", "give onions to dave", "cover dave and shoot"])
def test_a_name_is_somebody_wherever_it_stands(text):
    assert people.stranger("hanabi", text, knows_seats=False).lower() == "dave"


def test_of_ten_or_more_each_is_who_they_are():
    context = {"names": [f"{name}bert" for name in "ABCDEFGHIJKL"], "seat": 0, "people": [0]}
    for text in ("follow lbert", "cover lbert"):
        assert clauses(text, context)[0][1] == "player 12"
    assert clauses("lbert needs help", context) == [("help", "player 12", None)]


def test_in_games_that_know_no_seats_the_only_other_one_is_you():
    assert people.placed("hanabi", "Otto, hint my ones", TWO, False) == "hint my ones"
    assert people.placed("hanabi", "if otto's hand is full", TWO, False) == "if your hand is full"
    assert people.placed("hanabi", "hint pia", TWO, False) == "hint me"
    plain = language.read("hanabi", "hint my ones")
    assert language.read("hanabi", "Otto, hint my ones", TWO).program == plain.program


def test_what_is_about_one_of_several_others_is_left_out_or_refused_but_not_done_to_somebody_else():
    part = language.read("overcooked", "Bea does the onions, you do dishes", THREE)
    assert (part.sentence, part.unread) == ("I fetch plates.", ["Bea does the onions"])
    for game, text in (
        ("overcooked", "pass onions to bea"),
        ("hanabi", "if bea hints red, play your newest card"),
    ):
        reading = language.read(game, text, THREE)
        assert reading.refused and "can't tell the other players apart" in reading.sentence


def test_a_name_that_is_a_word_is_read_where_it_is_written_as_a_name():
    context = {"names": ["Pia", "Will"], "seat": 0, "people": [0, 1]}
    assert people.placed("arena", "Will you follow Will", context, True) == "Will you follow player 2"
    assert people.placed("arena", "you will follow me", context, True) == "you will follow me"


@pytest.mark.parametrize(
    "context", [None, {"names": ["Pia", "Bea", "Otto", "Squad"], "seat": 0, "people": [0, 1, 2]}]
)
def test_some_other_is_nobody_where_it_is_not_known_which_and_never_the_speaker(context):
    for text in ("follow the other guy, not me", "go with the other player"):
        reading = language.read("arena", text, context)
        assert reading.refused and not reading.alternatives
        assert reading.sentence == f"I don't know who “{reading.unread[0]}” is here."


def test_the_last_word_of_a_name_is_enough():
    context = {"names": ["Pia", "Guest 7f3a", "Squad 1", "Squad 2"], "seat": 0, "people": [0, 1]}
    assert (
        clauses("follow 7f3a", context)
        == clauses("follow guest 7f3a", context)
        == [("follow", "player 2", None)]
    )


@pytest.mark.parametrize("name", ["New Player", "Player", "Player X", "New Player 2"])
def test_a_player_with_a_number_is_a_seat_whoever_is_called_player(name):
    context = {"names": ["Pia", "Squad 1", "Squad 2", name], "seat": 0, "people": [0, 3]}
    assert people.placed("arena", "follow player two", context, True) == "follow player 2"
    assert clauses("follow Player 2", context) == [("follow", "player 2", None)]
    assert clauses("revive Player 3", context)[0] == ("rescue", "player 3", None)
    assert clauses(f"follow {name}", context) == [("follow", "player 4", None)]


def test_the_last_word_of_a_name_is_nobody_where_it_is_a_word_of_the_game():
    context = {"names": ["Pia", "Ben House", "Anna Zone", "Sea Otter"], "seat": 0, "people": [0, 1, 2, 3]}
    for text in ("go into the House", "get to the Zone"):
        assert people.placed("arena", text, context, True) == text
    assert (
        clauses("follow ben", context)
        == clauses("follow Ben House", context)
        == [("follow", "player 2", None)]
    )
    assert clauses("follow otter", context) == [("follow", "player 4", None)]


@pytest.mark.parametrize("context", [None, FOUR])
def test_a_seat_is_the_same_whether_its_number_is_a_digit_or_a_word(context):
    for digits, words in (
        ("follow player 2", "follow player two"),
        ("Player 3, hold here", "Player Three, hold here"),
        ("revive player 4", "revive player four"),
        ("cover player 12", "cover player twelve"),
    ):
        (of_digits, of_words) = (language.read("arena", text, context) for text in (digits, words))
        assert (of_words.program, of_words.unread) == (of_digits.program, of_digits.unread)
    assert people.placed("arena", "give the player two onions", context, True) == "give the player two onions"
    assert people.placed("overcooked", "help the player two cells away", context, True).endswith(
        "two cells away"
    )


def test_somebody_called_player_three_changes_nobody_elses_name():
    table = {"names": ["Pia", "Player 3", "Bea", "Squad 1"], "seat": 0, "people": [0, 1, 2]}

    def placed(text: str) -> str:
        return people.placed("arena", text, table, knows_seats=True)

    assert placed("follow bea and cover squad 1") == "follow player 3 and cover player 4"
    assert placed("Bea's post, then squad 1's") == "player 3 post, then player 4"


COOKS = {"names": ["Pia", "Onion cook 1", "Onion cook 2"], "seat": 0, "people": [0]}


@pytest.mark.parametrize(
    ("text", "to"),
    [
        ("Cook 2: you do onions", 2),
        ("cook two you do onions", 2),
        ("bring dishes, cook 1", 1),
        ("hey player 3, bring onions", 2),
        ("everybody bring onions", None),
        ("cook onions", None),
    ],
)
def test_one_of_several_like_agents_is_told_alone_by_its_name(text, to):
    reading = language.read("overcooked", text, COOKS)
    assert (reading.to, reading.refused, reading.text) == (to, False, text)
    assert language.read("overcooked", text).to is None, "nobody is there who could be called"

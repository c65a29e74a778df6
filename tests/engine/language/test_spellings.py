"""A wish has one way of writing, typed with or without apostrophes, quotes and digits."""

import pytest

from engine import language
from engine.language import text as typed


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("don’t hint “5”’s", "don't hint 5s"),
        ("discard your one's, then the three's", "discard your one's, then the 3s"),
        ("the soup's done, the pot's in the way", "the soup's done, the pot's in the way"),
        ("stay out of the chef's way", "stay out of the chef's way"),
        ("it's ill, i said 'go', “one” means play", "it's ill, i said go, 1 means play"),
        ("its colour; its done", "its colour; it's done"),
    ],
)
def test_one_way_of_writing_stands_for_all(text, plain):
    assert typed.clean(text) == plain


@pytest.mark.parametrize(
    ("game", "text", "plain"),
    [
        ("hanabi", "always discard your one's", "always discard your ones"),
        ("hanabi", "save the five's please", "save the fives please"),
        ("overcooked", "can you do the onion's", "can you do the onions"),
        ("overcooked", "bring me two tomato's", "bring me two tomatoes"),
        ("arena", "attack the enemy's", "attack the enemies"),
    ],
)
def test_the_model_reads_a_plural_with_an_apostrophe_as_a_plural(game, text, plain):
    found, wanted = (language.read(game, one).program for one in (text, plain))
    assert wanted is not None and found == wanted


@pytest.mark.parametrize("game", language.games())
def test_a_digit_that_is_no_decimal_one_is_a_word_like_others(game):
    assert language.read(game, "wait ፩ seconds, ① onions").text

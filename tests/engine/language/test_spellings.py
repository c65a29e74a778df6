"""The same wish, typed with and without apostrophes, quotes and digits, is read the same.

The rows were written as players type, before anybody looked at the grammars' rules.
"""

import pytest

from engine import language
from engine.language import text as typed

# One wish a line, ways of typing it between bars.
HANABI = """
don't hint 5s | don't hint 5's | don’t hint 5’s | dont hint fives
discard your 1s | discard your 1's | discard your ones | discard your 1´s
play 1s first | play 1's first | play ones first
save the 5s | save the 5's | save the fives
hint 2s early | hint 2’s early | hint twos early
never discard 5s | never discard 5’s | never discard five's
play red 1s | play red 1's | play red ones
if I hint 1s, play them all | if I hint 1's, play them all | if i hint ones, play them all
if i tell you about 5s keep them | if i tell you about 5's keep them | if i tell you about fives keep them
don't discard blues | don’t discard blue's | dont discard blues
tell me about my 5s | tell me about my 5's | tell me about my fives
play your 3s | play your three's | play your threes | play your 3's
hint numbers not colours | hint number's not colour's | hint numbers, not colours
if i hint red, play it | if i hint 'red', play it | if i hint “red”, play it | if i hint "red", play it
I'll hint ones, you play them | I’ll hint 1's, you play them | ill hint ones, you play them
clue my 4s last | clue my 4's last | clue my fours last
don't play 4s unless you're sure | don’t play 4's unless you’re sure | dont play 4s unless youre sure
let's save our 5s | let’s save our 5's | lets save our fives
discard known 1s | discard known 1's | discard known ones
color hints mean play | color hint's mean play | colour hints mean play
keep 2s and 3s | keep 2's and 3's | keep twos and threes
a 1 hint means play | a '1' hint means play | a “1” hint means play
hint my 5s right away | hint my 5's right away | hint my “5”s right away
"""
OVERCOOKED = """
make 2 soups | make two soups | make 2 soup's
put 3 onions in the pot | put three onions in the pot | put 3 onion's in the pot
I'll do onions, you plates | I’ll do onions, you plates | I'll do onion's, you plate's
don't touch my pot | don’t touch my pot | dont touch my pot
fill the pot with 3 tomatoes | fill the pot with 3 tomato's | fill the pot with three tomatoes
let's use the left pot | let’s use the left pot | lets use the left pot
don't pick up onions | don’t pick up onion's | dont pick up onions
you're in my way | you’re in my way | youre in my way
bring 2 dishes | bring two dishes | bring 2 dish's
serve the soups | serve the soup's | serve the “soups”
get 1 plate | get one plate | get '1' plate
wait until it's cooked | wait until it’s cooked | wait until its cooked
fetch onions only | fetch onion's only | fetch 'onions' only
put 2 onions in the top pot | put two onions in the top pot | put 2 onion's in the top pot
I'm doing dishes, you do onions | I’m doing dishes, you do onions | im doing dishes, you do onions
don't serve yet | don’t serve yet | dont serve yet
when the soup's done, serve it | when the soup’s done, serve it | when the soup is done, serve it
that's your pot | that’s your pot | thats your pot
stay out of the chef's way | stay out of the chef’s way
cook 3 onion soups | cook three onion soups | cook 3 onion soup's
you get onions, i'll plate | you get onions, i’ll plate | you get onions, ill plate
don't wait for me, just go | don’t wait for me, just go | dont wait for me, just go
hand me 1 onion | hand me one onion | hand me '1' onion
"""
ARENA = """
don't shoot | don’t shoot | dont shoot
stay 5 meters behind me | stay five meters behind me | stay 5 meter's behind me
attack the 2 enemies | attack the two enemies | attack the 2 enemy's
let's go to the flag | let’s go to the flag | lets go to the flag
I'm reloading, cover me | I’m reloading, cover me | im reloading, cover me
don't let them reach the building | don’t let them reach the building | dont let them reach the building
they're behind us | they’re behind us | theyre behind us
keep 10 metres away from me | keep ten metres away from me | keep 10 metre's away from me
follow me, don't fight | follow me, don’t fight | follow me, dont fight
shoot enemies on sight | shoot enemy's on sight | shoot 'enemies' on sight
when I'm down, revive me | when I’m down, revive me | when im down, revive me
he's low, finish him | he’s low, finish him | hes low, finish him
you two flank left | you 2 flank left | you “two” flank left
give me 1 medkit | give me one medkit | give me '1' medkit
pick up guns and grenades | pick up gun's and grenade's | pick up “guns” and grenades
I'll go left, you go right | I’ll go left, you go right | ill go left, you go right
don't pick anything up | don’t pick anything up | dont pick anything up
wait 3 seconds then attack | wait three seconds then attack | wait 3 second's then attack
you're too close, back off | you’re too close, back off | youre too close, back off
attack from 2 sides | attack from two sides | attack from 2 side's
it's clear, move up | it’s clear, move up | its clear, move up
crouch and don't move | crouch and don’t move | crouch and dont move
watch the 2 doors | watch the two doors | watch the 2 door's
"""


@pytest.mark.parametrize(("game", "rows"), [("hanabi", HANABI), ("overcooked", OVERCOOKED), ("arena", ARENA)])
def test_apostrophes_quotes_and_digits_change_no_reading(game, rows):
    wishes = [line.split(" | ") for line in rows.strip().splitlines()]
    assert len(wishes) > 20
    for first, *others in wishes:
        meant = language.read(game, first)
        for other in others:
            reading = language.read(game, other)
            assert (reading.refused, reading.sentence) == (meant.refused, meant.sentence), (first, other)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("don’t hint “5”’s", "don't hint 5s"),
        ("discard your one's, then the three's", "discard your ones, then the 3s"),
        ("the soup's done, the pot's in the way", "the soup's done, the pot's in the way"),
        ("stay out of the chef's way", "stay out of the chef's way"),
        ("it's ill, i said 'go', “one” means play", "it's ill, i said go, 1 means play"),
        ("kill enemy's, get tomato's for the boss's pot", "kill enemies, get tomatoes for the boss's pot"),
        ("its colour; its done", "its colour; it's done"),
    ],
)
def test_one_way_of_writing_stands_for_all(text, plain):
    assert typed.clean(text) == plain


@pytest.mark.parametrize(
    ("game", "text", "own"),
    [
        ("arena", "follow me and player 3 quickly", ["player 3"]),
        ("hanabi", "play your zork's", ["zork's"]),
        ("overcooked", "glorp the onions, hang on", []),
    ],
)
def test_what_was_left_out_is_said_in_the_players_own_words(game, text, own):
    left = language.read(game, text).unread
    assert all(word.lower() in text.lower() for word in left) and set(own) <= set(left), left


def test_looking_for_what_was_left_out_takes_few_readings():
    text, said, asked = " ".join(f"w{at}" for at in range(300)), [f"put{at}" for at in range(40)], []

    def again(other: str) -> list[str]:
        asked.append(other)
        return said if "w200" in other else []

    assert typed.own_words(text, said, again) == ["w200"]
    assert len(asked) < 100


@pytest.mark.parametrize("game", language.games())
def test_a_digit_that_is_no_decimal_one_is_a_word_like_others(game):
    assert language.read(game, "wait ፩ seconds, ① onions").text

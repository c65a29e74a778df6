"""What somebody means who was shown several readings."""

from __future__ import annotations

import pytest

from engine import language
from engine.language import bank

WORDS = "Colour hints mean play"


def test_the_first_reading_is_meant_unless_another_one_was_chosen():
    first, other = (language.meant("hanabi", WORDS, number) for number in (0, 1))
    assert first == language.read("hanabi", WORDS)
    assert first.alternatives[0] == {"sentence": other.sentence, "program": other.program}
    assert first.program != other.program and not other.refused


@pytest.mark.parametrize(
    ("text", "number", "sentence"),
    [
        ("the weather is nice", 0, "can't be followed"),
        ("thanks", 0, "can't be followed"),
        (WORDS, 9, "no reading 9"),
    ],
)
def test_what_nobody_can_mean_is_refused_with_a_sentence(text, number, sentence):
    with pytest.raises(ValueError, match=sentence):
        language.meant("hanabi", text, number)


@pytest.mark.parametrize("game", language.games())
def test_words_to_begin_with_are_read_and_mean_different_things(game):
    texts = bank.ready(game)
    readings = [language.read(game, text) for text in texts]
    assert len(texts) > 2 and not any(reading.refused for reading in readings)
    assert len({reading.sentence for reading in readings}) > len(texts) / 2

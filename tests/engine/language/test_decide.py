"""The prior as yes/no questions, against the oracle of the instructRL paper (appendix C.1)."""

import numpy as np
import pytest

from engine import language
from engine.language import questions
from engine.language.decide import decide

TEXTS = {
    "color": "If my partner hints a color I should play those cards, otherwise I should hint color.",
    "rank": "when i clue rank play it, else clue rank to me",
}
SIMPLE = TEXTS["color"]


def oracle(kind: str) -> np.ndarray:
    """1 for playing what the hint touched, and for hinting `kind` when the partner did anything else."""
    said = []
    for question in questions("hanabi"):
        seen, move = question["observation_key"], question["action_key"]
        if seen.startswith(f"hint_{kind}:"):
            said.append(move.startswith("play:") and move[-1] in seen.split(":")[2].split(","))
        else:
            said.append(move == f"hint_{kind}")
    return np.array(said, float)


def test_there_are_321_observations_and_12_moves():
    asked = questions("hanabi")
    assert len(asked) == 3852
    assert len({q["observation"] for q in asked}) == 321
    assert len({q["action"] for q in asked}) == 12


@pytest.mark.parametrize("kind", ["color", "rank"])
def test_the_instructions_of_the_paper_are_answered_as_its_oracle_does(kind):
    said = decide({"game": "hanabi", "instruction": TEXTS[kind]}, questions("hanabi"))
    expected = oracle(kind)
    assert (int(expected.sum()), int((1 - expected).sum())) == (566, 3286)
    assert np.array_equal(said, expected)


def test_questions_are_answered_by_their_text_too():
    asked = questions("hanabi")[200:260]
    texts = [{"observation": q["observation"], "action": q["action"]} for q in asked]
    context = {"game": "hanabi", "instruction": SIMPLE}
    assert np.array_equal(decide(context, texts), decide(context, asked))


def test_what_it_does_not_know_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="That is talk"):
        decide({"game": "hanabi", "instruction": "nice one partner!!"}, questions("hanabi")[:1])
    with pytest.raises(ValueError, match="answers questions about arena, .*hanabi"):
        decide({"game": "go", "instruction": SIMPLE}, [])
    with pytest.raises(ValueError, match="does not know"):
        decide({"game": "hanabi", "instruction": SIMPLE}, [{"observation": "it rains", "action": "play"}])


def test_an_instruction_is_read_once_for_all_questions(monkeypatch):
    """Thousands of questions about a text that takes a while would take an hour."""
    read, texts = language.read, []

    def count(game, text):
        texts.append(text)
        return read(game, text)

    monkeypatch.setattr(language, "read", count)
    found = decide({"game": "hanabi", "instruction": SIMPLE}, questions("hanabi"))
    assert len(found) == 321 * 12 and texts == [SIMPLE]

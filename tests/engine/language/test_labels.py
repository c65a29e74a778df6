"""The labels that the model finds beside programs; what loading the reader takes."""

import json
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from safetensors.numpy import save_file

from engine import brings, language
from engine.evaluation import instructions
from engine.language import encoder, labels
from engine.language.bank import bank, development
from engine.language.model import LEAST_ASKING, shipped
from tests.waiting import no_hang

GAMES = ("arena", "hanabi", "overcooked")
ARENA = brings.Language.of("arena").DECLARED


BERT = """
import torch
from transformers import BertConfig, BertModel
from engine.language import encoder
from engine.learning.reading.networks import Encoder
config = BertConfig(
    hidden_size=encoder.WIDTH, num_hidden_layers=encoder.LAYERS, num_attention_heads=encoder.HEADS,
    intermediate_size=4 * encoder.WIDTH, hidden_act="gelu_pytorch_tanh", vocab_size=200,
)
torch.manual_seed(0)
bert = BertModel(config, add_pooling_layer=False).eval()
ids = torch.tensor([[101, 7, 9, 150, 3, 102]])
own = Encoder({name.replace(".", "_"): value.numpy() for name, value in bert.state_dict().items()}).eval()
with torch.no_grad():
    print(float((bert(ids).last_hidden_state - own(ids, ids > 0)).abs().max()))
"""


def test_the_encoder_is_the_bert_that_it_says():
    """In a process of its own: others test that nothing has loaded transformers."""
    done = subprocess.run([sys.executable, "-c", BERT], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1e-4


def test_a_file_that_holds_no_reader_is_refused_with_a_sentence(tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="is no safetensors file"):
        encoder.load(path)
    save_file({"a": np.zeros(2, np.float32)}, path)
    with pytest.raises(ValueError, match="holds no reader"):
        encoder.load(path)


@pytest.mark.parametrize("game", GAMES)
def test_the_development_set_is_in_no_other_set(game):
    own, new, held_out = (
        {row["text"].strip().lower() for row in rows}
        for rows in (bank(game), development(game), instructions.load(game))
    )
    assert len(new) == len(development(game)) > 200 and not new & own and not new & held_out


@pytest.mark.parametrize(("game", "names", "end"), [("arena", 33, "="), ("overcooked", 17, " ")])
def test_every_sub_goal_and_intent_has_twenty_phrasings(game, names, end):
    rows = [row for row in bank(game) if not row["refused"]]
    counts = Counter(
        name for row in rows for name in {one.split(end)[0] for one in labels.labels_of(game, row)}
    )
    assert len(counts) == names
    assert min(counts.values()) >= 20, {name: count for name, count in counts.items() if count < 20}


# --- Labels ------------------------------------------------------------------------------------------------


@pytest.fixture
def thinks(monkeypatch):
    """A function: what the head of Arena finds in every text."""

    def think(asks: float, **odds: float) -> None:
        names = [name.lower().replace(" ", "_").replace("=", "_") for name in ARENA.labels]
        bias = np.array([asks, *(odds.get(name, -5.0) for name in names)])
        nothing = np.zeros((1, 2 * encoder.WIDTH)), np.zeros(1), np.zeros((len(bias), 1))
        monkeypatch.setitem(shipped().heads, "arena", [*nothing, bias])

    return think


def test_of_two_values_of_one_sub_goal_the_likelier_is_meant(thinks):
    thinks(5.0, average_velocity_slow=2.0, average_velocity_fast=3.0, health_level_full=1.0)
    assert labels.labels("arena", "xyzzy plugh") == ["Average velocity=Fast", "Health level=Full"]


def test_what_asks_for_nothing_has_no_labels(thinks):
    thinks(LEAST_ASKING - 0.1, average_velocity_slow=2.0)
    assert labels.labels("arena", "xyzzy plugh") == [] and labels.labelled("arena", "xyzzy plugh") is None
    assert labels.labels("say_select", "xyzzy plugh") == []


def test_the_head_finds_labels_of_the_table():
    texts = [row["text"] for row in bank("arena") if not row["refused"]][:40]
    found = [labels.labels("arena", text) for text in texts]
    assert sum(map(bool, found)) > 30 and {label for own in found for label in own} <= set(ARENA.labels)


# --- As shipped --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "text", ["", " ", "x" * 100_000, "\x00\x01", "🎉" * 50, "<b>hi</b>", "今日は良い天気ですね"]
)
def test_nonsense_is_refused_with_a_sentence(game, text):
    with no_hang():
        reading = language.read(game, text)
    assert reading.refused and reading.sentence.endswith((".", "”."))


def test_after_warming_up_the_first_text_loads_nothing():
    program = (
        "import sys; from engine import language; language.warm(); opened = []; "
        "sys.addaudithook(lambda event, which: event == 'open' and opened.append(which[0])); "
        "[language.read(game, 'please do wait over there, then hint red') for game in language.games()]; "
        "print(opened)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_readers_need_no_torch():
    program = (
        "import sys, json; from engine import language; language.warm(); "
        "print(json.dumps([name for name in ('torch', 'transformers') if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []

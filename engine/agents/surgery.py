"""Weight surgery: a trained agent gets new inputs or new choices, and at first acts as before.

OpenContra, Appendix D (after Berner et al. 2019): worlds change while agents train, and what was learned is
kept. New input columns begin at zero, so that they change nothing before training. A new choice begins so
unlikely (NEW_CHOICE) that no probability changes by more than 1e-6.

Pure functions over an agent's tensors, and a command that brings an older agent up to the inputs and choices
that its game has now (its card names those that it was trained with):

    python -m engine.agents.surgery --agent FOLDER --out FOLDER

`manage.py agents widen` writes an agent with inputs for instructions (`hearing`). Not for training, which
engine.learning does with the result.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from engine import brings, command_line, language
from engine.agents.acting import ANSWERS, told_size
from engine.agents.catalogue import WEIGHTS, load, read_card, write_agent
from engine.agents.features import FEATURES
from engine.agents.layers import GATES, GOAL, behind, memory_size, told_layers
from engine.refusal import Refusal

Tensors = dict[str, np.ndarray]
BLOCKS = 2  # residual blocks of a new encoder of goals
NEW_CHOICE = -20.0  # logits below the rest at which a new choice begins


def _places(old: list[str], new: list[str], what: str) -> np.ndarray:
    """Where each old name is among the new ones."""
    if len(set(new)) != len(new) or len(set(old)) != len(old):
        raise Refusal(f"The names of {what} must differ from each other.")
    where = {name: index for index, name in enumerate(new)}
    lost = [name for name in old if name not in where]
    if lost:
        raise Refusal(f"Surgery adds {what}, but {lost[0]!r} would be lost.")
    return np.array([where[name] for name in old], np.int64)


def add_inputs(tensors: Tensors, old: list[str], new: list[str]) -> Tensors:
    """The agent with the inputs `new`, where it had `old`, in any order. Columns of the first layer are
    matched by name; columns of new names are zero. Raises Refusal if an old name is missing or `old` isn't
    what the agent reads.
    """
    weight = np.asarray(tensors["hidden.0.weight"])
    if weight.shape[1] != len(old):
        raise Refusal(f"The agent reads {weight.shape[1]} inputs, not {len(old)}.")
    places = _places(old, new, "inputs")
    wider = np.zeros((len(weight), len(new)), weight.dtype)
    wider[:, places] = weight
    return {**tensors, "hidden.0.weight": wider}


def add_choices(tensors: Tensors, old: list[str], new: list[str]) -> Tensors:
    """The agent with the choices `new`, where it had `old`; logits of old ones are unchanged. Names contain
    their head ("body/jump"). A new choice has zero weights and a bias NEW_CHOICE below the least bias. Raises
    Refusal if an old name is missing or `old` isn't what the agent chooses from.
    """
    weight, bias = tensors["policy.weight"], tensors["policy.bias"]
    if len(bias) != len(old):
        raise Refusal(f"The agent has {len(bias)} choices, not {len(old)}.")
    places = _places(old, new, "choices")
    rows = np.zeros((len(new), weight.shape[1]), weight.dtype)
    offsets = np.full(len(new), float(bias.min()) + NEW_CHOICE, bias.dtype)
    rows[places], offsets[places] = weight, bias
    return {**tensors, "policy.weight": rows, "policy.bias": offsets}


def hearing(tensors: Tensors, card: dict[str, Any], answers: bool = False) -> tuple[Tensors, dict[str, Any]]:
    """The agent with inputs for instructions behind its other inputs, and its card; the agent itself if it
    has them already. With `answers` it also has the instruction's answers for the moves of now as inputs, and
    nothing is added to its logits. Tensors may be torch's. Raises Refusal if it learned to read
    instructions in another version.
    """
    version = language.features_version(card["game"])
    if "told_version" in card:
        if card["told_version"] != version:
            versions = f"version {card['told_version']}; this is version {version}"
            raise Refusal(f"{card.get('name', 'The agent')} reads what it is told in {versions}.")
        return tensors, card
    if GOAL in tensors:
        raise Refusal(f"{card.get('name', 'The agent')} reads what it is told as goals already.")
    card = {**card, "told_version": version, **({"hears": ANSWERS} if answers else {})}
    more = ((0, 0), (0, told_size(card)))
    wider = {key: np.pad(np.asarray(tensors[key]), more) for key in told_layers(tensors)}
    return {**tensors, **wider}, card


def remembering(tensors: Tensors, card: dict[str, Any], size: int, seed: int) -> Tensors:
    """The agent with a memory of `size` numbers, which no layer uses yet; the agent itself for 0. Raises
    Refusal if it has a memory or inputs for instructions already.
    """
    if not size:
        return tensors
    if memory_size(tensors) or "told_version" in card:
        does = "remembers" if memory_size(tensors) else "reads what it is told"
        raise Refusal(f"{card.get('name', 'The agent')} {does} already; a memory can't be added to it.")
    reads, rng = len(tensors["hidden.0.weight"]), np.random.default_rng(seed)
    shapes = (3 * size, reads), (3 * size, size), (3 * size,), (3 * size,)
    most = size**-0.5  # as torch begins a GRU
    drawn = [rng.uniform(-most, most, shape).astype(np.float32) for shape in shapes]
    grown = {**tensors, **dict(zip(GATES, drawn, strict=True))}
    more = ((0, 0), (0, size))
    return {**grown, **{key: np.pad(tensors[key], more) for key in told_layers(grown)}}


def goal_reader(game: str, size: int) -> tuple[int, tuple[int, int, int]]:
    """How many inputs the first layer of a network reads that has an encoder of goal vectors, and of this
    how many it reads, the `size` of its code and its layers. Raises Refusal in games without goal vectors.
    """
    features = brings.Features.of(game)
    if not features.GOAL_SIZE:
        raise Refusal(f"There are no goal vectors in {game}; leave out 'goal_code'.")
    return features.SEEN, (features.GOAL_SIZE, size, 1 + 2 * BLOCKS)


def aiming(tensors: Tensors, card: dict[str, Any], size: int, seed: int) -> tuple[Tensors, dict[str, Any]]:
    """The agent with an encoder of goal vectors (OpenContra, section 4.2) whose code of `size` numbers no
    layer uses yet, and its card; the agent itself if it has one. What else says what a seat is asked it no
    longer reads, and nobody else plays for it: it acts as where nothing was asked. Raises Refusal in games
    without goal vectors.
    """
    if GOAL in tensors:
        return tensors, card
    if "told_version" in card:
        raise Refusal(f"{card.get('name', 'The agent')} reads what it is told already.")
    reads, (goals, _, layers) = goal_reader(card["game"], size)
    rng, features = np.random.default_rng(seed), brings.Features.of(card["game"])
    first, bias = tensors["hidden.0.weight"], tensors["hidden.0.bias"]
    asked = first[:, reads : reads + len(features.UNASKED)]
    grown = {**tensors, "hidden.0.weight": first[:, :reads]}
    grown["hidden.0.bias"] = bias + asked @ np.asarray(features.UNASKED[: asked.shape[1]], bias.dtype)
    for number in range(layers):
        inputs = size if number else goals
        # A goal of few dimensions leaves most inputs 0; each block adds about as much as there was.
        spread = math.sqrt((2 if number % 2 else 1) / inputs) if number else 0.35
        grown[f"goal.{number}.weight"] = (spread * rng.standard_normal((size, inputs))).astype(np.float32)
    grown |= {key: np.pad(tensors[key], ((0, 0), (0, size))) for key in behind(tensors)}
    kept = {name: value for name, value in card.items() if name != "orders"}
    said = brings.Training.of(card["game"]).card
    return grown, {**kept, **(said(card.get("options", {}), FEATURES) if said else {})}


def widen(agent: Path, ref: str, out: Path, answers: bool = False) -> dict[str, Any]:
    """Write the agent `ref` from the folder `agent` with inputs for instructions, as `hearing` does; returns
    its card, which names the old agent as its parent. Raises Refusal.
    """
    card = read_card(agent)
    if card.get("kind") != "network":
        raise Refusal(f"{ref} has no network that could read anything.")
    load(str(agent.resolve()), card["game"])  # checks its weights
    tensors, heard = hearing(load_file(agent / WEIGHTS), card, answers)
    if heard is card:
        raise Refusal(f"{ref} reads what it is told already.")
    made = {
        "name": out.name,
        "parents": [ref],
        "parent_sha256": card["sha256"],
        "command": "manage.py agents widen --agent REF --out FOLDER" + " --answers" * answers,
    }
    return write_agent(out, tensors, {**heard, **made})


def up_to_date(tensors: Tensors, card: dict[str, Any]) -> tuple[Tensors, dict[str, Any]]:
    """The agent with the inputs that its game has now, and its card: of one version of features new ones only
    come behind the others.
    """
    names = list(brings.Features.of(card["game"]).INPUT_NAMES)
    more = len(names) - len(card.get("inputs", names))
    if GOAL in tensors or more <= 0 or card.get("reads", FEATURES) != FEATURES:
        return tensors, card
    wider = np.pad(tensors["hidden.0.weight"], ((0, 0), (0, more)))
    return {**tensors, "hidden.0.weight": wider}, {**card, "inputs": names}


def renew(tensors: Tensors, card: dict[str, Any]) -> tuple[Tensors, dict[str, Any]]:
    """The agent with the inputs and choices that its game has now, and its card. Raises Refusal."""
    module = brings.Features.of(card["game"])
    if not module.INPUT_NAMES or "inputs" not in card or "choices" not in card:
        name = card.get("name", "the agent")
        raise Refusal(f"The card of {name} doesn't name its inputs; nothing can be added to them.")
    inputs, choices = list(module.INPUT_NAMES), list(module.CHOICE_NAMES)
    renewed: list[str] = []
    if "told_version" in card and told_layers(tensors) == ["hidden.0.weight"]:
        renewed = [f"told {index}" for index in range(language.num_features(card["game"]))]
    read = add_inputs(tensors, [*card["inputs"], *renewed], [*inputs, *renewed])
    changed = add_choices(read, card["choices"], choices)
    version = module.FEATURES_VERSION
    return changed, {**card, "inputs": inputs, "choices": choices, "features_version": version}


def main(argv: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = command_line.Parser(prog="python -m engine.agents.surgery", description=__doc__)
    parser.add_argument(
        "--agent", required=True, type=command_line.folder, help="folder of the agent as it is"
    )
    parser.add_argument(
        "--out", required=True, type=command_line.new_folder, help="folder for the agent as it will be"
    )
    args = parser.parse_args(argv)
    try:
        card = read_card(args.agent)
        tensors, renewed = renew(load_file(args.agent / WEIGHTS), card)
        write_agent(args.out, tensors, renewed)
    except (Refusal, OSError, SafetensorError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 1
    more = len(renewed["inputs"]) - len(card["inputs"]), len(renewed["choices"]) - len(card["choices"])
    print(f"{args.out}: {more[0]} inputs and {more[1]} choices more.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

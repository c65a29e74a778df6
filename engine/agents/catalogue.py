"""Agents on disk: finding, checking, loading and writing them; never unpickling, never importing torch.

An agent is a folder with `card.json` and, for networks, `weights.safetensors`. Shipped agents are in
`agents/<name>` of their game's folder, and shipped aliases in `aliases.json` beside them ({"<game>/champion":
ref}; if agents are trained for one variant of a game, "<game>/<variant>/champion" goes first). Aliases that
an admin moved are in the database (webapp.agents.resolve) and go before the shipped ones.
"""

from __future__ import annotations

import json
import logging
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from engine import brings, checked_json, games, language
from engine.agents import people
from engine.agents.acting import told_size
from engine.agents.features import FEATURES, Inputs, inputs_for
from engine.agents.files import sha256_of, write_atomically
from engine.agents.layers import shape_problem
from engine.agents.pace import at_pace, tick_of
from engine.agents.people import PeoplePolicy
from engine.agents.policy import NetworkPolicy, Policy, ScriptedPolicy, misfit
from engine.refusal import Refusal

WEIGHTS = "weights.safetensors"
CARD = "card.json"
ALIASES = "aliases.json"
SHOWN = 200  # characters of a ref that isn't known
logger = logging.getLogger(__name__)


def aliases() -> dict[str, str]:
    """The aliases of agents that are shipped: {"hanabi/champion": "hanabi/…"}."""
    paths = [agents_of(game) / ALIASES for game in games.names()]
    return {key: ref for path in paths if path.exists() for key, ref in json.loads(path.read_text()).items()}


def agents_of(game: str) -> Path:
    """The folder of the agents that ship with a game; a folder that doesn't exist if none do."""
    home = games.folder(game) if game in games.names() else Path(games.__file__).parent / game
    return home / "agents"


def shipped(game: str) -> dict[str, dict[str, Any]]:
    """{ref: card} of every agent that ships with a game; one with a broken card is
    left out with a warning.
    """
    cards: dict[str, dict[str, Any]] = {}
    for path in sorted(agents_of(game).glob(f"*/{CARD}")):
        try:
            cards[f"{game}/{path.parent.name}"] = read_card(path.parent)
        except Refusal as problem:
            logger.warning("%s The agent is left out.", problem)
    return cards


def shipped_folder(ref: str) -> Path:
    """Where a shipped agent ("hanabi/random") is, or would be."""
    game, _, name = ref.partition("/")
    return agents_of(game) / name


def folder_of(ref: str, game: str = games.DEFAULT, options: dict[str, Any] | None = None) -> Path:
    """The folder that a ref ("hanabi/convention-bot"), shipped alias ("champion") or path means.

    `options` (partial will do) say which variant of the game: an alias means the variant's agent if that one
    plays with these options, and the game's otherwise. Raises Refusal for bad options.
    """
    path = Path(ref)
    if path.is_absolute() or ref.startswith("."):
        if not os.path.isdir(path):
            raise Refusal(f"There is no agent folder {ref[:SHOWN]}.")
        return path
    full = ref if "/" in ref else f"{game}/{ref}"
    full = _variant_alias(full, game, options) or aliases().get(full, full)
    folder = shipped_folder(full)
    if not os.path.isfile(folder / CARD) or ".." in folder.parts:
        known = ", ".join(sorted({*(key for key in aliases() if key.startswith(f"{game}/")), *shipped(game)}))
        raise Refusal(f"There is no agent {ref[:SHOWN]!r}; known are {known}, or a folder (/… or ./…).")
    return folder


def _variant_alias(full: str, game: str, options: dict[str, Any] | None) -> str | None:
    """The ref that an alias ("overcooked/champion") has in the variant of these options, if it fits them."""
    spec = games.spec(game)
    if spec.variant is None:
        return None
    complete = spec.validate(dict(options or {}))
    ref = aliases().get(f"{game}/{spec.variant(complete)}/{full.removeprefix(f'{game}/')}")
    if ref is None:
        return None
    card = read_card(shipped_folder(ref))
    return None if misfit(ref, tuple(card.get("players", (2,))), card, complete) else ref


def read_card(folder: Path) -> dict[str, Any]:
    """The card of an agent's folder; raises Refusal."""
    if not os.path.isfile(folder / CARD):
        raise Refusal(f"The agent folder {folder} has no {CARD}.")
    card = checked_json.read(folder / CARD, f"The card of {folder}")
    check_card(card, f"of {folder}")
    return card


def check_card(card: Any, whose: str) -> None:
    """Raise Refusal for a card that can't be relied on."""
    # pydantic takes half a second to import, and most commands read no card.
    from engine.agents.cards import Card
    from engine.shapes import checked

    checked(Card, card, f"The card {whose} can't be used: its {{}}", f"The card {whose}")


def load(ref: str, game: str = games.DEFAULT, options: dict[str, Any] | None = None) -> Policy:
    """The policy that a ref, shipped alias or folder path means, checked; raises Refusal.

    `options` choose among the agents of an alias (`folder_of`), and say how fast a human proxy plays
    (engine.agents.pace); `engine.agents.policy.check_fits` says whether a policy plays with them.
    """
    policy = _loaded(ref, game, options)
    return at_pace(policy, tick_of(game, games.spec(game).validate(dict(options)))) if options else policy


def _loaded(ref: str, game: str, options: dict[str, Any] | None) -> Policy:
    """The policy at the pace that it was made at."""
    folder = folder_of(ref, game, options)
    card = read_card(folder)
    if card["game"] != game:
        raise Refusal(f"The agent {ref!r} plays {card['game']}, not {game}.")
    name = f"{game}/{folder.name}"
    if folder != shipped_folder(name):
        name = card.get("name", folder.name)
    if card.get("kind") == "scripted":
        return _scripted(name, game, card, folder)
    version = games.spec(game).rules_version
    if card.get("rules_version") != version:
        raise Refusal(
            f"{name} was trained for rules version {card.get('rules_version')} of {game}; this is {version}."
        )
    path = folder / WEIGHTS
    if not os.path.isfile(path):
        raise Refusal(f"The agent folder {folder} has no {WEIGHTS}.")
    digest = sha256_of(path)
    if digest != card.get("sha256"):
        raise Refusal(f"The weights of {name} are not those that its card describes (sha256 {digest[:12]}…).")
    return _network(name, game, card, path, digest)


def _scripted(name: str, game: str, card: dict[str, Any], folder: Path) -> ScriptedPolicy:
    part = brings.Bots.of(game)
    bots, remembers = part.BOTS_MANY, part.REMEMBERS
    key = card.get("bot", folder.name)
    if key not in bots:
        raise Refusal(f"{game} has no scripted bot {key!r}; there are {', '.join(bots) or 'none'}.")
    return ScriptedPolicy(name, game, bots[key], card, remembers.get(key, 0))


@lru_cache(maxsize=32)
def _tensors(path: Path, sha256: str) -> dict[str, np.ndarray]:
    return load_tensors(path.read_bytes())


def _proxy(name: str, game: str, card: dict[str, Any], path: Path, sha256: str) -> PeoplePolicy:
    features = brings.PeopleFeatures.brought(game)
    version = features.FEATURES_VERSION if features else None
    if card.get("features_version") != version:
        raise Refusal(f"{name} reads features of version {card.get('features_version')}, not {version}.")
    try:
        tensors = _tensors(path, sha256)
    except SafetensorError:
        raise Refusal(f"The weights of {name} are not a safetensors file.") from None
    if problem := people.problem_of(game, tensors):
        raise Refusal(f"The weights of {name} don't fit: {problem}.")
    return PeoplePolicy(name, game, tensors, card)


def _network(name: str, game: str, card: dict[str, Any], path: Path, sha256: str) -> Policy:
    if card.get("kind") == people.KIND and "reads" not in card:
        return _proxy(name, game, card, path, sha256)
    options = card.get("options", {})
    inputs = inputs_for(game, options, card.get("reads", FEATURES))
    if card.get("features_version") != inputs.version:
        raise Refusal(
            f"{name} reads features of version {card.get('features_version')}, not {inputs.version}."
        )
    try:
        tensors = _tensors(path, sha256)
    except SafetensorError:
        raise Refusal(f"The weights of {name} are not a safetensors file.") from None
    spec = games.spec(game)
    told, choices = _told_size(name, card), spec.num_actions(spec.validate(options))
    problem = shape_problem(tensors, _reads(card, inputs), told, choices)
    if problem:
        raise Refusal(f"The weights of {name} don't fit: {problem}.")
    orders = None
    if card.get("orders"):
        orders = _scripted(name, game, {**card, "bot": card["orders"]}, path.parent)
    return NetworkPolicy(name, game, tensors, inputs, card, orders, _reads(card, inputs))


def _reads(card: dict[str, Any], inputs: Inputs) -> int:
    """How many of its game's inputs, the first ones, a network reads: those that there were when it was made,
    where its card names them.
    """
    named = len(card.get("inputs", ())) if card.get("reads", FEATURES) == FEATURES else 0
    return min(named, inputs.size) or inputs.size


def _told_size(name: str, card: dict[str, Any]) -> int:
    """The number of inputs for instructions of a network, which stand behind its
    features; raises Refusal.
    """
    if "told_version" not in card:
        return 0
    version = language.features_version(card["game"])
    if card["told_version"] != version:
        raise Refusal(
            f"{name} reads what it is told in version {card['told_version']}; this is version {version}."
        )
    return told_size(card)


def write_agent(folder: Path, tensors: dict[str, np.ndarray], card: dict[str, Any]) -> dict[str, Any]:
    """Write an agent's folder, weights first, then the card with their sha256; returns that card."""
    write_atomically(
        folder / WEIGHTS, save_tensors({key: np.ascontiguousarray(v) for key, v in tensors.items()})
    )
    complete = {**card, "sha256": sha256_of(folder / WEIGHTS)}
    write_atomically(folder / CARD, (json.dumps(complete, indent=2, ensure_ascii=False) + "\n").encode())
    return complete

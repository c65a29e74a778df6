"""Networks with which learners start, critics, and past versions of a learner. Not for the networks with
which agents act (engine.agents.network).
"""

from __future__ import annotations

import copy
import math
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors.numpy import load_file
from torch import Tensor, nn

from engine import games
from engine.agents.catalogue import WEIGHTS, folder_of, load
from engine.agents.features import FEATURES, Inputs, inputs_for
from engine.agents.network import PolicyValueNet, from_tensors
from engine.agents.policy import NetworkPolicy, Policy, check_fits
from engine.agents.surgery import aiming, goal_reader, hearing, remembering, up_to_date
from engine.learning.parts import made
from engine.learning.parts.sides import round_options
from engine.learning.run.checkpoints import module_tensors, under
from engine.learning.run.shared import Goals, Network
from engine.refusal import Refusal


class Past:
    """The latest past versions of a learning network, as opponents or partners in its games and for its
    checkpoints.
    """

    def __init__(self, net: PolicyValueNet, most: int = 5) -> None:
        self.net = net
        self.kept: deque[PolicyValueNet] = deque(maxlen=most)

    def keep(self) -> None:
        """Keep the network as it is."""
        self.kept.append(copy.deepcopy(self.net))

    def turn(self, index: int) -> PolicyValueNet:
        """The version whose turn it is."""
        return self.kept[index % len(self.kept)]

    def tensors(self) -> dict[str, Tensor]:
        tensors_of: dict[str, Tensor] = {}
        for index, twin in enumerate(self.kept):
            tensors_of |= module_tensors(str(index), twin)
        return tensors_of

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Inverse of `tensors`."""
        self.kept.clear()
        while weights := under(str(len(self.kept)), tensors):
            self.keep()
            self.kept[-1].load_state_dict(weights)


def net_of(
    policy: Policy, folder: Path, memory: int, seed: int, hears: bool = False, goal_code: int = 0
) -> tuple[PolicyValueNet, dict[str, Any]]:
    """An agent's network to train further, and its card. It gets a `memory` if that isn't 0, an encoder of
    goal vectors with a code of that size, and, if it `hears` and has no inputs for instructions yet, the
    answers of instructions as inputs. Raises Refusal.
    """
    tensors = remembering(load_file(folder / WEIGHTS), policy.card, memory, seed)
    tensors, card = up_to_date(tensors, policy.card)
    if goal_code:
        tensors, card = aiming(tensors, card, goal_code, seed)
    tensors, card = hearing(tensors, card, answers=True) if hears else (tensors, card)
    return from_tensors(tensors), card


def begun_small(
    size: int, hidden: list[int], actions: int, memory: int = 0, goal: tuple[int, int, int] = (0, 0, 0)
) -> PolicyValueNet:
    """A network with orthogonal weights, whose policy begins close to uniform."""
    net = PolicyValueNet(size, hidden, actions, memory, goal=goal)
    layers = [(layer, math.sqrt(2)) for layer in net.hidden] + [(net.policy, 0.01), (net.value, 1.0)]
    for layer, gain in layers:
        if isinstance(layer, nn.Linear):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)
    for weights in net.memory.parameters() if net.memory is not None else ():
        if weights.dim() > 1:
            nn.init.orthogonal_(weights)
        else:
            nn.init.zeros_(weights)
    return net


@dataclass(frozen=True)
class Begun:
    """What a training goes on from: a `policy`, None for a new network, whose card `before` says more; a card
    for what comes out, complete options of its games, and what it reads.
    """

    policy: NetworkPolicy | None
    before: dict[str, Any]
    net: PolicyValueNet
    card: dict[str, Any]
    options: dict[str, Any]
    inputs: Inputs


def begin(config: Any, who: str, hears: bool = False) -> Begun:
    """The network that the settings `Network` and `Fresh` ask for, given instructions to read where it
    `hears` them. Raises Refusal.
    """
    game, memory = config.game, config.memory if isinstance(config, Network) else 0
    goal_code = config.goal_code if isinstance(config, Goals) else 0
    policy = load(config.base, game) if config.base else None
    if policy is not None and not isinstance(policy, NetworkPolicy):
        raise Refusal(f"{config.base} is a {policy.card['kind']} agent; {who} goes on from a network.")
    before: dict[str, Any] = policy.card if policy else {"reads": config.reads}
    options = round_options(game, {"options": before.get("options", {}) | config.options})
    inputs = inputs_for(game, options, before.get("reads", FEATURES))
    if policy is not None:
        check_fits(policy, game, options)
        folder = folder_of(config.base, game)
        net, now = net_of(policy, folder, memory, config.seed, hears, goal_code)
        return Begun(policy, before, net, made.later_card(now), options, inputs)
    size, goal, actions = inputs.size, (0, 0, 0), games.spec(game).num_actions(options)
    if goal_code:
        size, goal = goal_reader(game, goal_code)
    net = begun_small(size, config.hidden, actions, memory, goal)
    return Begun(None, before, net, made.first_card(game, options, inputs, config.reads), options, inputs)

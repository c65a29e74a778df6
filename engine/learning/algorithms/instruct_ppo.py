"""instructPPO: a convention by instruction, or one agent that keeps to whatever it is told.

PPO in self-play with an additional loss lambda E[-log p] of the policy's moves, where p is the prior over
moves of an instruction (Hu and Sadigh 2023, section 4.3), for moves that it asks for or forbids. The paper's
loss is KL(policy || p), which equals this minus lambda times the entropy; the entropy would blur moves about
which the instruction says nothing, so it is a setting of its own (`entropy_weight`). With one instruction and
a base without inputs for instructions, the instruction chooses which of many equally good policies is
learned, as in the paper. With many instructions, one drawn for each game, one policy learns to follow all of
them, which the paper leaves open (its appendix D). That policy has the instruction's answers for the moves of
now as inputs (a base without them gets them, engine.agents.surgery), and nothing is added to its logits in
play.

    python -m engine.learning.instruct_ppo --config FILE --out FOLDER

leaves an agent in FOLDER/agent. Not for games whose instructions become goals, which PPO teaches itself.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

from engine.learning.algorithms import ppo
from engine.learning.parts.sides import suiting
from engine.learning.run import shell
from engine.learning.run.reporting import run_program
from engine.learning.run.settings import Base, CardText, Range, Rate, Share, Weight
from engine.learning.run.shared import (
    Clipped,
    Company,
    Descent,
    Evaluation,
    Game,
    Named,
    Network,
    Rollouts,
    Run,
    Taught,
)
from engine.refusal import Refusal

MAKES = "agent"
FITS = ("turns", "simultaneous")
FOREMOST = ("moves", "instruction", "instruction_weight", "lr")
SIZES = {"tiny": {"moves": 4096, "envs": 32, "steps": 32, "evaluation_games": 32}}


@dataclass(frozen=True, kw_only=True)
class Settings(Run, Evaluation, Company, Taught, Clipped, Descent, Rollouts, Network, Named, Game):
    base: Base = field()
    command: CardText = "python -m engine.learning.instruct_ppo --config FILE --out FOLDER"
    moves: Annotated[int, Range(1, 1_000_000_000_000)] = 1_000_000
    envs: Annotated[int, Range(1, 16384)] = 256
    lr: Rate = 5e-4
    entropy_left: Share = 0.1
    value_weight: Weight = 0.25
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 16


class InstructPpo(ppo.Ppo):
    """PPO's training with these settings: no base to stay near or play with, and the last policy counts."""

    algorithm = "instruct_ppo"

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        texts = [text for text in (config.instruction, *config.instructions) if text]
        if not texts:
            raise Refusal("Without an 'instruction' there is nothing to be told; PPO trains without.")
        mine: dict[str, Any] = {"base_partner": 0.0, "kl_weight": 0.0, "keep_best": False}
        # For PPO, one for each game: it is evaluated without any.
        mine |= {"instruction": "", "instructions": texts}
        mine |= {"reading": config.reading if config.instruction else 0}
        super().__init__(ppo.Settings(**(dataclasses.asdict(config) | mine)), check)


train = partial(shell.run, InstructPpo)

if __name__ == "__main__":
    sys.exit(run_program("instruct_ppo", Settings, train, suiting=partial(suiting, "instruct_ppo")))

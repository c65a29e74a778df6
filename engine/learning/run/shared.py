"""Settings that several programs have, by what they are about: a program's `Settings` is composed of these
and of what is its own.

    @dataclass(frozen=True, kw_only=True)
    class Settings(Run, Evaluation, Rollouts, Network, Named, Game):
        lr: Rate = 1e-3  # another default; the explanation stays
        sharpness: Weight = 1.0
        \"\"\"what only this program has\"\"\"

A field of a part is named, typed and explained here alone. Configs, cards and forms know all fields by these
names, whichever part they come from. Not for checking values (engine.learning.run.settings).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from engine.learning.run.settings import (
    AgentName,
    Base,
    CardText,
    Dataset,
    Device,
    GameName,
    InstructionText,
    Norm,
    Options,
    Range,
    Rate,
    ReadingNumber,
    RewardInputs,
    RewardModelFolder,
    ScoreWeight,
    Seed,
    Share,
    Threads,
    UtilityWeight,
    Weight,
    Widths,
)


@dataclass(frozen=True, kw_only=True)
class OfGame:
    game: GameName
    """which game"""


@dataclass(frozen=True, kw_only=True)
class Game(OfGame):
    options: Options = field(default_factory=dict)
    """the game's options, besides those that the base was trained for"""


@dataclass(frozen=True, kw_only=True)
class Named:
    name: AgentName = "candidate"
    """name of the agent that is made"""
    title: CardText = ""
    """title that pages show; empty: the name"""
    description: CardText = ""
    """one line about how it plays, for pages; empty: where it comes from"""
    command: CardText = ""
    """the command that makes this agent, for its card"""


@dataclass(frozen=True, kw_only=True)
class Based:
    base: Base = ""
    """the agent to train further (a network): ref or folder; empty: an untrained network"""


@dataclass(frozen=True, kw_only=True)
class Network(Based):
    memory: Annotated[int, Range(0, 4096)] = 0
    """size of a memory (a GRU after the first hidden layer) added to a new network or the base; 0: none is
    added"""


@dataclass(frozen=True, kw_only=True)
class Fresh:
    """Of learners that may begin with a new network."""

    reads: str = "features"
    """inputs of a new network: "features" (the game's own, if any), "observation" (the canonical one) or
    "public" (without conventions, or fit for every kitchen, if the game has that)"""
    hidden: Widths = field(default_factory=lambda: [128, 128])
    """widths of a new network's hidden layers"""


@dataclass(frozen=True, kw_only=True)
class Rollouts:
    moves: Annotated[int, Range(1, 1_000_000_000_000)] = 200_000
    """moves to play in total; joint steps in games in which all move at once"""
    envs: Annotated[int, Range(1, 16384)] = 128
    """games played at once"""
    steps: Annotated[int, Range(1, 4096)] = 64
    """moves of each game between updates"""
    reward_scale: Annotated[float, Range(0, 1000)] = 0.0
    """rewards in points are multiplied by this, so that values stay near 1; 0: the base's factor"""


@dataclass(frozen=True, kw_only=True)
class Company:
    """With whom, and where else, games are played."""

    partners: dict[str, Annotated[float, Range(0, 1)]] = field(default_factory=dict)
    """other agents that play a seat, or all sides but one, each with its share of the games: refs ("REF |
    words" gives it that instruction), or for PPO "past", earlier versions of itself"""
    elsewhere: Annotated[int, Range(0, 1024)] = 0
    """number of other places in which the games are played, if the game has some (kitchens); 0: only that
    of the options"""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    evaluate_every: Annotated[int, Range(1, 1_000_000)] = 4
    """updates between two evaluations"""
    evaluation_games: Annotated[int, Range(1, 100_000)] = 256
    """games of each evaluation, always with the same deals"""


@dataclass(frozen=True, kw_only=True)
class Goals:
    """What seats are asked to do while they learn, in games with goals."""

    goal_share: Share = 0.0
    """share of the time in which a seat has a goal, in games with goals"""
    goals: dict[str, Share] = field(default_factory=dict)
    """the kinds of these goals and their shares: orders, random (goal vectors, of more and more sub-goals),
    hindsight (what windows of these games came to); empty: orders"""
    goal_code: Annotated[int, Range(0, 1024)] = 0
    """size of the code of goal vectors, for which the network gets an encoder of its own; 0: none is added"""
    whole_goals: bool = False
    """whether only a goal that is met as a whole is rewarded, instead of each step towards it"""


@dataclass(frozen=True, kw_only=True)
class Descent:
    lr: Rate = 3e-4
    """Adam's learning rate at the start; falls linearly to a tenth"""
    gamma: Share = 0.99
    """discount per move"""


@dataclass(frozen=True, kw_only=True)
class Passes:
    """Of learners that go over a rollout, with a policy, a value and an entropy bonus."""

    epochs: Annotated[int, Range(1, 100)] = 2
    """passes over each rollout"""
    minibatches: Annotated[int, Range(1, 1024)] = 4
    """parts of a pass, one gradient step each"""
    value_weight: Weight = 0.02
    """weight of the squared error of the value, in points"""
    entropy_weight: Weight = 0.003
    """weight of the entropy bonus"""
    max_grad_norm: Norm = 0.5
    """gradients are clipped to this norm"""


@dataclass(frozen=True, kw_only=True)
class Clipped(Passes):
    """Of PPO's steps."""

    clip: Annotated[float, Range(0, 1, above=True)] = 0.2
    """range in which the probability ratio is not clipped (instructPPO's paper: .05)"""
    entropy_left: Share = 1.0
    """share of the entropy's weight that remains at the end"""


@dataclass(frozen=True, kw_only=True)
class Instruction:
    instruction: InstructionText = ""
    """an instruction that the agent learns to follow; empty: none"""
    reading: ReadingNumber = 0
    """which reading of the instruction is meant: 0 the first one, 1 the first of the others"""
    instruction_weight: Weight = 0.05
    """lambda: weight of the loss that pulls the policy towards the instruction"""
    instruction_left: Share = 1.0
    """share of that weight that remains at the end"""


@dataclass(frozen=True, kw_only=True)
class Instructions:
    """Of learners whose games have an instruction each."""

    instructions: list[str] = field(default_factory=list)
    """instructions: each game has one of them, which is an input of the network"""
    nobody: Share = 0.0
    """share of the games without an instruction"""
    alone: Share = 0.0
    """of the other games, the share in which one seat alone has the instruction"""


@dataclass(frozen=True, kw_only=True)
class Taught(Instructions, Instruction):
    """Of PPO, which learns to follow instructions (engine.learning.parts.instructions)."""

    firmness: list[Annotated[float, Range(0, 1, above=True)]] = field(default_factory=lambda: [1.0])
    """firmness: weights of an instruction, one of them in each game"""
    flipped: Share = 0.0
    """share of the instruction's answers that are flipped (the paper's figure 10)"""
    instruction_moves: Annotated[int, Range(0, 1_000_000)] = 0
    """moves after which an instruction ends, if it isn't done before; then the seat gets another one; 0:
    instructions hold for whole games"""
    done_reward: Annotated[float, Range(0, 1000)] = 0.0
    """points that a seat earns when an instruction of its own is done"""
    never: str = ""
    """moves that the agent never tries, as an instruction such as "Only play cards you are sure of";
    empty: none"""


@dataclass(frozen=True, kw_only=True)
class Rewards:
    """Of learners whom a reward model may pay besides the game."""

    reward_model: RewardModelFolder = ""
    """folder of a reward model, or "measure:…" for a scripted measure; empty: the game's score alone"""
    score_weight: ScoreWeight = 1.0
    """weight of the game's rewards"""
    utility_weight: UtilityWeight = 0.5
    """weight of the reward model's U: at 1 its gains have the spread of the score's. In a game with a
    score it is multiplied by the reward model's skill on held-out marks"""
    kl_weight: Weight = 1.0
    """weight of KL(policy || base); PPO steers it to `target_kl`; 0: none"""
    random_starts: Share = 0.0
    """share of the games that begin in a random state"""
    keep_best: bool = True
    """whether the best of the evaluated policies is written, instead of the last one"""
    allowed_drop: Annotated[float, Range(0, 1_000_000)] = 0.3
    """a policy whose score is more than this many points below the base's is never the best, whatever its
    utility"""


@dataclass(frozen=True, kw_only=True)
class Seeded:
    seed: Seed = 0
    """seed of deals, sampling and initial weights"""


@dataclass(frozen=True, kw_only=True)
class Run(Seeded):
    threads: Threads = 1
    """threads for torch and for the compiled encoders"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""


@dataclass(frozen=True, kw_only=True)
class Marked(OfGame):
    """Of reward models, which learn from marked episodes (engine.learning.parts.fitting)."""

    dataset: Dataset
    """folder of the snapshot"""
    reads: RewardInputs = "rated"
    """inputs: rated (few numbers on what a rater sees, where the game has such), or what agents read:
    features, observation or public"""
    steps: Annotated[int, Range(1, 1_000_000)] = 800
    """gradient steps"""
    batch: Annotated[int, Range(1, 1024)] = 32
    """windows in a batch (the paper: 96, on accelerators)"""
    window: Annotated[int, Range(2, 4000)] = 500
    """ticks in a window; a shorter episode is one window (the paper: 50)"""
    history: Annotated[int, Range(0, 4000)] = 1000
    """ticks before the window that the memory reads first, without learning from them, because in games it
    reads from the beginning"""
    lag: Annotated[int, Range(-1, 200)] = -1
    """by how many ticks marks come late (by how many decisions, if a decision holds for several ticks);
    marks are moved back by it; -1: estimated for each annotator from the changes of the game"""
    clone_steps: Annotated[int, Range(0, 1_000_000)] = 0
    """gradient steps of behavioural cloning of the seats' moves, before training on marks"""
    clone_weight: Weight = 0.0
    """weight of behavioural cloning while training on marks (the paper: 1)"""
    match_weight: Weight = 0.0
    """weight of the contrastive loss: does the episode go with its instruction? (the paper: 1)"""
    lr: Rate = 4e-3
    """Adam's learning rate at the start; falls to a tenth"""
    weight_decay: Share = 1e-4
    """Adam's decoupled weight decay"""
    hidden: Annotated[int, Range(1, 1024)] = 64
    """size of the network's layers and of its memory"""
    swap: Annotated[float, Range(0, 1, below=True)] = 0.33
    """probability of a negative example: the episode under another one's instruction, for which its
    progress doesn't count"""
    held_out: Annotated[float, Range(0, 1, above=True, below=True)] = 0.2
    """share of episodes (by id) that are held out for evaluation"""
    mark_window: Annotated[int, Range(0, 200)] = 1
    """ticks on both sides of a mark over which U's gain is compared (dAUC)"""
    controls: bool = True
    """whether to train the shuffled-sign control too, which doubles the time"""
    simple_model: bool = True
    """whether a linear model of single ticks, without memory, is the result instead if it tells the held-out
    marks apart clearly better; it is compared in any case"""

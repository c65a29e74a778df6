"""Cloning people: proxies that do what people did, and get about as far with it as people got.

Three steps in one program. First, several networks are cloned from what people did (maximum likelihood);
their mean is the *crowd*. Second, one network learns to answer like the crowd in the states that people
reached. Cloned networks that draw their moves get stuck in states that people never reached. So third, the
network plays, and PPO rewards it with what people earn (if sides play against each other: with what its own
seat and side do). This reward counts only until the network earns as much as people did in that variant. A
penalty KL(network || crowd) keeps it near the crowd, and it continues to imitate the crowd in people's
states. Like HDR-IPPO (AH2AC2, 2025) and piKL (Jacob et al. 2022), with people's own points as the target.

    python -m engine.learning.clone_people --config FILE --out FOLDER --set file=GAMES

leaves an agent in FOLDER/agent. The split is by people, never by games: people who played together stay
together, `parts` are for training, all others are held out and measured. Inputs are a game's features of
people if it has some, otherwise those of all agents (engine.agents.people); games are played as PPO plays
them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor, nn

from engine import brings, games
from engine.agents.catalogue import load, write_agent
from engine.agents.network import masked
from engine.agents.people import KIND, Plain, reader_of
from engine.agents.policy import misfit
from engine.evaluation.imitation import Recorded, divided, imitation, little, recorded, too_few
from engine.learning.parts import heads, made
from engine.learning.parts.people import Table, critic, moves_of, net_of
from engine.learning.parts.proximal import Proximal, Pull, bf16
from engine.learning.parts.returns import gae
from engine.learning.parts.rollouts import View
from engine.learning.parts.sequences import Rows
from engine.learning.parts.sides import suiting
from engine.learning.run import shell
from engine.learning.run.reporting import Reporter, run_program
from engine.learning.run.settings import (
    AgentName,
    CardText,
    Device,
    PartsOfPeople,
    PeoplesGames,
    Range,
    Rate,
    Seed,
    Weight,
)
from engine.learning.run.shared import Descent, Named, OfGame, Run
from engine.refusal import Refusal

MAKES = "agent"
FOREMOST = ("updates", "clones", "epochs", "most")
SIZES = {
    "tiny": {"updates": 2, "clones": 1, "epochs": 2, "games": 2, "steps": 20},
    "thorough": {"updates": 400, "clones": 6},
}


@dataclass(frozen=True, kw_only=True)
class Settings(Run, Descent, Named, OfGame):
    file: PeoplesGames = ""
    """recorded games of people, in a format that the game reads, or a snapshot's folder"""
    name: AgentName = "human"
    command: CardText = "python -m engine.learning.clone_people --config FILE --out FOLDER --set file=GAMES"
    variants: list[Any] = field(default_factory=list)
    """options of the games that it plays, one object per variant; none: those of each kind of games"""
    kinds: list[str] = field(default_factory=list)
    """kind of people's games with which each variant is compared; none: all of them"""
    partners: list[str] = field(default_factory=lambda: [""])
    """agents with which it plays, each in the same number of games: refs, or an empty text for itself"""
    divide: PartsOfPeople = 3
    """number of parts into which people are split"""
    parts: list[Annotated[int, Range(0, 99)]] = field(default_factory=list)
    """parts that it learns from, counted from 0; the others are held out; none: all but the last"""
    without: list[str] = field(default_factory=list)
    """kinds of people's games that it doesn't learn from, to measure it there"""
    most: Annotated[int, Range(1, 1_000_000)] = 4000
    """moves of one person with full weight; of more moves, each has less weight"""
    clones: Annotated[int, Range(1, 20)] = 4
    """networks in the crowd"""
    epochs: Annotated[int, Range(1, 200)] = 12
    """passes over people's moves for each of them"""
    lr: Rate = 2e-3
    """Adam's learning rate at the start of each step"""
    dropout: Annotated[float, Range(0, 1, below=True)] = 0.3
    """share of hidden units left out while cloning"""
    updates: Annotated[int, Range(0, 100_000)] = 200
    """rollouts of games that it plays itself"""
    games: Annotated[int, Range(1, 1000)] = 12
    """games of each variant at once"""
    steps: Annotated[int, Range(1, 1000)] = 100
    """moves of each game in a rollout"""
    passes: Annotated[int, Range(1, 20)] = 2
    """passes over each rollout"""
    minibatch: Annotated[int, Range(1, 100_000)] = 2000
    """played moves a gradient step, and half as many of people's"""
    play_lr: Rate = 7e-4
    """Adam's learning rate while playing"""
    people_weight: Weight = 1.0
    """weight of answering like the crowd in the states that people reached"""
    kl_weight: Weight = 0.2
    """weight of KL(network || crowd) in the states that it reaches itself"""
    idle_weight: Weight = 5.0
    """weight of the squared difference between its share of no-ops and people's, in each variant"""
    gain: Weight = 3.0
    """largest weight of the reward, relative to these"""
    aims: list[Annotated[float, Range(-1_000_000, 1_000_000)]] = field(default_factory=list)
    """target points of a game of each variant (the rewards of a seat, if sides play against each other);
    none: those that people had"""
    shaping: Weight = 0.06
    """weight of a point of the game's shaping, in games that have one"""
    reaction_ms: Annotated[int, Range(0, 1000)] = 150
    """milliseconds by which it sees the game late, in games with a clock and with features of people"""
    device: Device = "cpu"
    seed: Seed = 1


class CloningPeople(shell.Training):
    """One training: first `clones` x `epochs` updates of cloning, then `epochs` / 2 of one network that
    learns from the crowd, then `updates` of play. A stop forgets the games that are being played.
    """

    checkpoint_every = 5
    counters = ("gains",)

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        for name in ("kinds", "aims"):
            if len(getattr(config, name)) not in (0, len(config.variants)):
                raise Refusal(f"There are as many {name!r} as 'variants', or none.")
        if not config.file:
            raise Refusal("The setting 'file' is missing: give --set file=GAMES, recorded games of people.")
        self.spec = games.spec(config.game)
        recorded = self._recorded()
        parts, learned = divided(recorded, config.divide), config.parts or range(config.divide - 1)
        if not config.parts and (sentence := too_few([game.names for game in recorded], config.divide)):
            raise Refusal(sentence)
        learns = [
            part in learned and game.kind not in config.without
            for game, part in zip(recorded, parts, strict=True)
        ]
        self.own = [game for game, learning in zip(recorded, learns, strict=True) if learning]
        self.others = [game for game, learning in zip(recorded, learns, strict=True) if not learning]
        if not self.own:
            raise Refusal(f"No people are in the parts {[*learned]} of {config.divide}.")
        kinds = {game.kind: game.options for game in reversed(self.own)}
        self.kinds = config.kinds if config.variants else list(kinds)
        self.variants = [
            self.spec.validate({**brings.Training.of(config.game).OPTIONS, **kind})
            for kind in config.variants or kinds.values()
        ]
        self.reader = reader_of(config.game, self.variants[0])
        self._of_one_kind(recorded)
        self.moves = moves_of(self.reader, self.own, config.most).to(self.device)
        self.aims = config.aims or [self._aim(number) for number in range(len(self.variants))]
        self.pauses = [self._pauses(number) for number in range(len(self.variants))]
        actions = self.spec.num_actions(self.variants[0])
        crowd = [net_of(self.reader, actions, config.dropout) for _ in range(config.clones)]
        self.crowd = nn.ModuleList(crowd).to(self.device)
        self.net = net_of(self.reader, actions).to(self.device)
        self.critic = critic(self.reader).to(self.device)
        self.adams = [
            torch.optim.AdamW(net.parameters(), lr=config.lr, weight_decay=1e-4) for net in self.crowd
        ]
        learners = [{"params": net.parameters(), "rate": 1.0} for net in (self.net, self.critic)]
        self.adam = torch.optim.Adam(learners, lr=config.lr)
        self.proximal = Proximal(
            self.forward,
            self.adam,
            self.spec.heads,
            value_weight=2.0,
            extra=self.like_people,
            normalize=False,
            check=self.check,
        )
        self.costs: list[float] = []  # of answering otherwise than the crowd, by gradient step
        self.gains = [min(0.5, config.gain)] * len(self.variants)
        self.points: list[list[float]] = [[] for _ in self.variants]
        self.cloning = config.clones * config.epochs
        self.answering = self.cloning + config.epochs // 2
        self.updates = self.answering + config.updates
        self.said: Tensor | None = None
        self.tables: list[Table] = []

    def _recorded(self) -> list[Recorded]:
        """People's games; raises Refusal where there are none."""
        try:
            return recorded(self.config.game, self.config.file)[0]
        except (ValueError, OSError) as error:
            raise Refusal(str(error)) from None

    def start(self, out: Path, reporter: Reporter) -> None:
        """Say so where people have done little."""
        if sentence := little(len(self.moves.actions)):
            reporter.log(sentence)

    def _of_one_kind(self, recorded: list[Recorded]) -> None:
        """Raise Refusal where the proxy couldn't play all games that it plays or learns from."""
        card = self.card()
        for options in (*self.variants, *(game.options for game in recorded)):
            if sentence := misfit(self.config.name, tuple(card["players"]), card, options):
                raise Refusal(f"A proxy learns from games of one kind: {sentence} Leave the others out.")

    def _met(self, number: int) -> list[Recorded]:
        """The games of people that a variant compares with; raises Refusal if there are none."""
        config = self.config
        kind = self.kinds[number] if self.kinds else None
        games_met = [game for game in self.own if kind in (None, game.kind)]
        if not games_met:
            raise Refusal(f"Nobody in the parts {config.parts} played {kind}.")
        return games_met

    def _pauses(self, number: int) -> float:
        """How often people did nothing, where that is an action."""
        if self.spec.no_op is None:
            return 0.0
        did = [game.actions[game.who != ""] == self.spec.no_op for game in self._met(number)]
        return float(np.concatenate(did).mean())

    def _aim(self, number: int) -> float:
        """What people of `parts` had after as long a game as this variant's, on average."""
        horizon = self.variants[number].get("horizon")
        by_people: dict[tuple[str, ...], list[float]] = {}
        for game in self._met(number):
            last = min(horizon or len(game.earned), len(game.earned)) - 1
            points = game.earned[last, (game.who != "").any(0)].mean()
            by_people.setdefault(tuple(game.names), []).append(float(points))
        return float(np.mean([np.mean(points) for points in by_people.values()]))

    def parts(self) -> dict[str, Any]:
        adams = {f"adam{number}": adam for number, adam in enumerate(self.adams)}
        return {"crowd": self.crowd, "net": self.net, "critic": self.critic, "adam": self.adam} | adams

    def rate(self, done: float) -> float:
        """Along a cosine for each clone and for answering like the crowd, then slowly down."""
        epochs = self.config.epochs
        if self.update < self.cloning:
            return 0.5 * (1.0 + np.cos(np.pi * (self.update % epochs) / epochs))
        if self.update < self.answering:
            return 1.0 - 0.9 * (self.update - self.cloning) / (self.answering - self.cloning)
        return 1.0 - 0.8 * (self.update - self.answering) / self.config.updates

    # --- What the crowd says -----------------------------------------------------------------------------

    @torch.no_grad()
    def crowd_says(self, inputs: Tensor, masks: Tensor, personas: Tensor) -> Tensor:
        """The logarithms (n, A) of the crowd's mean probabilities, of each head's choices."""
        self.crowd.eval()
        answers = []
        for rows in range(0, len(inputs), 8192):
            part = slice(rows, rows + 8192)
            with bf16(True, self.device):
                logits = [net(inputs[part].float(), personas[part]).float() for net in self.crowd]
            each = torch.stack([heads.log_probs(logit, masks[part], self.spec.heads) for logit in logits])
            answers.append(each.logsumexp(0) - np.log(len(self.crowd)))
        return torch.cat(answers)

    def unknown(self, personas: Tensor) -> Tensor:
        """Personas, half of them forgotten: most people weren't asked."""
        known = self.on_device(self.rng.random(len(personas)) < 0.5)
        return personas * known[:, None]

    @property
    def said_of_people(self) -> Tensor:
        """The crowd's answers (N, A) where people were."""
        if self.said is None:
            moves = self.moves
            self.said = self.crowd_says(moves.inputs, moves.masks, moves.personas)
        return self.said

    def like_the_crowd(self, rows: Tensor) -> Tensor:
        """The mean loss of answering otherwise than the crowd in these rows of people's moves."""
        moves = self.moves
        logits = self.net(moves.inputs[rows].float(), self.unknown(moves.personas[rows]))
        logp = heads.log_probs(logits.float(), moves.masks[rows], self.spec.heads)
        apart = -(self.said_of_people[rows].exp() * logp).sum(1)
        return (moves.weights[rows] * apart).mean()

    # --- The steps of the program ------------------------------------------------------------------------

    def advance(self) -> dict[str, float]:
        """A pass over people's moves, or a rollout and learning from it; may raise Stopped."""
        if self.update < self.cloning:
            number = self.update // self.config.epochs
            return {"nats": self.epoch(self.adams[number], partial(self.as_people_did, self.crowd[number]))}
        if self.update < self.answering:
            if self.update == self.cloning:
                self.net.load_state_dict(self.crowd[0].state_dict())
            return {"crowd": self.epoch(self.adam, self.like_the_crowd)}
        return self.play()

    def as_people_did(self, net: nn.Module, rows: Tensor) -> Tensor:
        """Nats that people's moves cost a clone."""
        net.train()
        moves = self.moves
        logits = net(moves.inputs[rows].float(), self.unknown(moves.personas[rows]))
        logp = heads.log_probs(logits.float(), moves.masks[rows], self.spec.heads)
        likely = heads.chosen(logp, moves.actions[rows], self.spec.heads)
        return -(moves.weights[rows] * likely).mean()

    def epoch(self, adam: torch.optim.Optimizer, loss_of: Callable[[Tensor], Tensor]) -> float:
        """One pass over people's moves in minibatches of 512; returns the mean loss."""
        order = self.on_device(self.rng.permutation(len(self.moves.actions)))
        losses = []
        for rows in order.split(512):
            self.check()
            with bf16(True, self.device):
                loss = loss_of(rows)
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    @torch.no_grad()
    def act(self, table: Table, view: View) -> dict[str, Tensor]:
        """A move for every row: the proxy's, drawn, or that of whoever else plays its seat."""
        self.check()
        inputs, memory = self.read(table, view)
        masks, parts = self.on_device(view.masks), self.spec.heads
        logits, values = self.forward({"inputs": inputs})
        logits = masked(logits, masks)
        actions, mine = table.seating.draw(view, logits, view.memory, masks)
        logprobs = heads.chosen(heads.log_probs(logits, masks, parts), actions, parts)
        row = {"actions": actions, "logprobs": logprobs, "values": values, "mine": mine, "read": inputs}
        return row | {"remembered": memory}

    def read(self, table: Table, view: View) -> tuple[Tensor, Tensor]:
        """What the network reads in every row (B, I), and what is remembered then (B, M)."""
        memory = view.memory.cpu().numpy().copy()
        inputs = self.reader.read(view.states, view.seats, memory, table.collector.world)
        return self.on_device(inputs), self.on_device(memory)

    def nobody(self, inputs: Tensor) -> Tensor:
        """Personas of players of whom nothing is known."""
        return inputs.new_zeros(len(inputs), len(self.reader.personas))

    def play(self) -> dict[str, float]:
        """A rollout with PPO's passes over it; then what people earn weighs more where it earns less."""
        config = self.config
        if not self.tables:
            seed = config.seed + 1000 * (self.update + 1)
            with_whom = config.partners, self.rng, self.reader.memory
            self.tables = [
                Table(config.game, options, config.games, seed + number, *with_whom, self.device)
                for number, options in enumerate(self.variants)
            ]
            self.adam.param_groups[0]["rate"] = config.play_lr / config.lr
        rolled = [self.rows_of(number, table) for number, table in enumerate(self.tables)]
        rows = {name: torch.cat([part[name] for part in rolled]) for name in rolled[0]}
        rows["apart"] = self.crowd_says(rows["inputs"], rows["masks"], self.nobody(rows["inputs"]))
        minibatches, self.costs = -(-len(rows["inputs"]) // config.minibatch), []
        pulls = (Pull("apart", config.kl_weight),)
        learned = self.proximal.learn(rows, config.passes, minibatches, self.rng, 0.0, pulls)
        learned["crowd"] = float(np.mean(self.costs))
        return learned | self._steer() | self._idle(rows)

    def rows_of(self, number: int, table: Table) -> Rows:
        """The proxy's own moves (n, …) in a rollout of a variant's games, with advantages and returns."""
        config, unit = self.config, brings.Training.of(self.config.game).UNIT[0]
        rolled = table.collector.collect(config.steps, partial(self.act, table), table.follow)
        self.points[number] += table.earned(rolled)
        self.points[number] = self.points[number][-2 * config.games * table.collector.rows :]
        extras = rolled.extras
        with torch.no_grad():
            last = self.forward({"inputs": self.read(table, rolled.last)[0]})[1]
        rewards = rolled.rewards.sum(-1) / unit + config.shaping * rolled.shaped
        gains = gae(rewards, extras["values"], config.gamma * (1 - rolled.dones), last, 0.95)
        mine = (extras["mine"] & rolled.playing).flatten()
        advantages = gains.flatten()[mine]
        return {
            "inputs": extras["read"].flatten(0, 1)[mine],
            "masks": rolled.masks.flatten(0, 1)[mine],
            "actions": rolled.actions.flatten(0, 1)[mine],
            "logprobs": extras["logprobs"].flatten()[mine],
            "advantages": self.gains[number] * (advantages - advantages.mean()) / (advantages.std() + 1e-6),
            "returns": (gains + extras["values"]).flatten()[mine],
            "variants": torch.full((len(advantages),), number, device=self.device),
        }

    def forward(self, rows: Rows) -> tuple[Tensor, Tensor]:
        """Logits (n, A), not masked, and values (n,)."""
        inputs = rows["inputs"]
        with bf16(True, self.device):
            return self.net(inputs, self.nobody(inputs)).float(), self.critic(inputs)[:, 0].float()

    def like_people(self, rows: Rows, logp: Tensor) -> Tensor:
        """The loss of answering otherwise than the crowd where people were, and of idling otherwise."""
        people = self.on_device(self.rng.integers(len(self.moves.actions), size=len(logp) // 2 + 1))
        with bf16(True, self.device):
            crowd = self.like_the_crowd(people)
        self.costs.append(crowd.item())
        return self.config.people_weight * crowd + self._idle_loss(logp, rows["variants"])

    def _idle_loss(self, logp: Tensor, variants: Tensor) -> Tensor:
        """How far it is from idling as often as people, squared, over all variants."""
        apart = logp.new_zeros(())
        for number, pauses in enumerate(self.pauses):
            if self.spec.no_op is not None and (mine := variants == number).any():
                apart = apart + (logp[mine, self.spec.no_op].exp().mean() - pauses).square()
        return self.config.idle_weight * apart

    def _steer(self) -> dict[str, float]:
        """Weigh each variant by how much its earnings lack; returns what was earned of the aims."""
        figures = {}
        for number, (points, aim) in enumerate(zip(self.points, self.aims, strict=True)):
            if points:
                lacks = (aim - float(np.mean(points))) / max(abs(aim), 1e-6)
                change = float(np.exp(0.1 * np.clip(lacks, -1, 1)))
                self.gains[number] = float(np.clip(self.gains[number] * change, 0.02, self.config.gain))
                figures[f"earned/{number}"] = 1.0 - lacks
                figures[f"gain/{number}"] = self.gains[number]
        return figures

    def _idle(self, rows: Rows) -> dict[str, float]:
        """The share of no-ops in each variant, where doing nothing is an action."""
        if self.spec.no_op is None:
            return {}
        idle = (rows["actions"] == self.spec.no_op).float()
        of = [rows["variants"] == number for number in range(len(self.variants))]
        return {f"idle/{number}": idle[mine].mean().item() for number, mine in enumerate(of)}

    # --- What is left ------------------------------------------------------------------------------------

    def finish(self, out: Path) -> dict[str, Any]:
        """The agent in `out`/agent, and how well it foretells people who were held out."""
        folder, tensors = out / "agent", shell.weights(self.net)
        write_agent(folder, tensors, self.card())
        policy = load(str(folder.resolve()), self.config.game)
        held_out = imitation(policy, self.config.game, self.others) if self.others else None
        earned = {str(number): float(np.mean(points)) for number, points in enumerate(self.points) if points}
        more = {"held_out": held_out, "aims": self.aims, "earned": earned}
        card = write_agent(folder, tensors, self.card() | more)
        return {
            "folder": str(out / "agent"),
            "sha256": card["sha256"],
            "held_out": held_out,
            "earned": earned,
        }

    def card(self) -> dict[str, Any]:
        config, options = self.config, self.variants[0]
        if isinstance(self.reader, Plain):
            first = made.first_card(config.game, options, self.reader.inputs)
            # People weren't asked for anything in what it learned from.
            obeys = (
                brings.Training.of(config.game).YARDSTICK.rpartition("/")[2] if self.spec.goal_size else ""
            )
            first |= made.with_orders(obeys)
        else:
            first = {
                "game": config.game,
                "players": [self.spec.seats(options)],
                "rules_version": self.spec.rules_version,
                "features_version": self.reader.module.FEATURES_VERSION,
                "instructions": "Adds the prior of an instruction to its logits, from its next move on.",
            }
        first |= {"kind": KIND, "acts": "sampled"}
        if lengths := {round(game.tick_ms, 1) for game in self.own if game.tick_ms}:
            first["tick_ms"] = max(lengths, key=[round(game.tick_ms or 0, 1) for game in self.own].count)
            if not isinstance(self.reader, Plain):
                first["reaction_ms"] = config.reaction_ms
        people = len({name for game in self.own for name in game.names})
        by = f"Does what {people} recorded people did, and draws what it does."
        card = made.trained(first, self, "clone_people", [], by)
        card["hyperparameters"]["file"] = Path(config.file).name
        return card | {"people": people, "recorded_games": len(self.own)}


train = partial(shell.run, CloningPeople)

if __name__ == "__main__":
    sys.exit(run_program("clone_people", Settings, train, suiting=partial(suiting, "clone_people")))

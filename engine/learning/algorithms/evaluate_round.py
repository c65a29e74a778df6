"""The evaluation of a training round: candidate, base and champion on the same deals, as people meet them.

Measured are self-play of each; cross-play of the candidate with the base, the champion and the scripted bots;
what the reward model gives each in self-play; and each with the game's human proxy, if there is one. If sides
play against each other, "self-play" is the agent's side against the game's yardstick (without one: the base),
and "cross-play" the candidate's side against the others. If the round has an instruction, the self-play of
each is played again on the same deals with the instruction, as in a live game, and the events of candidate
and base are counted with every seat having it and with none. Intervals are over deals. The game's probes,
tasks whose success is counted, are played with and without their instruction. Candidate and base play some
deals move by move, to count what each does and to keep games for watching side by side. Measures; decides
nothing.

    python -m engine.learning.evaluate_round --config FILE --out FOLDER
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from engine import brings, games, language
from engine.agents import utility
from engine.agents.acting import manner
from engine.agents.catalogue import load, shipped
from engine.agents.policy import Policy, check_fits
from engine.agents.utility import RewardModel
from engine.evaluation import side_by_side
from engine.evaluation.intervals import over_deals
from engine.evaluation.partners import tables
from engine.evaluation.people import proxy
from engine.evaluation.probes import Probe, probed, probes_of
from engine.evaluation.reward_return import Played, fair_options, play_rewarded, varied
from engine.evaluation.self_play import summary
from engine.evaluation.side_by_side import Watched
from engine.evaluation.told import evaluate_told
from engine.evaluation.told_games import audience
from engine.learning.parts.sides import against, has_sides, round_options
from engine.learning.run.reporting import Reporter, Stopped, run_program
from engine.learning.run.settings import (
    Base,
    Candidate,
    Champion,
    HumanProxy,
    InstructionText,
    Range,
    ReadingNumber,
    RewardModelFolder,
    SecondModelFolder,
    Seed,
)
from engine.learning.run.shared import OfGame, Seeded
from engine.refusal import Refusal

MAKES = "evaluation"
USUAL = True
FOREMOST = ("episodes", "cross_play")
SECOND = 200
"""Games of each that the second reward model sees."""
SIZES = {"tiny": {"episodes": 60, "probes": 4, "counted": 8}, "thorough": {"episodes": 5000}}


Words = str | language.Reading


@dataclass(frozen=True, kw_only=True)
class Settings(Seeded, OfGame):
    candidate: Candidate
    """The agent that the round made: ref or folder."""
    base: Base
    """The agent that it was trained from."""
    champion: Champion = ""
    """The agent in use; empty: the base."""
    reward_model: RewardModelFolder = ""
    """Folder of the round's reward model; empty: no reward-model return."""
    judge: SecondModelFolder = ""
    """Folder of a second reward model, learned from other annotators' marks: its return is computed for
    candidate, base and champion, on up to 200 of the deals; empty: none."""
    episodes: Annotated[int, Range(4, 1_000_000)] = 1000
    """Games of each pairing: more games, narrower intervals (twice as narrow with four times as many)."""
    people: HumanProxy = "human"
    """The human proxy that candidate, base and champion also play with: ref, alias or folder; empty:
    none.
    """
    cross_play: bool = True
    """Whether the candidate also plays with the base, the champion and the scripted bots."""
    watched: Annotated[int, Range(0, 1000)] = 12
    """Deals that candidate and base also play move by move, to count what each does more and less often;
    the first three can be watched side by side (0: none)."""
    probes: Annotated[int, Range(0, 10_000)] = 20
    """Games of each of the game's probes (tasks whose success is counted), with and without the
    instruction, for candidate, base and champion (0: none)."""
    instruction: InstructionText = ""
    """An instruction that a player gives candidate, base and champion in a second evaluation; empty: the
    one that the candidate was trained with, if any."""
    reading: ReadingNumber = 0
    """Which reading of the instruction is meant: 0 the first one, 1 the first of the others."""
    counted: Annotated[int, Range(0, 10_000)] = 40
    """Games in which all seats of candidate or base have the instruction, and as many without it, to count
    what they do (0: none)."""
    seed: Seed = 100


def same(policy: Policy, other: Policy) -> bool:
    """Whether two policies are the same agent."""
    return policy.name == other.name and policy.card.get("sha256") == other.card.get("sha256")


def pairings(settings: Settings) -> dict[str, Policy]:
    """Who is evaluated in self-play, by name."""
    players = {name: load(getattr(settings, name), settings.game) for name in ("candidate", "base")}
    champion = load(settings.champion, settings.game) if settings.champion else players["base"]
    players["champion"] = players["base"] if same(champion, players["base"]) else champion
    return players


def partners(settings: Settings, players: dict[str, Policy]) -> dict[str, Policy]:
    """Whom the candidate meets in cross-play, by name."""
    chosen = {"base": players["base"]}
    if players["champion"] is not players["base"]:
        chosen["champion"] = players["champion"]
    for ref, card in shipped(settings.game).items():
        if card.get("kind") == "scripted":
            chosen[ref] = load(ref, settings.game)
    return chosen


def tasks(game: str, options: dict[str, Any], episodes: int) -> list[Probe]:
    """The probes that are played; none where a game has none, or nobody could be told."""
    able = episodes and games.brings(game, "probes", "evaluation") and audience(game, options)
    return probes_of(game) if able else []


class Evaluation:
    """What is measured: the players, their games, and what was found so far."""

    def __init__(self, settings: Settings, reporter: Reporter) -> None:
        self.settings, self.reporter, self.game = settings, reporter, settings.game
        self.players = pairings(settings)
        card = self.players["candidate"].card
        self.instruction = settings.instruction or card.get("hyperparameters", {}).get("instruction", "")
        self.meant: language.Reading | None = None
        if self.instruction:
            try:
                self.meant = language.meant(self.game, self.instruction, settings.reading)
            except ValueError as problem:
                raise Refusal(str(problem)) from None
        counts = self.meant is not None and games.brings(self.game, "told", "evaluation")
        self.counted = min(settings.counted, settings.episodes) if counts else 0
        # A human proxy plays whatever it is asked to: the games are the base's.
        options = round_options(self.game, card if "options" in card else self.players["base"].card)
        for player in self.players.values():
            check_fits(player, self.game, options)
        # The same for all, so that everybody's games are the same deals.
        self.options = fair_options(self.game, options, list(self.players.values()))
        spec = games.spec(self.game)
        self.seats, self.highest = spec.seats(self.options), spec.max_score(self.options)
        self.rival: Policy | None = None
        if has_sides(self.game):
            yardstick = brings.Training.of(self.game).YARDSTICK
            self.rival = load(yardstick, self.game) if yardstick else self.players["base"]
        self.model, self.judge = (
            utility.load(Path(folder)) if folder else None
            for folder in (settings.reward_model, settings.judge)
        )
        for model in (self.model, self.judge):
            if model is not None and not utility.can_read(model, self.game, self.options):
                raise Refusal("The reward model was made for another game or other options than these.")
        self.others = partners(settings, self.players) if settings.cross_play else {}
        self.person = proxy(self.game, self.options, settings.people) if settings.people else None
        different = len({id(player) for player in self.players.values()})
        alone = different * (1 + bool(self.instruction) + (self.judge is not None))
        met = len(self.others) * (1 if self.rival else 2)
        if self.person is not None:
            seatings = tables(self.players["base"], self.person, self.options)
            met += len({id(player) for player in self.players.values()}) * len(seatings)
        self.watched = min(settings.watched, settings.episodes)
        self.probes = tasks(self.game, self.options, settings.probes)
        self.done, self.total = 0, alone + met + 2 * bool(self.watched) + different * len(self.probes)
        self.total += 4 * bool(self.counted)

    def check(self) -> None:
        """Raises Stopped when somebody asked for that."""
        if self.reporter.stopping:
            raise Stopped

    def play(
        self, table: list[Policy], episodes: int, model: RewardModel | None, words: Words = ""
    ) -> Played:
        """Games of this table on the deals of all."""
        played = play_rewarded(
            table, self.game, self.options, episodes, self.settings.seed, model, self.check, words
        )
        self.done += 1
        self.reporter.progress(self.done, self.total)
        return played

    def alone(self, words: Words = "") -> dict[str, Any]:
        """{"self_play", "reward_return": by name, "difference": the candidate's score less another's, deal by
        deal}.
        """
        results: dict[str, Any] = {"self_play": {}, "reward_return": {}, "difference": {}}
        scores: dict[str, np.ndarray] = {}
        for name, player in self.players.items():
            if name == "champion" and player is self.players["base"]:
                for kind in results.values():
                    kind |= {name: kind["base"]} if "base" in kind else {}
                continue
            table = self.table(player)
            played = self.play(table, self.settings.episodes, self.model, words)
            scores[name] = played.scores
            results["self_play"][name] = summary(played.scores.astype(int), self.highest)
            if self.model is not None:
                seats = [seat for seat, other in enumerate(table) if other is player]
                judged = [seat for seat in seats if seat in played.told] if words else seats
                results["reward_return"][name] = over_deals(played.utilities[:, judged].mean(1))
            if name != "candidate":
                results["difference"][name] = over_deals(scores["candidate"] - played.scores)
        return results

    def second_opinion(self) -> dict[str, Any]:
        """What the second reward model gives each for its own games, by name: {} where there is none."""
        results: dict[str, Any] = {}
        for name, player in self.players.items() if self.judge is not None else ():
            if name == "champion" and player is self.players["base"]:
                results[name] = results["base"]
                continue
            table = self.table(player)
            played = self.play(table, min(SECOND, self.settings.episodes), self.judge)
            seats = [seat for seat, other in enumerate(table) if other is player]
            results[name] = over_deals(played.utilities[:, seats].mean(1))
        return results

    def table(self, player: Policy) -> list[Policy]:
        """Who plays where a player plays by itself, or its side against the game's yardstick."""
        if self.rival is not None:
            return against(self.game, self.options, player, self.rival)
        return [player] * self.seats

    def side_by_side(self, folder: Path) -> dict[str, Any]:
        """{"deals", "differences": what the candidate does more and less than the base, "games": some of the
        same deals, kept in the folder}: engine.evaluation.side_by_side; {} where nothing is to be watched.
        """
        if not self.watched:
            return {}
        ours, theirs = self.watch("candidate"), self.watch("base")
        rows = side_by_side.differences(ours, theirs)
        side_by_side.illustrate(rows, ours, theirs, folder)
        kept = side_by_side.keep(ours, theirs, folder)
        return {"deals": self.watched, "differences": rows, "games": kept}

    def watch(self, name: str) -> list[Watched]:
        """Games of one of the players by itself, the same deals for all."""
        player = self.players[name]
        table = self.table(player)
        seeds = range(self.settings.seed, self.settings.seed + self.watched)
        games = [side_by_side.watch(table, player, self.options, seed, self.check) for seed in seeds]
        self.done += 1
        self.reporter.progress(self.done, self.total)
        return games

    def crossed(self, partner: Policy) -> dict[str, Any]:
        """The candidate with or against a partner; both seatings of a deal count as one."""
        candidate = self.players["candidate"]
        tables = [[partner] * self.seats, [partner] * self.seats]
        tables[0][0] = tables[1][self.seats - 1] = candidate
        if self.rival is not None:
            tables = [against(self.game, self.options, candidate, partner)]
        count = self.settings.episodes // len(tables)
        return over_deals(np.stack([self.play(table, count, None).scores for table in tables]))

    def with_people(self) -> dict[str, Any]:
        """{"people": each of the players with the human proxy, by name, "people_difference": the
        candidate's score less another's, deal by deal}; empty where there is no proxy.
        """
        results: dict[str, Any] = {"people": {}, "people_difference": {}}
        if self.person is None:
            return results
        scores: dict[str, np.ndarray] = {}
        for name, player in self.players.items():
            if name == "champion" and player is self.players["base"]:
                for kind in results.values():
                    kind[name] = kind["base"]
                continue
            seatings = tables(player, self.person, self.options)
            count = self.settings.episodes // len(seatings)
            scores[name] = np.stack([self.play(table, count, None).scores for table in seatings])
            results["people"][name] = over_deals(scores[name])
            if name != "candidate":
                results["people_difference"][name] = over_deals(scores["candidate"] - scores[name])
        return results

    def probed(self, probe: Probe) -> dict[str, Any]:
        """{"text", "ticks", "told", "untold": how often it succeeds, by name} of a task in words."""
        result: dict[str, Any] = {"text": probe.text, "ticks": probe.limit, "told": {}, "untold": {}}
        for name, player in self.players.items():
            unchanged = name == "champion" and player is self.players["base"]
            for which in ("told", "untold"):
                how = (self.options, self.settings.probes, self.settings.seed, None, which == "told")
                by = result[which]
                by[name] = by["base"] if unchanged else probed(player, probe, *how, self.check)
            self.done += not unchanged
            self.reporter.progress(self.done, self.total)
        return result

    def told(self) -> dict[str, Any]:
        """`alone` with the instruction, and what was understood and by whom; {} without one."""
        if self.meant is None:
            return {}
        about = {"instruction": self.instruction, "reading": self.meant.sentence}
        return {**about, **self.alone(self.meant), "counts": self.counts()}

    def counts(self) -> dict[str, Any]:
        """What candidate and base do when all their seats are told the instruction ("both") and when nobody
        is ("none"), by events alone: {name: {"both", "none": as engine.evaluation.told}}.
        """
        counted: dict[str, Any] = {}
        if not self.counted or (meant := self.meant) is None:
            return counted
        for name in ("candidate", "base"):
            counted[name] = {}
            for who in ("both", "none"):
                how = ("", who, self.options, self.counted, self.settings.seed)
                counted[name][who] = evaluate_told(self.players[name], meant, *how, check=self.check)
                self.done += 1
                self.reporter.progress(self.done, self.total)
        return counted


def train(settings: Settings, out: Path, reporter: Reporter) -> None:
    """The program; see the module's first lines."""
    measured = Evaluation(settings, reporter)
    result = {
        "acts": {name: manner(player) for name, player in measured.players.items()},
        "options": {key: measured.options[key] for key in varied(settings.game)},
        **measured.alone(),
        "second_opinion": measured.second_opinion(),
        "told": measured.told(),
        "probes": {probe.name: measured.probed(probe) for probe in measured.probes},
        **measured.with_people(),
        "proxy": measured.person.name if measured.person else "",
        "cross_play": {name: measured.crossed(partner) for name, partner in measured.others.items()},
        "side_by_side": measured.side_by_side(out / "games"),
    }
    values = {
        f"{kind}/{name}": figure["mean"]
        for kind in ("self_play", "cross_play", "reward_return", "people")
        for name, figure in result[kind].items()
    }
    with_it = result["told"].get("self_play", {})
    values |= {f"told/{name}": figure["mean"] for name, figure in with_it.items()}
    reporter.metrics(settings.episodes, **values)
    reporter.result(**result)


if __name__ == "__main__":
    sys.exit(run_program("evaluate_round", Settings, train))

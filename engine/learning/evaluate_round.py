"""The evaluation of a training round: candidate, base and champion on the same decks.

Self-play of each, cross-play of the candidate with the base, the champion and the scripted bots, and what the
reward model gives each in self-play. Where sides play against each other, "self-play" is one's own side
against the game's yardstick, and "cross-play" the candidate's side against the others. Everything with
standard errors. Where nothing is dealt, networks draw their moves (engine.evaluation.reward_return), and
greedy self-play is measured besides, from random starts. Measures; decides nothing.

    python -m engine.learning.evaluate_round --config FILE --out FOLDER
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine import games
from engine.agents.catalogue import load, shipped
from engine.agents.policy import Policy
from engine.evaluation.reward_return import play_rewarded, varied
from engine.evaluation.self_play import summary
from engine.learning import utility
from engine.learning.reporting import BadConfig, Reporter, Stopped, run_program
from engine.learning.sides import against, round_options, training_of


@dataclass(frozen=True)
class Settings:
    candidate: str
    """The agent that the round made: ref or folder."""
    base: str
    """The agent that it was trained on from."""
    champion: str = ""
    """The agent in use; empty: the base."""
    game: str = "hanabi"
    """Which game."""
    reward_model: str = ""
    """Folder of the round's reward model; empty: no reward-model return."""
    episodes: int = 1000
    """Games of each pairing: more games, narrower intervals (twice as narrow with four times as many)."""
    cross_play: bool = True
    """Whether the candidate also plays with the base, the champion and the scripted bots."""
    seed: int = 100
    """Seed of the decks; the same for all pairings, and not that of training."""

    def __post_init__(self) -> None:
        if self.episodes < 2:
            raise BadConfig(f"The setting 'episodes' must be at least 2, but is {self.episodes}.")


def estimate(values: np.ndarray) -> dict[str, Any]:
    """Mean of independent values (n,) with its standard error and 95 % interval."""
    mean, stderr = float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
    interval = [mean - 1.96 * stderr, mean + 1.96 * stderr]
    return {"mean": mean, "stderr": stderr, "episodes": len(values), "interval": interval}


def same(one: Policy, other: Policy) -> bool:
    """Whether two policies are the same agent."""
    return one.name == other.name and one.card.get("sha256") == other.card.get("sha256")


def pairings(settings: Settings) -> dict[str, Policy]:
    """Who is evaluated in self-play, by name."""
    players = {name: load(getattr(settings, name), settings.game) for name in ("candidate", "base")}
    champion = load(settings.champion, settings.game) if settings.champion else players["base"]
    players["champion"] = players["base"] if same(champion, players["base"]) else champion
    return players


def partners(settings: Settings, players: dict[str, Policy]) -> dict[str, Policy]:
    """Whom the candidate meets in cross-play, by name."""
    found = {"base": players["base"]}
    if players["champion"] is not players["base"]:
        found["champion"] = players["champion"]
    for ref, card in shipped(settings.game).items():
        if card.get("kind") == "scripted":
            found[ref] = load(ref, settings.game)
    return found


def train(settings: Settings, out: Path, reporter: Reporter) -> None:
    """The program; see the module's first lines."""

    def check() -> None:
        if reporter.stopping:
            raise Stopped

    players = pairings(settings)
    spec = games.spec(settings.game)
    options = round_options(settings.game, players["candidate"].card)
    seats, highest = spec.seats(options), spec.max_score(options)
    model = utility.load(Path(settings.reward_model)) if settings.reward_model else None
    others = partners(settings, players) if settings.cross_play else {}
    measure = training_of(settings.game)
    rival = load(measure.YARDSTICK, settings.game) if measure else None
    done, total = 0, len({id(p) for p in players.values()}) + (1 if rival else 2) * len(others)
    result: dict[str, Any] = {"self_play": {}, "greedy": {}, "cross_play": {}, "reward_return": {}}
    for name, player in players.items():
        table = [player] * seats
        if rival is not None:
            table = against(settings.game, options, player, rival)
        if name == "champion" and player is players["base"]:
            for found in (result["self_play"], result["greedy"], result["reward_return"]):
                found.update({name: found["base"]} if "base" in found else {})
            continue
        played = play_rewarded(
            table, settings.game, options, settings.episodes, settings.seed, model, None, check
        )
        result["self_play"][name] = summary(played.scores.astype(int), highest)
        if model is not None:
            own = [seat for seat, one in enumerate(table) if one is player]
            result["reward_return"][name] = estimate(played.utilities[:, own].mean(1))
        if anywhere := varied(settings.game):
            start = {**options, **anywhere}
            played = play_rewarded(
                [player] * seats,
                settings.game,
                start,
                settings.episodes,
                settings.seed,
                check=check,
                greedy=True,
            )
            result["greedy"][name] = estimate(played.scores)
        done += 1
        reporter.progress(done, total)
    for name, partner in others.items():
        scores = []
        tables = [[partner] * seats, [partner] * seats]
        tables[0][0] = tables[1][seats - 1] = players["candidate"]
        if rival is not None:
            tables = [against(settings.game, options, players["candidate"], partner)]
        for table in tables:
            count = settings.episodes // len(tables)
            played = play_rewarded(table, settings.game, options, count, settings.seed, None, None, check)
            scores.append(played.scores)
            done += 1
            reporter.progress(done, total)
        result["cross_play"][name] = estimate(np.concatenate(scores))
    values = {f"self_play/{name}": found["mean"] for name, found in result["self_play"].items()}
    values |= {f"cross_play/{name}": found["mean"] for name, found in result["cross_play"].items()}
    values |= {f"reward_return/{name}": found["mean"] for name, found in result["reward_return"].items()}
    reporter.metrics(settings.episodes, **values)
    reporter.result(**result)


if __name__ == "__main__":
    sys.exit(run_program("evaluate_round", Settings, train))

"""All agents of one kitchen, one after the other: self-play, a population, a partner for strangers, best
responses.

1. `self_play`: PPO in self-play from the layout's own start. 2. `population/<seed>`: more seeds, each kept at
several strengths. 3. `partner`: trained with all of those and with random starts (FCP, Strouse et al. 2021).
4. `best_responses/<style>`: trained from scratch with one scripted cook of the zoo, which measures how much
can be reached with that cook (BR-Prox, ZSC-Eval). The zoo is in no other training.

    python -m engine.learning.population --config FILE --out FOLDER

leaves FOLDER/<stage>/agent. Finished stages are not repeated, so a stopped run continues where it was. Not
for measuring the agents (engine.evaluation.partners).
"""

from __future__ import annotations

import dataclasses
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from engine import brings, games
from engine.agents.catalogue import CARD
from engine.learning.algorithms import ppo
from engine.learning.run.reporting import Reporter, Stopped, config_from, run_program
from engine.learning.run.settings import CardText, Options, Range, Share, completed
from engine.learning.run.shared import Game
from engine.refusal import Refusal

DONE = "done.json"
SELF_PLAY_WORDS = {
    "title": "Self-play cook",
    "description": "Knows its own ways only: it has cooked with copies of itself.",
}
PARTNER_WORDS = {
    "title": "Kitchen partner",
    "description": "Has cooked with many kinds of cooks, good and bad, and fits in with new ones.",
}
STAGES = ("self_play", "population", "partner", "best_responses")


MAKES = "agent"
FITS = ("simultaneous",)


@dataclass(frozen=True, kw_only=True)
class Settings(Game):
    options: Options = field()
    label: str = ""
    """text after the hyphen in the agents' names; empty: the layout"""
    stages: list[str] = field(default_factory=lambda: list(STAGES))
    """stages to make, in order"""
    self_play: dict[str, Any] = field(default_factory=dict)
    """PPO's settings for the self-play agent, in addition to the game's settings for first agents"""
    population: dict[str, Any] = field(default_factory=dict)
    """settings of every member of the population, except the seed"""
    seeds: list[Annotated[int, Range(0, 2**31 - 1)]] = field(default_factory=lambda: [11, 12, 13, 14])
    """seeds of the population"""
    partner: dict[str, Any] = field(default_factory=dict)
    """settings of the partner for strangers; its base may be "self_play", the agent of the first stage"""
    best_responses: dict[str, Any] = field(default_factory=dict)
    """settings of every best response"""
    partner_share: Share = 0.75
    """share of the partner's games with a member of the population; the rest is self-play"""
    also: list[str] = field(default_factory=list)
    """refs of more agents with which the partner plays; one that does nothing teaches it to cook alone"""
    zoo: list[str] = field(default_factory=list)
    """refs of the scripted cooks for which best responses are trained"""
    command: CardText = "python -m engine.learning.population --config FILE --out FOLDER"
    """the command that makes these agents, for their cards"""

    def __post_init__(self) -> None:
        for stage in self.stages:
            if stage not in STAGES:
                raise Refusal(f"There is no stage {stage!r}; the stages are {', '.join(STAGES)}.")


def plan(recipe: Settings, out: Path) -> list[tuple[str, ppo.Settings]]:
    """(folder below `out`, settings) of every training that the recipe's stages need, in order."""
    out = out.resolve()
    complete = games.spec(recipe.game).validate(recipe.options)
    label = recipe.label or str(complete.get("layout", recipe.game))
    common = {"game": recipe.game, "options": recipe.options, "command": recipe.command}
    common |= brings.Training.of(recipe.game).SETTINGS.get("ppo", {}).get("first", {})
    population = [f"population/{seed}" for seed in recipe.seeds]
    members: list[tuple[str, dict[str, Any]]] = []
    for stage in recipe.stages:
        if stage == "self_play":
            members.append(
                ("self_play", {"name": f"self_play-{label}", **SELF_PLAY_WORDS, **recipe.self_play})
            )
        elif stage == "population":
            for seed, folder in zip(recipe.seeds, population, strict=True):
                member = {"name": f"population-{seed}-{label}", "seed": seed}
                members.append((folder, {**member, **recipe.population}))
        elif stage == "partner":
            kept = [str(path) for folder in population for path in sorted((out / folder).glob("kept-*"))]
            met = [*kept, *recipe.also]
            partners = {ref: recipe.partner_share / len(met) for ref in met}
            member = {"name": f"partner-{label}", **PARTNER_WORDS, "partners": partners}
            settings = {**member, **recipe.partner}
            if settings.get("base") == "self_play":  # the first stage's agent
                settings["base"] = str(out / "self_play" / "agent")
            members.append(("partner", settings))
        else:
            for ref in recipe.zoo:
                style = ref.rpartition("/")[2]
                member = {"name": f"best-response-{style}-{label}", "partners": {ref: 1.0}}
                members.append((f"best_responses/{style}", {**member, **recipe.best_responses}))
    return [(folder, config_from(ppo.Settings, {**common, **values})) for folder, values in members]


def train(recipe: Settings, out: Path, reporter: Reporter) -> None:
    """Make what isn't there yet; raises Stopped after leaving a checkpoint."""
    made = {}
    done = 0
    # The partners of the third stage are known only when the second is done: the plan is made again.
    while done < (total := len(steps := plan(recipe, out))):
        folder, settings = steps[done]
        if reporter.stopping:
            raise Stopped
        result = _result(out / folder, settings)
        if result is None:
            reporter.log(f"{folder}: {settings.moves:,} joint steps.")
            within = _Within(reporter)
            (out / folder).mkdir(parents=True, exist_ok=True)
            ppo.train(settings, out / folder, within)
            result = within.made
            note = {"result": result, "settings": dataclasses.asdict(settings)}
            (out / folder / DONE).write_text(json.dumps(note, indent=1))
        made[folder] = result
        done += 1
        reporter.metrics(done, score=result["evaluation"]["best"]["score"])
        reporter.progress(done, total)
    reporter.result(made=made)


def _result(folder: Path, settings: ppo.Settings) -> dict[str, Any] | None:
    """What a finished training said, None if it has yet to be done; raises Refusal for other settings."""
    if not (folder / DONE).exists() or not (folder / "agent" / CARD).exists():
        return None
    note = json.loads((folder / DONE).read_text())
    if completed(ppo.Settings, note["settings"]) != dataclasses.asdict(settings):
        raise Refusal(f"The folder {folder} holds a training with other settings; choose another folder.")
    return note["result"]


class _Within(Reporter):
    """One training's reports inside the whole: its metrics stay, its result is kept for the whole's."""

    def __init__(self, whole: Reporter) -> None:
        super().__init__(stream=whole.stream)
        self.whole = whole
        self.made: dict[str, Any] = {}

    @property
    def stopping(self) -> bool:
        return self.whole.stopping

    @stopping.setter
    def stopping(self, value: bool) -> None:
        pass

    def progress(self, done: float, total: float) -> None:
        """The whole's progress is told in trainings."""

    def result(self, **fields: Any) -> None:
        self.made = fields


if __name__ == "__main__":
    sys.exit(run_program("population", Settings, train))

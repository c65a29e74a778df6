"""Starting a round: everything that may keep it from starting, its row and its jobs, all at once.

Not for running them (workers).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from safetensors import SafetensorError, safe_open

from engine import games
from engine.agents import catalogue, layers
from engine.learning.parts.sides import round_options
from engine.learning.run.settings import Role
from engine.refusal import Refusal, Refusals
from webapp.accounts.models import AuditEvent, User
from webapp.agents import promotion
from webapp.agents.models import Agent
from webapp.agents.resolve import layout_of, load_ref, why_not
from webapp.datasets import people, selection
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode
from webapp.jobs.models import Job
from webapp.rounds import kinds, programs, told
from webapp.rounds.models import Round

FEW_MARKS, FEW_OF_A_SIGN = 500, 5
"""Below which there may be nothing to gain: in the experiment `data` (docs/experiments/data.md), agents that
learned from 483 marks alone in Hanabi and from 153 in a kitchen weren't above where they began for sure.
"""


def seats_of(agent: Agent) -> int | None:
    """The number of seats that a network was trained for, as its card says; None: any."""
    players = agent.card.get("options", {}).get("players") or agent.card.get("players")
    if isinstance(players, list) and len(players) == 1:
        players = players[0]
    return players if isinstance(players, int) else None


def trained_layout(agent: Agent) -> str:
    """The layout (a name or a text) that a network was trained for; "" in games without layouts."""
    spec = games.spec(agent.game)
    if spec.variant is None or agent.kind != "network":
        return ""
    return str(spec.validate(dict(agent.card.get("options", {})))["layout"])


def usable(base: Agent, filters: Filters) -> Filters:
    """The filters, narrowed to the episodes that a round of an agent learns from: marked ones of its game,
    layout, number of seats, and other options that it was trained with.
    """
    spec, seats, trained = games.spec(base.game), seats_of(base), dict(base.card.get("options", {}))
    complete = spec.validate(trained)
    # An agent for any number of seats plays with any options that its card doesn't name.
    names = trained if spec.variant is not None or seats is None else complete
    options = {name: complete[name] for name in names if name not in ("layout", "players")}
    return filters.but(
        game=base.game,
        layout=trained_layout(base),
        seats=seats,
        options=options,
        min_marks=max(1, filters.min_marks),
        replayable=True,
    )


def with_words(base: Agent, filters: Filters) -> Filters:
    """The filters, narrowed to games with instructions of people from which an agent can be co-trained,
    marked or not.
    """
    narrowed = usable(base, filters)
    return narrowed.but(min_marks=0, instructed="with", simulated_episodes=False, simulated_marks=False)


def notes(counted: dict[str, int]) -> list[str]:
    """What a person should know before a round learns from what was found (selection.counts, or the counts of
    a snapshot), in sentences.
    """
    fewest = min(counted["progress"], counted["regression"])
    if too_little(counted) or (counted["marks"] >= FEW_MARKS and fewest >= FEW_OF_A_SIGN):
        return []
    return [
        f"These are few marks: {counted['progress']} of progress and {counted['regression']} of regression. "
        f"In experiments with simulated annotators fewer than {FEW_MARKS} brought agents nothing for sure in "
        f"two games of three, and a reward model learns little from fewer than {FEW_OF_A_SIGN} of a sign."
    ]


def notes_on(round_: Round) -> list[str]:
    """`notes` on what a round that was just launched learns from, the people in it included, and on what was
    left out.
    """
    if round_.kind == kinds.WORDS and not round_.settings[kinds.WORDS]:
        return ["It learns from the shipped sets alone: nobody's instructions from this site are in it."]
    if round_.kind != kinds.MARKS:
        return []
    filters = Filters.from_json(round_.settings[kinds.MARKS])
    few = lacking_people(round_.game, filters, round_.settings)[1]
    return [text for text in (*notes(selection.counts(filters)), older(filters), few) if text]


def older(filters: Filters) -> str:
    """A sentence that marked episodes are left out because they were played by older rules; "" if there are
    none.
    """
    version = games.spec(filters.game).rules_version
    others = Q(rules_version__lt=str(version)) | Q(rules_version__gt=str(version))  # few: an index finds them
    if not Episode.objects.filter(others, game=filters.game).exists():
        return ""
    out = selection.episodes(filters.but(replayable=False)).filter(others).count()
    if not out:
        return ""
    which = "episode was" if out == 1 else "episodes were"
    return (
        f"{out} marked {which} played by other rules than this version's ({version}) and can't be played "
        "again, so nothing is learned from them."
    )


def too_little(counted: dict[str, int]) -> str:
    """Why what was found (selection.counts of `usable` filters, or the counts of a snapshot) is too little to
    learn from and to judge by, in a sentence; "" if it isn't.
    """
    if not counted["marks"]:
        return "No mark passes the filters, so there is nothing to learn from."
    if counted["episodes"] < 2:
        return (
            "One marked episode passes the filters; at least 2 are needed, one to learn from and one that is "
            "held out to judge the reward model by."
        )
    for sign, other in (("progress", "regression"), ("regression", "progress")):
        if not counted[sign]:
            return (
                f"No {sign} is marked, so a reward model would only learn that all is {other}, and nothing "
                "could be measured about it; mark both."
            )
    return ""


def lacking_people(game: str, filters: Filters, settings: dict[str, Any]) -> tuple[str, str]:
    """`people.lacking` for a round that makes a human proxy; two empty texts for any other. Raises
    `Refusal`.
    """
    program = programs.chosen("agent", settings.get("algorithms", {}).get("agent", ""), game)
    if not programs.learns_from_people(program):
        return "", ""
    divide = programs.complete(program, settings.get("agent", {})).get(program.named(Role.PARTS_OF_PEOPLE), 1)
    return people.lacking(filters, divide) if isinstance(divide, int) else ("", "")


def problems(base: Agent, settings: dict[str, Any], counts_data: bool = True) -> dict[str, str]:
    """Everything that keeps a round from starting, as sentences: {"agent.lr": …, "algorithms.agent": …,
    "base": …, "data": …}. Without `counts_data` nothing is said of how much data there is.
    """
    kind, parts = kinds.of(settings), kinds.parts(settings)
    if sentence := unable(kind, base):
        return {"base": sentence}
    known = (kind, *parts, "algorithms")
    refusals = {
        part: f"A round has no part {part!r}; its parts are {', '.join(known)}."
        for part in sorted({*settings, *settings.get("algorithms", {})} - {*known})
    }
    for part in parts:
        try:
            program = kinds.chosen(part, settings, base.game)
        except Refusal as error:
            refusals[f"algorithms.{part}"] = str(error)
            continue
        given = settings.get(part, {})
        refusals |= programs.problems(part, program, given)
        name, number = program.named(Role.INSTRUCTION), given.get(program.named(Role.READING), 0)
        text = given.get(name)
        if kind == kinds.TOLD and part == "agent" and not (isinstance(text, str) and text.strip()):
            refusals[f"agent.{name}"] = "Type the instruction that the agent should be trained to."
        elif isinstance(text, str) and text.strip() and (sentence := _unread(base.game, part, text, number)):
            refusals[f"{part}.{name}"] = sentence
    if sentence := _unfit(base):
        return refusals | {"base": sentence}
    if "snapshot" not in kinds.pipeline(settings):
        return refusals
    try:
        filters = _filters(base, settings)
        if not counts_data or kind == kinds.WORDS:
            return refusals
        sentence = too_little(selection.counts(filters))
        if "algorithms.agent" not in refusals:
            sentence = sentence or lacking_people(base.game, filters, settings)[0]
        if sentence:
            refusals["data"] = sentence
    except Refusal as error:
        refusals["data"] = str(error)
    return refusals


def unable(kind: str, base: Agent) -> str:
    """Why no round of this kind can go on from an agent, in a sentence; "" if it can, as far as its game and
    its network's layers say.
    """
    sentence = kinds.why_not(kind, base.game)
    if sentence or kind != kinds.WORDS or base.kind != "network":
        return sentence
    try:
        weights = catalogue.folder_of(load_ref(base), base.game) / catalogue.WEIGHTS
        with safe_open(weights, "numpy") as tensors:
            names = set(tensors.keys())
    except (Refusal, OSError, SafetensorError):
        return ""  # what is wrong with its files is said where it is loaded
    if layers.GOAL in names:
        return ""
    return f"{base.name} reads no goals, so it can't be co-trained; choose one that does."


def _filters(base: Agent, settings: dict[str, Any]) -> Filters:
    kind = kinds.of(settings)
    given = Filters.from_json({"game": base.game, **settings.get(kind, {})})
    if given.game != base.game:
        raise Refusal(f"{base.name} plays {base.game}, but the episodes are of {given.game}.")
    narrowed = with_words(base, given) if kind == kinds.WORDS else usable(base, given)
    if given.layout not in ("", narrowed.layout):
        raise Refusal(f"{base.name} was trained for another layout than {given.layout}; choose one layout.")
    if given.seats not in (None, narrowed.seats):
        raise Refusal(f"{base.name} was trained for {narrowed.seats} seats, not for {given.seats}.")
    return narrowed


def _unfit(base: Agent) -> str:
    """Why a round can't go on from an agent or be compared with the champion, in a sentence; "" if it can."""
    if base.kind != "network":
        return f"{base.name} is no network; only a network can be trained on."
    for agent in dict.fromkeys((base, champion_for(base))):
        try:
            folder = catalogue.folder_of(load_ref(agent), base.game)
            _try(folder, base.game, tuple(path.stat().st_mtime_ns for path in sorted(folder.iterdir())))
        except Refusal as error:
            return f"{agent.name} can't be used: {error}"
    return ""


@lru_cache(maxsize=100)
def _try(folder: Path, game: str, changed: tuple[int, ...]) -> None:
    """Load an agent whose files were last `changed` at these times: once, as that takes long. Raises
    Refusal.
    """
    catalogue.load(str(folder), game)


def champion_for(base: Agent) -> Agent:
    """The champion that a candidate trained from `base` would replace; `base` itself where no champion plays
    its games.
    """
    champion = promotion.current(base.game, promotion.CHAMPION, layout_of(base))
    if champion is None or why_not(champion, round_options(base.game, base.card)):
        return base
    return champion


def _unread(game: str, part: str, text: str, number: Any) -> str:
    """Why an instruction can't be followed in a part of a round, in a sentence; "" if it can."""
    if part == "agent" and games.spec(game).goal_size:
        return "Leave the agent's instruction empty: here they are goals, which co-training teaches."
    return told.unread(game, text, number)


def check(base: Agent, settings: dict[str, Any]) -> dict[str, Any]:
    """Complete settings of a round: {"data", "algorithms": {part: program}, "reward_model", "agent",
    "evaluation"}; where "told" or "words" stands for the data, no reward model is made. Raises Refusal.
    """
    if refusals := problems(base, settings):
        raise Refusals(problems=refusals)
    kind = kinds.of(settings)
    chosen = {part: kinds.chosen(part, settings, base.game) for part in kinds.parts(settings)}
    parts = {part: programs.complete(chosen[part], settings.get(part, {})) for part in chosen}
    names = {part: program.name for part, program in chosen.items()}
    freezes = "snapshot" in kinds.pipeline(settings)
    learned = _filters(base, settings).to_json() if freezes else settings[kind]
    return {kind: learned, "algorithms": names, **parts}


def queue_of(kind: str, settings: dict[str, Any]) -> str:
    """Which queue a round's job waits in: trainings go where a GPU is, unless its complete settings say that
    they are for the CPU.
    """
    if kind == "candidate":
        return Job.SHORT
    return Job.CPU if programs.value_of(settings, kind, Role.DEVICE) in (None, "cpu") else Job.GPU


@transaction.atomic
def create(base: Agent, settings: dict[str, Any], user: User | None, goal: str = "") -> Round:
    """The round and its jobs, queued; the caller nudges a worker after the commit. Raises Refusal."""
    complete = check(base, settings)
    number = (Round.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    round_ = Round.objects.create(
        number=number, game=base.game, goal=goal, base_agent=base, settings=complete, created_by=user
    )
    Job.objects.bulk_create(
        Job(
            round=round_,
            kind=kind,
            program=complete["algorithms"].get(kind, ""),
            queue=queue_of(kind, complete),
            position=position,
            settings=complete[round_.kind] if kind == "snapshot" else complete.get(kind, {}),
        )
        for position, kind in enumerate(kinds.pipeline(complete))
    )
    AuditEvent.objects.create(user=user, verb="round.launch", detail={"round": number, "base": base.ref})
    return round_

"""`manage.py evaluate people|self-play|cross-play|partners|plans|squads|led|goals|texts|imitation|habits` and
`probes|told|replayed|card`: agents, measured.

How quick they are: `manage.py bench act`.

Works without a database; with one, aliases that an admin moved are followed.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError

from engine import brings, command_line, games
from engine.agents import catalogue
from engine.agents.policy import Policy
from engine.evaluation import plans as planned
from engine.evaluation.card import write_evaluation
from engine.evaluation.cross_play import cross_play
from engine.evaluation.habits import lines as lines_of_habits
from engine.evaluation.habits import of_agent, of_people
from engine.evaluation.imitation import held_out, imitation, lines, recorded
from engine.evaluation.partners import evaluate_partners
from engine.evaluation.partners import table as partner_table
from engine.evaluation.people import HUMAN, evaluate_people
from engine.evaluation.people import proxy as proxy_of_people
from engine.evaluation.probes import evaluate_probes
from engine.evaluation.probes import table as probe_table
from engine.evaluation.replayed import logs_in, replayed
from engine.evaluation.replayed import table as replayed_table
from engine.evaluation.self_play import self_play
from engine.evaluation.told import WHO, evaluate_told
from engine.evaluation.told import table as told_table
from engine.evaluation.told_games import MARK, parted
from engine.games import arguments as game_options
from engine.games.pages import pages
from engine.language import FIRMNESS, goal_head
from engine.refusal import Refusal
from webapp.agents.resolve import judging, load_ref, resolve
from webapp.common.commands import CoplayCommand


def _taken(kind: Callable[[str], Any], about: str = "", default: Any = ...) -> dict[str, Any]:
    """An option with a value, needed where it has no default."""
    return {"type": kind, "help": about, **({"required": True} if default is ... else {"default": default})}


REF = _taken(command_line.name, "a ref, an alias or a folder")
# What options are, where a command doesn't say more of its own.
OPTIONS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("a", "b", "agent"), REF),
    "agents": _taken(command_line.names, "refs, aliases or folders, with commas"),
    "best-responses": _taken(command_line.folder, "one agent for each partner, under its name", None),
    "episodes": _taken(command_line.whole(1, 1_000_000), "games (a seat and seed)", 1000),
    "file": _taken(command_line.file_or_folder, "recorded games of people to compare with", None),
    "firmness": {
        "choices": FIRMNESS,
        "default": "strict",
        "help": "to the letter, or where that costs little",
    },
    "folder": _taken(command_line.folder, "a snapshot, or episode logs"),
    "game": _taken(game_options.game, ", ".join(games.names()), games.DEFAULT),
    "held-out": {"action": "store_true", "help": "only people whom the human proxy wasn't trained on"},
    "instruction": _taken(command_line.words(500), "what it is told"),
    "json": {"action": "store_true", "help": "print one JSON object"},
    "level": _taken(command_line.words(80), "how hard it is", ""),
    "match": _taken(command_line.words(80), "default: the first", ""),
    "matches": _taken(command_line.whole(1, 100_000), "half of them, sides swapped", 200),
    "partners": _taken(command_line.names, "agents for cross-play, separated by commas", []),
    "plans": {"choices": planned.choices(), "default": "search", "help": "who plans, or a control"},
    "goal": _taken(command_line.words(500), "what the first seat says to all at the start", ""),
    "no-reflection": {"action": "store_true", "help": "what fails is not noticed and planned anew"},
    "deaf": {"action": "store_true", "help": "seats don't get their steps (a control)"},
    "probe": _taken(command_line.name, "this one alone", ""),
    "second": _taken(command_line.words(500), "another instruction, for the other seats", ""),
    "seed": _taken(command_line.seed, default=0),
    "seeds": _taken(command_line.whole(1, 10), "repeat with so many", 5),
    "told": {"choices": WHO, "default": "both", "help": "which seats have the instruction"},
    "with": {"dest": "ref", **_taken(command_line.name, "another agent in the other seats", "")},
}


def _commands() -> dict[str, tuple[str, str, dict[str, dict[str, Any]]]]:
    """{name: (what it is for, its options, what is its own of them)}; "settings" are those of games, "manner"
    how moves are chosen.
    """
    played = "agent game settings seed episodes"
    human = {"default": HUMAN, "help": f"who else (default {HUMAN})"}
    with_human = {**human, "help": f"who (default {HUMAN}); with what they are told: 'REF{MARK}WORDS'"}
    file = {"required": True, "help": "recorded games of people, or a snapshot"}
    return {
        "people": (
            "an agent with a human proxy that no agent trained with",
            f"{played} manner with seeds",
            {"with": with_human, "episodes": {"default": 20}},
        ),
        "self-play": ("one agent in every seat", f"{played} manner seeds", {"seeds": {"default": 1}}),
        "cross-play": ("every agent with every other one", "agents game settings seed episodes manner", {}),
        "partners": (
            "agents with a game's zoo of partners",
            "agents game settings seed episodes manner seeds best-responses",
            {"episodes": {"default": 1}},
        ),
        "plans": (
            "a team whose work is planned, or by chance, or not at all",
            "agent game settings seed episodes plans goal with no-reflection deaf",
            {
                "game": {"default": brings.Planning.games()[0]},
                "episodes": {"default": 20, "help": "games"},
                "with": {"help": "another agent in the first seat"},
            },
        ),
        "squads": (
            "squads of one agent against squads of another",
            "a b game settings seed manner matches",
            {"game": {"default": brings.Squads.games()[0]}},
        ),
        "led": (
            "one of the lobby's ready matches, with a leader who gives orders",
            "game match level with matches seed",
            {
                "game": {"default": brings.Leading.games()[0]},
                "with": {"default": HUMAN, "help": "who leads"},
                "matches": {"default": 100, "help": ""},
            },
        ),
        "goals": (
            "sub-goals and orders of squad mates who are told them, and of mates who aren't",
            "agent game settings seed episodes",
            {
                "game": {"default": brings.Goals.games()[0]},
                "episodes": {"default": 100, "help": "matches, with a window each for each size of goals"},
            },
        ),
        "texts": (
            "texts with sub-goals, read and done by agents that were co-trained, told and untold",
            "agents game settings seed episodes file",
            {
                "game": {"default": brings.Texts.games()[0]},
                "episodes": {"default": 200, "help": "matches, with a window and a text each"},
                "file": {"help": "other texts with sub-goals: TEXT, a tab, NAME=VALUE; NAME=VALUE"},
            },
        ),
        "imitation": (
            "how well an agent predicts what people do",
            "agent game file held-out manner",
            {"file": file},
        ),
        "habits": (
            "how an agent plays, beside how people do",
            f"{played} file with manner",
            {"episodes": {"default": 20}},
        ),
        "probes": (
            "tasks with a success function, with the instruction and without it",
            f"{played} probe with",
            {"with": {"help": "an agent in the seats without the instruction"}, "episodes": {"default": 100}},
        ),
        "told": (
            "what an agent does with an instruction, counted from the game's events",
            f"{played} instruction second told firmness with",
            {"episodes": {"default": 100}},
        ),
        "replayed": (
            "an agent that continues people's episodes, with the instructions that they gave",
            "agent game folder with seed",
            {"with": human},
        ),
        "card": ("measure an agent and write the numbers on its card", f"{played} partners", {}),
    }


class Command(CoplayCommand):
    help = (
        "Measure agents: self-play, cross-play, partners that no agent trained with, all numbers of a card."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        for name, (about, options, own) in _commands().items():
            command = commands.add_parser(name, help=about)
            for option in (*options.split(), "json"):
                if option == "settings":
                    game_options.add(command)
                elif option == "manner":
                    manner = command.add_mutually_exclusive_group()
                    manner.add_argument("--sample", action="store_true", help="networks draw their moves")
                    manner.add_argument("--greedy", action="store_true", help="all take their best moves")
                else:
                    command.add_argument(f"--{option}", **{**OPTIONS[option], **own.get(option, {})})

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            lines, result = getattr(self, options["command"].replace("-", "_"))(options)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(result))
        else:
            self.stdout.write("\n".join(lines))

    def people(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        policy = agent(options["game"], options["agent"], game_options.given(options))
        game, chosen, episodes, seed, greedy = arguments(options)
        proxy, pace = parted(options["ref"])
        with suppress(DatabaseError):
            proxy = judging(game, proxy, games.spec(game).validate(dict(chosen)))
        proxy = f"{proxy}{MARK}{pace}" if pace else proxy
        result = evaluate_people(policy, game, chosen, episodes, seed, options["seeds"], greedy, proxy)
        seats = ", ".join(f"{mean:.1f}" for mean in result["by_seat"])
        spread = ""
        if result["interval"]:
            low, high = result["interval"]
            spread = f" (95 % over {result['seeds']} seeds: {low:.1f} to {high:.1f})"
        line = f"{policy.name} with {result['proxy']}: {result['mean']:.1f}{spread}; by seat {seats}"
        return [f"{line}; {result['episodes']} games"], result

    def self_play(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        policy = agent(options["game"], options["agent"], game_options.given(options))
        result = self_play(policy, *arguments(options), seeds=options["seeds"])
        return [f"{policy.name}: {describe(result)}"], result

    def cross_play(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        given = game_options.given(options)
        policies = [agent(options["game"], ref, given) for ref in options["agents"]]
        result = cross_play(policies, *arguments(options))
        return table(result), result

    def partners(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        given = game_options.given(options)
        policies = [agent(options["game"], ref, given) for ref in options["agents"]]
        game, chosen, episodes, seed, greedy = arguments(options)
        folder = options["best_responses"]
        result = evaluate_partners(policies, game, chosen, folder, episodes, seed, options["seeds"], greedy)
        return partner_table(result), result

    def plans(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        given = game_options.given(options)
        policy = agent(options["game"], options["agent"], given)
        first = agent(options["game"], options["ref"], given) if options["ref"] else policy
        spec = games.spec(options["game"])
        cast = [first, *[policy] * (spec.seats(spec.validate(given)) - 1)]
        result = planned.evaluate_plans(
            cast,
            options["game"],
            options["plans"],
            given,
            options["episodes"],
            options["seed"],
            options["goal"],
            not options["no_reflection"],
            not options["deaf"],
        )
        return planned.table(result), {**result, "agent": policy.name, "seed": options["seed"]}

    def squads(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        measure = brings.Squads.needed(options["game"], "Squads fight")
        chosen = game_options.given(options)
        a, b = (agent(options["game"], options[side], chosen) for side in ("a", "b"))
        result = measure.squads(a, b, chosen, options["matches"], options["seed"], greedy(options))
        return squad_lines(result), result

    def led(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        game, measure = options["game"], brings.Leading.needed(options["game"], "Squads are led")
        match = options["match"] or pages(game).presets[0].name
        chosen, refs = measure.seated(match, options["level"], options["ref"])
        known = {ref: agent(game, ref, chosen) for ref in dict.fromkeys(refs)}
        result = measure.led([known[ref] for ref in refs], chosen, options["matches"], options["seed"])
        return measure.lines(result), {**result, "match": match, "level": options["level"]}

    def goals(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        measure = brings.Goals.needed(options["game"], "There are goals")
        chosen = game_options.given(options)
        policy = agent(options["game"], options["agent"], chosen)
        result = measure.goals(policy, chosen, options["episodes"], options["seed"])
        return measure.lines(result), result

    def texts(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        measure = brings.Texts.needed(options["game"], "Texts ask for sub-goals")
        chosen = game_options.given(options)
        agents = [language_side(options["game"], ref, chosen) for ref in options["agents"]]
        result = measure.texts(agents, chosen, options["episodes"], options["seed"], options["file"])
        return measure.lines(result), result

    def imitation(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        try:
            played, skipped = recorded(options["game"], options["file"])
        except OSError as problem:
            raise ValueError(f"The file can't be read: {problem}.") from None
        policy = agent(options["game"], options["agent"], played[0].options)
        if options["held_out"]:
            played = held_out(played, policy.card)
        result = imitation(policy, options["game"], played, greedy(options)) | {"skipped": skipped}
        return lines(result), result

    def habits(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        policy, partner, given = both(options)
        game, chosen, episodes, seed, greedy = arguments(options)
        habits = of_agent(policy, game, chosen, partner, episodes, seed, greedy)
        people = of_people(game, recorded(game, options["file"])[0], chosen) if options["file"] else {}
        result = {"agent": policy.name, "with": options["ref"], "habits": habits, "people": people}
        return lines_of_habits(policy.name, habits, people), result | {"episodes": episodes, "seed": seed}

    def probes(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        policy, partner, given = both(options)
        result = evaluate_probes(
            policy, given, options["episodes"], options["seed"], options["probe"], partner
        )
        return probe_table(result), result

    def told(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        policy, partner, given = both(options)
        words = options["instruction"], options["second"], options["told"]
        how = given, options["episodes"], options["seed"], partner, FIRMNESS[options["firmness"]]
        result = evaluate_told(policy, *words, *how)
        return told_table(result), result

    def replayed(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        game, (logs, damaged) = options["game"], logs_in(options["folder"])
        if not logs:
            nothing = "There is no episode log in this folder that can be read."
            raise ValueError(" ".join([nothing, *damaged[:1]]))
        chosen = logs[0].header["options"] if logs[0].header["game"] == game else {}
        policy, ref = agent(game, options["agent"], chosen), options["ref"]
        with suppress(DatabaseError):
            ref = judging(game, ref, games.spec(game).validate(dict(chosen)))
        person = proxy_of_people(game, chosen, ref)
        if person is None:
            raise ValueError(f"{game} has no human proxy (alias {HUMAN}) here; say who --with.")
        result = replayed(policy, person, logs, options["seed"], damaged=damaged)
        return replayed_table(result), result

    def card(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        result = write_evaluation(
            options["agent"],
            options["partners"],
            options["episodes"],
            options["seed"],
            options["game"],
            game_options.given(options),
        )
        return [f"{options['agent']}: {describe(result['self_play'])}"], result


def both(options: dict[str, Any]) -> tuple[Policy, Policy | None, dict[str, Any]]:
    """The agent, the one that it plays with, if any, and the game's options."""
    given = game_options.given(options)
    policy = agent(options["game"], options["agent"], given)
    return policy, agent(options["game"], options["ref"], given) if options["ref"] else None, given


def arguments(options: dict[str, Any]) -> tuple[Any, ...]:
    return (
        options["game"],
        game_options.given(options),
        options["episodes"],
        options["seed"],
        greedy(options),
    )


def greedy(options: dict[str, Any]) -> bool | None:
    """What --greedy and --sample say; None: agents act as their cards say."""
    return True if options["greedy"] else False if options["sample"] else None


def agent(game: str, name: str, options: dict[str, Any]) -> Policy:
    """The policy of a ref, alias or folder; with a database, its aliases and trained agents come first."""
    spec = games.spec(game)
    complete = spec.validate(dict(options))
    layout = spec.variant(complete) if spec.variant else ""
    try:
        policy = load_ref(resolve(game, name, layout, complete))
    except (Refusal, DatabaseError):
        policy = name
    return catalogue.load(policy, game, complete)


def language_side(game: str, name: str, options: dict[str, Any]) -> tuple[Policy, Path]:
    """The policy of an agent that was co-trained, and the file of its language side; "FOLDER:supervised" is
    that before co-training.
    """
    ref, _, which = name.partition(":")
    folder = catalogue.folder_of(ref, game) / goal_head.FOLDER
    file = folder / (goal_head.SUPERVISED if which == "supervised" else goal_head.FILE)
    if not file.is_file():
        raise Refusal(f"{ref} has no language side; co-training (engine.learning.cotrain) makes one.")
    return agent(game, ref, options), file


def describe(result: dict[str, Any]) -> str:
    spread = "one deal gives no interval"
    if result["interval"]:
        low, high = result["interval"]
        spread = f"95 %: {low:.3f} to {high:.3f}"
    drawn = ", moves drawn" if result["acts"] == "sampled" else ""
    line = (
        f"mean {result['mean']:.3f} ({spread}) over {result['episodes']} games{drawn}; "
        f"{result['zeros']:.1%} scored 0"
    )
    if isinstance(result["histogram"], list):
        line += f", {result['perfect']:.1%} were perfect"
    elif len(result["histogram"]) == 1 and result["episodes"] > 1:
        line += "; all games ended alike: --start random or --sample makes them differ"
    if "by_seed" in result:
        low, high = result["interval_over_seeds"]
        seeds = ", ".join(f"{mean:.1f}" for mean in result["by_seed"])
        line += f"; by seed {seeds} (95 % over seeds: {low:.1f} to {high:.1f})"
    return line


def squad_lines(result: dict[str, Any]) -> list[str]:
    (low, high), (a, b) = result["interval"], result["agents"]
    lines = [
        f"{a} beats {b} in {result['wins']:.1%} of {result['matches']} matches, "
        f"{result['deals']} deals (95 %: {low:.1%} to {high:.1%}), {result['draws']:.1%} draws; "
        f"{result['by_fighting']:.0%} ended by shots, after {result['seconds']['mean']:.0f} s on average",
        " " * 12 + f"{'a':>10}{'b':>10}   a player and match",
    ]
    rates = result["rates"]
    return lines + [f"{name:<12}{rates['a'][name]:>10.2f}{rates['b'][name]:>10.2f}" for name in rates["a"]]


def table(result: dict[str, Any]) -> list[str]:
    names = result["agents"]
    width = max(len(name) for name in names)
    heads = [f"[{index}]" for index in range(len(names))]
    lines = [f"Mean score over {result['episodes']} games; row: seat 0, column: the others"]
    lines.append(" " * (width + 4) + "".join(f"{head:>16}" for head in heads))
    for head, name, means, errors in zip(heads, names, result["mean"], result["stderr"], strict=True):
        cells = "".join(
            f"{mean if error is None else f'{mean:.2f} ± {error:.2f}':>16}"
            for mean, error in zip(means, errors, strict=True)
        )
        lines.append(f"{head} {name:<{width}}{cells}")
    return lines

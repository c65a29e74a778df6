"""`manage.py evaluate people|self-play|cross-play|partners|squads|led|imitation|habits|probes|told` and
`replayed|card`: agents, measured.

How quick they are: `manage.py bench act`.

Works without a database; with one, aliases that an admin moved are followed.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError

from engine import command_line, games
from engine.agents import catalogue
from engine.agents.policy import Policy
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
from engine.language import FIRMNESS
from engine.refusal import Refusal
from webapp.agents.resolve import judging, load_ref, resolve
from webapp.common.commands import CoplayCommand


class Command(CoplayCommand):
    help = (
        "Measure agents: self-play, cross-play, partners that no agent trained with, all numbers of a card."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        people = commands.add_parser("people", help="an agent with a human proxy that no agent trained with")
        alone = commands.add_parser("self-play", help="one agent in every seat")
        crossed = commands.add_parser("cross-play", help="every agent with every other one")
        strangers = commands.add_parser("partners", help="agents with a game's zoo of partners")
        against = commands.add_parser("squads", help="squads of one agent against squads of another")
        leading = commands.add_parser(
            "led", help="one of the lobby's ready matches, with a leader who gives orders"
        )
        leading.add_argument("--game", type=game_options.game, default=next(iter(with_leaders())))
        leading.add_argument("--match", type=command_line.words(80), default="", help="default: the first")
        leading.add_argument("--level", type=command_line.words(80), default="", help="how hard it is")
        leading.add_argument("--with", dest="ref", type=command_line.name, default=HUMAN, help="who leads")
        leading.add_argument("--matches", type=command_line.whole(1, 10_000), default=100)
        leading.add_argument("--seed", type=command_line.seed, default=0)
        foretold = commands.add_parser("imitation", help="how well an agent predicts what people do")
        habits = commands.add_parser("habits", help="how an agent plays, beside how people do")
        habits.add_argument(
            "--file", type=command_line.file_or_folder, help="recorded games of people to compare with"
        )
        habits.add_argument(
            "--with", dest="ref", type=command_line.name, default="", help="another agent in the other seats"
        )
        probes = commands.add_parser(
            "probes", help="tasks with a success function, with the instruction and without it"
        )
        probes.add_argument("--probe", type=command_line.name, default="", help="this one alone")
        probes.add_argument(
            "--with",
            dest="ref",
            type=command_line.name,
            default="",
            help="an agent in the seats without the instruction",
        )
        with_text = commands.add_parser(
            "told", help="what an agent does with an instruction, counted from the game's events"
        )
        with_text.add_argument(
            "--instruction", type=command_line.words(500), required=True, help="what it is told"
        )
        with_text.add_argument(
            "--second",
            type=command_line.words(500),
            default="",
            help="another instruction, for the other seats",
        )
        with_text.add_argument(
            "--told",
            choices=WHO,
            default="both",
            help="which seats have the instruction: both, the first one, the others, none",
        )
        with_text.add_argument(
            "--firmness",
            choices=FIRMNESS,
            default="strict",
            help="to be obeyed to the letter, or only where that costs little",
        )
        with_text.add_argument(
            "--with", dest="ref", type=command_line.name, default="", help="an agent in the other seats"
        )
        spoken = commands.add_parser(
            "replayed", help="an agent that continues people's episodes, with the instructions that they gave"
        )
        spoken.add_argument(
            "--folder",
            type=command_line.folder,
            required=True,
            help="a snapshot, or episode logs",
        )
        spoken.add_argument(
            "--with", dest="ref", type=command_line.name, default=HUMAN, help=f"who else (default {HUMAN})"
        )
        card = commands.add_parser("card", help="measure an agent and write the numbers on its card")
        foretold.add_argument(
            "--file",
            type=command_line.file_or_folder,
            required=True,
            help="recorded games of people, or a snapshot",
        )
        foretold.add_argument(
            "--held-out",
            action="store_true",
            help="only people on whom a human proxy made with this file was not trained",
        )
        for command in (people, alone, card, foretold, habits, probes, with_text, spoken):
            command.add_argument(
                "--agent", type=command_line.name, required=True, help="a ref, an alias or a folder"
            )
        for command in (crossed, strangers):
            command.add_argument(
                "--agents",
                type=command_line.names,
                required=True,
                help="refs, aliases or folders, with commas",
            )
        for side in ("a", "b"):
            against.add_argument(
                f"--{side}", type=command_line.name, required=True, help="a ref, an alias or a folder"
            )
        against.add_argument(
            "--matches", type=command_line.whole(1, 100_000), default=200, help="half of them, sides swapped"
        )
        strangers.add_argument(
            "--best-responses",
            type=command_line.folder,
            help="a folder with one agent for each partner, under the partner's name",
        )
        card.add_argument(
            "--partners",
            type=command_line.names,
            default=[],
            help="agents for cross-play, separated by commas",
        )
        people.add_argument(
            "--with",
            dest="ref",
            type=command_line.name,
            default=HUMAN,
            help=f"who (default {HUMAN}); with what they are told: 'REF{MARK}WORDS'",
        )
        for command, seeds in ((people, 5), (alone, 1), (strangers, 5)):
            command.add_argument(
                "--seeds", type=command_line.whole(1, 10), default=seeds, help="repeat with so many"
            )
        for command in (people, alone, crossed, strangers, against, foretold, habits):
            manner = command.add_mutually_exclusive_group()
            manner.add_argument("--sample", action="store_true", help="networks draw their moves")
            manner.add_argument("--greedy", action="store_true", help="all take their best moves")
        for command in (foretold, spoken):
            command.add_argument(
                "--game", type=game_options.game, default=games.DEFAULT, help=", ".join(games.names())
            )
        spoken.add_argument("--seed", type=command_line.seed, default=0)
        for command in (people, alone, crossed, strangers, card, against, habits, probes, with_text):
            game = next(iter(with_squads())) if command is against else games.DEFAULT
            command.add_argument(
                "--game", type=game_options.game, default=game, help=", ".join(games.names())
            )
            game_options.add(command)
            command.add_argument("--seed", type=command_line.seed, default=0)
        every = (
            people,
            alone,
            crossed,
            strangers,
            card,
            against,
            leading,
            foretold,
            habits,
            probes,
            with_text,
            spoken,
        )
        for command in every:
            command.add_argument("--json", action="store_true", help="print one JSON object")
        few = {strangers: 1, people: 20, habits: 20, probes: 100, with_text: 100}
        for command in (people, alone, crossed, strangers, card, habits, probes, with_text):
            episodes = few.get(command, 1000)
            command.add_argument(
                "--episodes",
                type=command_line.whole(1, 1_000_000),
                default=episodes,
                help="games (a seat and seed)",
            )

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

    def squads(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        measure = games.part(options["game"], "squads", "evaluation")
        if measure is None:
            raise ValueError(f"Squads fight in {', '.join(with_squads())}, not in {options['game']}.")
        chosen = game_options.given(options)
        a, b = (agent(options["game"], options[side], chosen) for side in ("a", "b"))
        result = measure.squads(a, b, chosen, options["matches"], options["seed"], greedy(options))
        return squad_lines(result), result

    def led(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        game, measure = options["game"], games.part(options["game"], "leading", "evaluation")
        if measure is None:
            raise ValueError(f"Squads are led in {', '.join(with_leaders())}, not in {game}.")
        match = options["match"] or pages(game).presets[0].name
        chosen, refs = measure.seated(match, options["level"], options["ref"])
        known = {ref: agent(game, ref, chosen) for ref in dict.fromkeys(refs)}
        result = measure.led([known[ref] for ref in refs], chosen, options["matches"], options["seed"])
        return measure.lines(result), {**result, "match": match, "level": options["level"]}

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
        given = game_options.given(options)
        policy = agent(options["game"], options["agent"], given)
        partner = agent(options["game"], options["ref"], given) if options["ref"] else None
        game, chosen, episodes, seed, greedy = arguments(options)
        habits = of_agent(policy, game, chosen, partner, episodes, seed, greedy)
        people = of_people(game, recorded(game, options["file"])[0], chosen) if options["file"] else {}
        result = {"agent": policy.name, "with": options["ref"], "habits": habits, "people": people}
        return lines_of_habits(policy.name, habits, people), result | {"episodes": episodes, "seed": seed}

    def probes(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        given = game_options.given(options)
        policy = agent(options["game"], options["agent"], given)
        partner = agent(options["game"], options["ref"], given) if options["ref"] else None
        result = evaluate_probes(
            policy, given, options["episodes"], options["seed"], options["probe"], partner
        )
        return probe_table(result), result

    def told(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        given = game_options.given(options)
        policy = agent(options["game"], options["agent"], given)
        partner = agent(options["game"], options["ref"], given) if options["ref"] else None
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


def with_squads() -> list[str]:
    """The games that bring a measure of squads against squads."""
    return [name for name in games.names() if games.brings(name, "squads", "evaluation")]


def with_leaders() -> list[str]:
    """The games that bring a measure of squads that are led."""
    return [name for name in games.names() if games.brings(name, "leading", "evaluation")]


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

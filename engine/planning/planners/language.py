"""Plans by a language model, whichever the environment names (COPLAY_LANGUAGE_…): one that chats writes a
plan, which is checked, refused with a reason and asked for again at most twice; with any other, each seat's
next steps are chosen by questions (engine.language.decide). While a model can't answer, `search` plans.

Nobody waits: a question is on its way in a thread of its own, one a game and team, and `plan` is None until
its answer is there. As the game goes on meanwhile, the answer is fitted to the state of then. Not for what is
asked (engine.planning.prompt).
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from engine.games.plans import Option, Wanted
from engine.language.decide import Decision, Written, ask, write
from engine.language.decisions import settings as who
from engine.language.decisions.prompt import data
from engine.language.decisions.questions import MOST_OPTIONS
from engine.language.decisions.settings import Settings
from engine.language.decisions.trouble import Unsupported
from engine.planning import prompt
from engine.planning.fitting import FARTHEST, Fitted, fitted, only
from engine.planning.planners import search
from engine.planning.planners.search import Node, grown, proposal
from engine.planning.steps import Proposal, Proposed, carried
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

logger = logging.getLogger(__name__)

AGAIN = 2
"""How often a plan that can't be used is asked for again."""
AT_ONCE = 8
"""Questions on their way at most, of all games together."""
SILENT_SECONDS = 60.0
"""For so long nobody asks a model that couldn't be asked."""
EACH = 2
"""Steps of each seat that are chosen by questions."""
LONGEST_FAULT = 1000
"""Characters of what was wrong with a plan that are sent back."""
MANUAL = "(The manual and the rules as in the first prompt of this game.)"
STOOD_IN = "The language model doesn't answer, so this plan is by search."
UNUSABLE = "The language model's plans couldn't be carried out, so this one is by search."
LATE = "The language model's plan came too late, so this one is by search."

_places = threading.Semaphore(AT_ONCE)
_silent: dict[tuple[str, str], float] = {}  # by address and model: until when nobody asks it


@dataclass(frozen=True)
class Answer:
    """What a model answered: steps, and why so. Without steps `why` says why there is no plan."""

    steps: tuple[Proposed, ...]
    why: str
    asked: tuple[dict[str, Any], ...] = ()


class Thought:
    """One question, on its way in a thread of its own; `answer` is None until it is over."""

    def __init__(self, sim: Simulation, wanted: Wanted, brief: bool) -> None:
        self.about = _about(wanted)
        self.answer: Answer | None = None
        self.dropped = False  # nobody wants to know any more
        threading.Thread(target=self._think, args=(sim.copy(), wanted, brief), daemon=True).start()

    def _think(self, sim: Simulation, wanted: Wanted, brief: bool) -> None:
        with _places:
            try:
                self.answer = Answer((), "") if self.dropped else answered(sim, wanted, brief)
            except Exception:
                logger.exception("a language model couldn't be asked for a plan")
                self.answer = Answer((), STOOD_IN)


class Asked:
    """What is being asked about a game, by team; `read`: whether its log has the manual already."""

    def __init__(self) -> None:
        self.thoughts: dict[tuple[int, ...], Thought] = {}
        self.read = False


_games: WeakKeyDictionary[Simulation, Asked] = WeakKeyDictionary()


def plan(sim: Simulation, wanted: Wanted) -> Proposal | None:
    """None while the model thinks. A question about another goal, or about other seats, is dropped."""
    game, team = _games.setdefault(sim, Asked()), tuple(sorted({*wanted.seats, *wanted.busy}))
    thought = game.thoughts.get(team)
    if thought is None or thought.about != _about(wanted):
        if thought is not None:
            thought.dropped = True
        game.thoughts[team] = Thought(sim, wanted, game.read)
        return None
    if thought.answer is None:
        return None
    del game.thoughts[team]
    game.read = game.read or bool(thought.answer.asked)
    return settled(sim, wanted, thought.answer)


def waited(sim: Simulation, wanted: Wanted) -> Proposal:
    """The same, however long it takes: for experiments, in which the game stands still meanwhile."""
    return settled(sim, wanted, answered(sim, wanted))


def _about(wanted: Wanted) -> tuple[object, ...]:
    """What an answer must be about to be of use; games go on while a model thinks."""
    return wanted.seats, wanted.people, wanted.goal, wanted.busy


def settled(sim: Simulation, wanted: Wanted, answer: Answer) -> Proposal:
    """An answer as a plan for the state of now: without what can't be done any more, else one by search."""
    may = [
        at
        for at, step in enumerate(answer.steps)
        if step.seat in wanted.seats and not prompt.is_banned(sim.game, wanted, step.seat, step.program)
    ]
    fit = _fitted(sim, wanted, only(answer.steps, may))
    if len(fit.origin) > len(fit.wrong):
        return Proposal(fit.right(), answer.why, fit.lost, answer.asked)
    instead = search.plan(sim, wanted)
    why = " ".join(part for part in (LATE if answer.steps else answer.why, instead.why) if part)
    return replace(instead, why=why, asked=answer.asked)


def _fitted(sim: Simulation, wanted: Wanted, steps: Sequence[Proposed]) -> Fitted:
    """Steps fitted to the game, which hears of them as of what is fixed."""
    fixed = {
        seat: (*wanted.fixed.get(seat, ()), *(step.program for step in steps if step.seat == seat))
        for seat in wanted.seats
    }
    return fitted(search.world(sim, replace(wanted, fixed=fixed)), wanted, steps)


def answered(sim: Simulation, wanted: Wanted, brief: bool = False) -> Answer:
    """What the model says, after however long it takes. `brief`: the manual isn't told again in `asked`."""
    try:
        settings = who.from_environment()
    except ValueError as problem:
        return Answer((), STOOD_IN, ({"prompt": "", "answer": str(problem)},))
    server = settings.url, settings.model
    if time.monotonic() < _silent.get(server, 0.0):
        return Answer((), STOOD_IN)
    try:
        if settings.mode in ("auto", "structured"):
            try:
                return written(sim, wanted, settings, brief)
            except Unsupported:
                pass  # it answers questions only
        return chosen(sim, wanted, settings)
    except Refusal as problem:
        _silent[server] = time.monotonic() + SILENT_SECONDS
        return Answer((), STOOD_IN, ({"prompt": "", "answer": str(problem)},))


def written(sim: Simulation, wanted: Wanted, settings: Settings, brief: bool = False) -> Answer:
    """A plan that a model writes. Raises Refusal, and Unsupported where it doesn't chat."""
    chat, form = prompt.messages(sim, wanted), prompt.schema(wanted)
    asked: list[dict[str, Any]] = []
    shown = [MANUAL if brief else chat[0]["content"], chat[1]["content"]]
    for _ in range(1 + AGAIN):
        said = write(chat, form, settings)
        record = {"prompt": "\n\n".join(shown), "answer": said.text, **_costs(said)}
        try:
            steps, why = prompt.read(sim.game, wanted, said.text)
            fit = _fitted(sim, wanted, steps)
            if fit.wrong:
                at = min(fit.wrong)
                raise Refusal(f"Step {fit.origin[at]}: {fit.wrong[at]}")
        except Refusal as fault:
            again = prompt.AGAIN.format(str(fault)[:LONGEST_FAULT])
            asked.append({**record, "refused": str(fault)[:LONGEST_FAULT]})
            chat += [{"role": "assistant", "content": said.text}, {"role": "user", "content": again}]
            shown = [again]
            continue
        return Answer(tuple(steps), why, (*asked, record))
    return Answer((), UNUSABLE, tuple(asked))


def chosen(sim: Simulation, wanted: Wanted, settings: Settings) -> Answer:
    """A plan of which the model chooses each step among what the game offers. Raises Refusal where it can't
    be asked.
    """
    first = search.world(sim, wanted)
    now = prompt.situation(sim, wanted)
    context = {"game": sim.game, **{name: now[name] for name in ("wanted", "things", "sees")}}
    node, asked, notices = Node(first), list[dict[str, Any]](), list[str]()
    questions = EACH * len(wanted.seats)
    for _ in range(FARTHEST):
        seat = node.world.turn()
        if seat is None or not questions:
            break
        nodes = sorted(grown(node, seat, wanted), key=lambda one: -one.world.value())[:MOST_OPTIONS]
        choices = {_words(sim.game, one.steps[-1][1]): one for one in nodes}
        if len(choices) > 1:
            questions -= 1
            question = {"question": _question(seat, node), "choices": list(choices)}
            best, decision = _choice(context, question, settings)
            node = choices[best]
            known = {} if asked else {"known": context}
            asked.append({"prompt": data(known | question), "answer": best, **_costs(decision)})
            notices += decision.notices
        elif nodes:
            node = nodes[0]
        else:
            break
    made = proposal(first, node)
    why = " ".join(part for part in (made.why, *dict.fromkeys(notices)) if part)
    return Answer(made.steps, why, tuple(asked))


def _question(seat: int, node: Node) -> str:
    planned = [f"seat {who}: {option.program}" for who, option in node.steps if option.program]
    text = f"What should seat {seat} do next, so that the team gets furthest with what is wanted?"
    return text + (f" Planned before that: {'; '.join(planned)}." if planned else "")


def _choice(context: dict[str, Any], question: dict[str, Any], settings: Settings) -> tuple[str, Decision]:
    """(what the model chooses, all that it said)."""
    try:
        decision = ask(context, [question], settings)
    except ValueError as problem:
        raise Refusal(str(problem)) from None
    if decision.stood_in:
        raise Refusal(decision.notice)
    [shares] = decision.probabilities
    return max(question["choices"], key=lambda choice: shares[choice]), decision


def _words(game: str, option: Option) -> str:
    """What an option says, as the seat would say it."""
    if not option.program:
        return "Leave it to the others for now."
    return f"{carried(game, option.program)['says']} ({math.ceil(option.ticks)} ticks)"


def _costs(said: Written | Decision) -> dict[str, Any]:
    """Which model answered, and what that took."""
    took = said.usage
    tokens = took.input_tokens + took.output_tokens
    costs = {
        "requests": took.requests,
        "tokens": tokens,
        "cost": took.cost,
        "seconds": round(said.seconds, 3),
    }
    return {"model": said.model, **costs}

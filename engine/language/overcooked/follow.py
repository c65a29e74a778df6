"""Instructions followed in a live kitchen: the prior over a cook's six actions, and how far it has got.

A planner over goals: what to do next follows from what the cook holds and what the pots hold (`tasks`), and
every action on a shortest way to it gets the same preference, so that a learned policy still chooses among
them and acts by itself whenever nothing is asked. Pure functions of the state and of `sim.events`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.overcooked import rules
from engine.language.overcooked import tasks
from engine.language.overcooked.goals import Goal
from engine.language.overcooked.kitchen import FAR, KINDS, Kitchen, use_costs, walk_costs
from engine.language.overcooked.say import clause
from engine.language.overcooked.standing import bans, done, mine, settle
from engine.language.overcooked.tasks import Step, cant

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

STRENGTH = 100.0
"""Logits of an action that is asked for, and of one that is forbidden (negative). More than what separates
the best and the worst action of any policy here: scripted cooks floor theirs at -60."""
UNTIL = {"ready": "until the soup is done", "full": "until a pot is full", "empty": "until a pot is empty"}
PATIENCE = 3  # steps that a cook rather goes round another one than waits for it to move on


def prior(program: dict[str, Any], sim: Simulation, seat: int) -> np.ndarray:
    """Preference among the actions of `seat`, float32 (6,), in logits; 0 where the program is silent.

    `program["since_tick"]`, if there, is the tick of the instruction; `program["from_seat"]` who gave it, by
    default the cook who is nearest.
    """
    return priors([program], sim, seat)


def priors(programs: list[dict[str, Any]], sim: Simulation, seat: int) -> np.ndarray:
    """The same for all instructions to a seat, oldest first: later ones replace what they contradict."""
    logits = np.zeros(rules.NUM_ACTIONS, np.float32)
    if sim.over or not programs:
        return logits
    told = [
        (goals, kitchen)
        for goals, kitchen in zip(settle(programs), _kitchens(programs, sim, seat), strict=True)
    ]
    bounds = _bounds(told)
    kitchen = told[-1][1]
    steps = [_wished(goals, bounds, its) for goals, its in reversed(told)]
    steps.append(_left_over(bounds, kitchen))
    driving = next((step for step in steps if step is not None and step.drives), None)
    if driving is not None:
        logits[ways(kitchen, driving)] = STRENGTH
    elif kitchen.held == rules.NOTHING and any(step and kitchen.faced in step.keep for step in steps):
        logits[rules.INTERACT] = -STRENGTH
    wishes = {goal["intent"] for goals, _ in told for goal in goals if mine(goal)}
    for goal in bounds:
        _forbid(goal, wishes, kitchen, logits)
    return logits


def progress(program: dict[str, Any], sim: Simulation, seat: int) -> dict[str, str]:
    """{"state": "waiting" | "obeying" | "done", "text": short words} of one instruction."""
    return progresses([program], sim, seat)[0]


def progresses(programs: list[dict[str, Any]], sim: Simulation, seat: int) -> list[dict[str, str]]:
    """The same for each of all instructions to a seat, oldest first."""
    told = [
        (goals, kitchen)
        for goals, kitchen in zip(settle(programs), _kitchens(programs, sim, seat), strict=True)
    ]
    bounds = _bounds(told)
    return [
        _progress(goals, bounds, kitchen)
        if goals or not program["goals"]
        else {"state": "done", "text": "replaced by a later instruction"}
        for program, (goals, kitchen) in zip(programs, told, strict=True)
    ]


def _bounds(told: list[tuple[list[Goal], Kitchen]]) -> list[Goal]:
    """All bans and claims that hold now."""
    return [goal for goals, kitchen in told for goal in goals if bans(goal) and not done(goal, kitchen)]


def _progress(goals: list[Goal], bounds: list[Goal], kitchen: Kitchen) -> dict[str, str]:
    open_goals = [goal for goal in goals if not done(goal, kitchen)]
    if not open_goals:
        return {"state": "done", "text": "going on" if goals[-1]["intent"] == "continue" else "done"}
    step = _wished(goals, bounds, kitchen) or _left_over(bounds, kitchen)
    if step is not None:
        return {"state": step.state, "text": step.text}
    told = next((goal for goal in open_goals if bans(goal)), open_goals[0])
    if told["who"] == "me":
        return {"state": "obeying", "text": "leaving that to you"}
    return {"state": "obeying", "text": clause(told).removeprefix("I ").replace("do not", "not to", 1)}


def _kitchens(programs: list[dict[str, Any]], sim: Simulation, seat: int) -> list[Kitchen]:
    by_teller: dict[Any, Kitchen] = {}
    for program in programs:
        teller = program.get("from_seat")
        if teller not in by_teller:
            by_teller[teller] = Kitchen(sim, seat, teller)
    return [by_teller[program.get("from_seat")] for program in programs]


def _wished(goals: list[Goal], bounds: list[Goal], kitchen: Kitchen) -> Step | None:
    """The next step of one instruction: its first goal with an end, else the role that is of use now."""
    wishes = [goal for goal in goals if mine(goal) and not done(goal, kitchen)]
    for goal in wishes:
        if goal["count"] is not None or goal["intent"] in ("go_to", "clear_the_way") or goal.get("until"):
            return _step(goal, bounds, kitchen)
    steps = [_step(goal, bounds, kitchen) for goal in wishes]
    return max(steps, key=lambda step: step.worth) if steps else None


def _step(goal: Goal, bounds: list[Goal], kitchen: Kitchen) -> Step:
    """What to do now for one goal."""
    if (when := goal.get("when")) and not _holds(when, kitchen) and kitchen.held == rules.NOTHING:
        return cant(
            {"ready": "until the soup is done", "full": "until the pot is full"}.get(
                when, "until it is empty"
            )
        )
    intent, target, count = goal["intent"], goal["target"], goal["count"]
    claimed = {bound["intent"] for bound in bounds}
    if intent == "stop":
        return Step("standing still", stand=frozenset([kitchen.at]))
    if intent in ("wait_at", "go_to"):
        return tasks.be_at(kitchen, goal)
    if intent == "clear_the_way":
        return tasks.clear_way(kitchen)
    if intent in ("divide_roles", "swap_roles"):
        return _role(intent, goal, kitchen)
    if intent.startswith("fetch_"):
        return _fetch(goal, claimed, kitchen)
    if intent in ("put_onion_in_pot", "put_tomato_in_pot"):
        return tasks.cook(kitchen, intent.split("_")[1], target, count is None)
    if intent == "put_on_counter":
        return tasks.on_counter(kitchen, goal)
    if intent == "take_from_counter":
        return tasks.take(kitchen, goal)
    if intent == "start_pot":
        return tasks.start(kitchen, target)
    if intent == "pick_up_soup":
        if goal.get("to") == "me" or count is None and "serve_soup" in claimed:
            return tasks.bring(kitchen, "soup", target, count)
        if kitchen.holds("soup"):
            return tasks.serve(kitchen, None) if count is None else tasks.put_away(kitchen)
        return tasks.plate(kitchen, target, "fetch_dish" not in claimed)
    return tasks.serve(kitchen, target, "fetch_dish" not in claimed)


def _fetch(goal: Goal, claimed: set[str], kitchen: Kitchen) -> Step:
    """Get a thing; as a role ("you do the plates") it goes where it is needed, or to a player who serves."""
    name, target, count = goal["intent"].removeprefix("fetch_"), goal["target"], goal["count"]
    if goal.get("to") == "me":
        return tasks.bring(kitchen, name, target, count)
    if count is not None:
        if kitchen.holds(name):
            return tasks.put_away(kitchen)
        return tasks.get(kitchen, name, tasks.resolve(kitchen, target, target["kind"]) if target else None)
    if name == "dish":
        if "serve_soup" in claimed or "pick_up_soup" in claimed:
            return tasks.bring(kitchen, "dish", target, None)
        return tasks.serve(kitchen, None)
    return tasks.cook(kitchen, name, None, True)


def _role(intent: str, goal: Goal, kitchen: Kitchen) -> Step:
    """The agent's part when the work is divided (it cooks), or when roles are swapped (what it did less)."""
    cooks = True
    if intent == "swap_roles":
        before = [e for e in kitchen.events if e["seat"] == kitchen.seat and e["tick"] <= goal["since_tick"]]
        put = sum(e["kind"] == "put_pot" for e in before)
        served = sum(e["kind"] in ("pick_soup", "deliver") for e in before)
        cooks = put < served
    step = tasks.cook(kitchen, "onion", None, True) if cooks else tasks.serve(kitchen, None)
    return step if step.worth else tasks.serve(kitchen, None)


def _left_over(bounds: list[Goal], kitchen: Kitchen) -> Step | None:
    """The work that bans and claims alone leave over: who must not serve cooks, who must not cook serves."""
    for goal in bounds:
        if goal["intent"] == "go_to" and goal["target"]:
            away = tasks.keep_away(kitchen, goal["target"])
            if away is not None:
                return away
    whole = {g["intent"] for g in bounds if not (g["target"] and g["target"]["which"])}
    serving = bool(whole & {"serve_soup", "pick_up_soup", "fetch_dish"})
    cooking = bool(whole & {"put_onion_in_pot", "fetch_onion"})
    if serving and cooking:
        return None
    if serving:
        found = tasks.cook(kitchen, "onion", None, True)
    elif cooking:
        found = tasks.serve(kitchen, None)
    else:
        return None
    return found if found.worth else None


def _holds(when: str, kitchen: Kitchen) -> bool:
    pots = kitchen.plan.where("pot")
    if when == "ready":
        return any(kitchen.ready(pot) for pot in pots)
    if when == "full":
        return any(not kitchen.open(pot) for pot in pots)
    return any(kitchen.inside(pot) == 0 for pot in pots)


def ways(kitchen: Kitchen, step: Step) -> list[int]:
    """The actions that begin a shortest way to a step; never empty."""
    plan, here, taken = kitchen.plan, kitchen.at, kitchen.taken()
    if kitchen.faced in step.use:
        return [rules.STAY if step.early else rules.INTERACT]
    if here in step.stand:
        return [rules.STAY]
    costs = _costs(kitchen, use_costs, step.use) if step.use else _costs(kitchen, walk_costs, step.stand)
    found = []
    for action in range(rules.STAY):
        to = plan.next[here][action]
        left = 0 if plan.faces[to][action] in step.use else costs.get(to, FAR) if to != here else FAR
        if to in costs and left == costs.get(here, FAR) - 1:
            found.append(action)
    if found and _clashes(kitchen) and (4 * kitchen.tick + kitchen.seat) * 0x9E3779B1 & 0x10000:
        # Two who want one cell, or each other's: now and then this one gives way, a different tick for each.
        wanted = {kitchen.ahead(who) for who in kitchen.others}
        aside = [a for a in range(rules.STAY) if plan.next[here][a] not in {here, *taken, *wanted}]
        found = [*aside, rules.STAY]
    return found or [rules.STAY]


def _clashes(kitchen: Kitchen) -> bool:
    """Whether the cook and another one have just tried to enter one cell, or each other's."""
    mine = kitchen.ahead(kitchen.seat)
    if not 0 <= kitchen.last[kitchen.seat] < rules.STAY:
        return False
    moved = [who for who in kitchen.others if 0 <= kitchen.last[who] < rules.STAY]
    return any(
        kitchen.ahead(who) == mine
        and kitchen.plan.kind[mine] == rules.FLOOR
        or mine == kitchen.places[who]
        and kitchen.ahead(who) == kitchen.at
        for who in moved
    )


def _costs(kitchen: Kitchen, costs_of: Any, goals: frozenset[int]) -> dict[int, int]:
    """Costs with the other cooks taken as walls where a way round them is hardly longer; else with those
    alone who stand still, if there is a way round them; else as if nobody was there.
    """
    free = costs_of(kitchen.plan, goals, frozenset())
    around = costs_of(kitchen.plan, goals, kitchen.taken())
    if around.get(kitchen.at, FAR) <= free.get(kitchen.at, FAR) + PATIENCE:
        return around
    around = costs_of(kitchen.plan, goals, kitchen.standing())
    return around if kitchen.at in around else free


def _forbid(goal: Goal, wishes: set[str], kitchen: Kitchen, logits: np.ndarray) -> None:
    """Take away an interaction that a ban or a claim covers, and steps to a place to stay away from."""
    target, plan = goal["target"], kitchen.plan
    if goal["intent"] != "go_to":
        if _covers(goal, wishes, kitchen) and logits[rules.INTERACT] <= 0:
            logits[rules.INTERACT] = -STRENGTH
    elif target:
        near = tasks.near_cells(kitchen, target)
        for action, to in enumerate(plan.next[kitchen.at]):
            if to in near and kitchen.at not in near:
                logits[action] = -STRENGTH


def _covers(goal: Goal, wishes: set[str], kitchen: Kitchen) -> bool:
    """Whether to interact now would do what a goal bans."""
    kind, held, cell = kitchen.plan.kind[kitchen.faced], kitchen.held, kitchen.faced
    intent, target = goal["intent"], goal["target"]
    if target and target["which"] and cell not in tasks.resolve(kitchen, target, target["kind"]):
        return False
    if intent.startswith("fetch_"):
        return kind == KINDS[intent.removeprefix("fetch_")] and held == rules.NOTHING
    if intent in ("put_onion_in_pot", "put_tomato_in_pot"):
        name = intent.split("_")[1]
        picks = kind == KINDS[name] and held == rules.NOTHING and not target
        return picks and not wishes or kind == rules.POT and kitchen.holds(name)
    if intent == "put_on_counter":
        return (
            kind == rules.COUNTER and kitchen.holds(goal.get("item")) and kitchen.item[cell] == rules.NOTHING
        )
    if intent == "take_from_counter":
        return kind == rules.COUNTER and held == rules.NOTHING and bool(kitchen.item[cell])
    if intent == "start_pot":
        return kind == rules.POT and held == rules.NOTHING and not kitchen.old
    if intent == "pick_up_soup":
        return kind == rules.POT and kitchen.holds("dish")
    # Who does not serve would be left with the soup, so it takes none and no plate for one, unless told to.
    chain = kind == rules.POT and kitchen.holds("dish") or kind == rules.DISHES and held == rules.NOTHING
    return kind == rules.SERVE and kitchen.holds("soup") or chain and not wishes

"""What forms of rounds have in common that ask for no more than an agent, what it learns from, an algorithm
and a budget. Not for the rounds themselves (budgets.py, launch.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from django import forms

from engine import games
from engine.learning.run.programs import Program
from engine.learning.run.settings import Role, Setting
from webapp.agents.models import Agent
from webapp.rounds import budgets, kinds, launch, programs
from webapp.rounds.forms import NumberField, learners, program_field, usual_variant, variant_name, variant_of


class BudgetForm(forms.Form):
    """`settings()` is what `launch.create` takes, once the form is valid; each kind says how."""

    kind: ClassVar[str]

    base = forms.ModelChoiceField(
        learners(),
        to_field_name="ref",
        label="Agent to train on",
        help_text="The new agent starts as a copy of this one, and learns the same game.",
        error_messages={"required": "Choose the agent to start from."},
    )
    goal = forms.CharField(
        max_length=200, required=False, help_text="What this round should improve (a note for people)."
    )
    budget = forms.ChoiceField(widget=forms.RadioSelect, initial="medium")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        able = able_of(self.kind)
        self.games = {agent.ref: agent.game for agent in able}
        groups: dict[str, list[tuple[str, str]]] = {}
        for agent in able:
            groups.setdefault(variant_name(variant_of(agent)), []).append((agent.ref, agent.name))
        self.fields["base"].queryset = learners().filter(ref__in=self.games)
        self.fields["base"].choices = sorted(groups.items())
        self.game = self.games.get(self.said("base"), "")
        known = kinds.fitting("agent", self.kind, self.game)
        self.program: Program | None = known.get(self.said("algorithm")) or next(iter(known.values()), None)
        self.fields["algorithm"] = forms.ChoiceField(
            choices=[(name, name) for name in known],
            initial=self.program.name if self.program else "",
            required=False,
            help_text=f"{self.program.title}." if self.program else "",
            error_messages={"invalid_choice": f"Choose one that fits: {', '.join(known)}."},
        )
        self.budgets = budgets.offered(self.game, self.of_budget) if self.game else []
        self.fields["budget"].choices = [(value, title) for value, (title, _, _) in budgets.BUDGETS.items()]
        for setting in self.set_here():
            self.fields[f"agent-{setting.name}"] = program_field(setting)
        if self.length:
            self.fields[self.length].initial = None
            self.fields[self.length].help_text += ". Empty: as the budget says"

    def of_budget(self, budget: str) -> dict[str, Any]:
        """Settings of a round of this budget, whatever else is chosen."""
        raise NotImplementedError

    def settings(self) -> dict[str, Any]:
        """The round's settings, of what is valid so far."""
        raise NotImplementedError

    def said(self, name: str) -> str:
        """The form's value for a field, unchecked."""
        return str((self.data if self.is_bound else self.initial).get(name) or "")

    @property
    def algorithm(self) -> str:
        return self.program.name if self.program else ""

    def set_here(self) -> list[Setting]:
        """The fields of further settings: the program's foremost settings, and its seed."""
        if self.program is None:
            return []
        known = {setting.name: setting for setting in programs.settings_of(self.program)}
        names = [name for name in (*self.program.foremost, self.program.named(Role.SEED)) if name in known]
        asked = (Role.INSTRUCTION, Role.UTILITY_WEIGHT)
        return [known[name] for name in names if known[name].role not in asked]

    @property
    def length(self) -> str:
        """The field of the training's exact length; "" where the program has none."""
        name = f"agent-{next(iter(self.program.foremost), '')}" if self.program else ""
        return name if isinstance(self.fields.get(name), NumberField) else ""

    def more(self) -> list[forms.BoundField]:
        """The fields that are folded."""
        return [self[name] for name in self.fields if name.startswith("agent-")]

    def given(self) -> dict[str, Any]:
        """What is valid of them, as the agent's settings."""
        names = [(setting.name, f"agent-{setting.name}") for setting in self.set_here()]
        return {name: self.cleaned_data[field] for name, field in names if field in self.cleaned_data}

    def empty_as_budgeted(self) -> None:
        """A number that is left empty is as the budget or the program says."""
        for name in [name for name, field in self.fields.items() if isinstance(field, NumberField)]:
            if self.said(name) == "":
                self.errors.pop(name, None)
                self.cleaned_data.pop(name, None)

    def refuse(
        self, base: Agent, settings: dict[str, Any], renamed: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Say at the fields what keeps the round from starting; `renamed`: where a setting has another
        field.
        """
        for where, sentence in launch.problems(base, settings).items():
            name = renamed.get(where, where.replace(".", "-"))
            field = name if name in self.fields else None
            if field is None or field not in self.errors:
                self.add_error(field, sentence)


def able_of(kind: str) -> list[Agent]:
    """The agents that a round of this kind can go on from, by ref."""
    return [agent for agent in learners().order_by("ref") if not launch.unable(kind, agent)]


def left_out(kind: str) -> dict[str, str]:
    """Why games aren't offered, a sentence each."""
    return {game: sentence for game in games.names() if (sentence := kinds.why_not(kind, game))}


def usual_base(kind: str, game: str = "") -> str:
    """The ref of the agent that is chosen at first: of this game, or of that of the last round, if it can
    be.
    """
    able = able_of(kind)
    last = usual_variant(game if game in {agent.game for agent in able} else "")
    return next((agent.ref for agent in able if variant_of(agent) == last), able[0].ref if able else "")

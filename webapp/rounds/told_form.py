"""The form that trains a partner to an instruction: whom, to what, by which algorithm, for how long. Not for
the round itself (told.py, launch.py).
"""

from __future__ import annotations

from typing import Any

from django import forms

from engine import games
from engine.learning.run.programs import Program
from engine.learning.run.settings import Role, Setting
from webapp.language.readings import LONGEST_INSTRUCTION, MOST_CHOICES, clean_text
from webapp.rounds import launch, programs, told
from webapp.rounds.forms import NumberField, learners, program_field, usual_variant, variant_name, variant_of

UNCONFIRMED = "Check the reading below and confirm it. Training starts only then."


class ToldForm(forms.Form):
    """`settings()` is what `launch.create` takes, once the form is valid."""

    base = forms.ModelChoiceField(
        learners(),
        to_field_name="ref",
        label="Agent to train on",
        help_text="The new agent starts as a copy of this one, and learns the same game.",
        error_messages={"required": "Choose the agent to start from."},
    )
    instruction = forms.CharField(
        label="What it is trained to",
        max_length=LONGEST_INSTRUCTION,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The agent has this instruction in every game of its training.",
        error_messages={"required": "Type the instruction that the agent should be trained to."},
    )
    confirmed = forms.CharField(required=False, widget=forms.HiddenInput)
    choice = forms.IntegerField(required=False, min_value=0, max_value=MOST_CHOICES, widget=forms.HiddenInput)
    goal = forms.CharField(
        max_length=200, required=False, help_text="What this round should improve (a note for people)."
    )
    budget = forms.ChoiceField(widget=forms.RadioSelect, initial="medium")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        able = [agent for agent in learners().order_by("ref") if not told.why_not(agent.game)]
        self.games = {agent.ref: agent.game for agent in able}
        groups: dict[str, list[tuple[str, str]]] = {}
        for agent in able:
            groups.setdefault(variant_name(variant_of(agent)), []).append((agent.ref, agent.name))
        self.fields["base"].queryset = learners().filter(ref__in=self.games)
        self.fields["base"].choices = sorted(groups.items())
        self.game = self.games.get(self._said("base"), "")
        known = programs.instructed(self.game)
        self.program: Program = known.get(self._said("algorithm")) or next(iter(known.values()))
        self.fields["algorithm"] = forms.ChoiceField(
            choices=[(name, name) for name in known],
            initial=self.program.name,
            required=False,
            help_text=f"{self.program.title}.",
            error_messages={"invalid_choice": f"Choose one that fits: {', '.join(known)}."},
        )
        self.budgets = told.budgets(self.game, self.program.name) if self.game else []
        self.fields["budget"].choices = [(value, title) for value, (title, _, _) in told.BUDGETS.items()]
        for setting in self._settings():
            self.fields[f"agent-{setting.name}"] = program_field(setting)
        if self.length:
            self.fields[self.length].initial = None
            self.fields[self.length].help_text += ". Empty: as the budget says"

    def _said(self, name: str) -> str:
        """The form's value for a field, unchecked."""
        return str((self.data if self.is_bound else self.initial).get(name) or "")

    def _settings(self) -> list[Setting]:
        """The fields of further settings: the program's foremost settings, and its seed."""
        known = {setting.name: setting for setting in programs.settings_of(self.program)}
        names = [name for name in (*self.program.foremost, self.program.named(Role.SEED)) if name in known]
        asked = (Role.INSTRUCTION, Role.UTILITY_WEIGHT)
        return [known[name] for name in names if known[name].role not in asked]

    @property
    def length(self) -> str:
        """The field of the training's exact length; "" where the program has none."""
        name = f"agent-{next(iter(self.program.foremost), '')}"
        return name if isinstance(self.fields.get(name), NumberField) else ""

    def more(self) -> list[forms.BoundField]:
        """The fields that are folded."""
        return [self[name] for name in self.fields if name.startswith("agent-")]

    def clean_instruction(self) -> str:
        return clean_text(self.cleaned_data["instruction"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        base, text = cleaned.get("base"), cleaned.get("instruction")
        # A number that is left empty is as the budget or the program says.
        for name in [name for name, field in self.fields.items() if isinstance(field, NumberField)]:
            if self._said(name) == "":
                self.errors.pop(name, None)
                cleaned.pop(name, None)
        if base is None or not text:
            return cleaned
        number, settings = cleaned.get("choice") or 0, self.settings()
        if sentence := told.unread(base.game, text, number):
            self.add_error("instruction", sentence)
            return cleaned
        if number and not self.program.named(Role.READING):
            self.add_error(
                "algorithm", f"{self.program.name} keeps to the first reading alone; take that one."
            )
        if cleaned.get("confirmed") != "yes":
            self.add_error("instruction", UNCONFIRMED)
        for where, sentence in launch.problems(base, settings).items():
            name = where.replace(".", "-")
            about = "instruction" if where == f"agent.{self.program.named(Role.INSTRUCTION)}" else name
            field = about if about in self.fields else None
            if field is None or field not in self.errors:
                self.add_error(field, sentence)
        return cleaned

    def settings(self) -> dict[str, Any]:
        """The round's settings, of what is valid so far."""
        data = self.cleaned_data
        more = {
            setting.name: data[f"agent-{setting.name}"]
            for setting in self._settings()
            if f"agent-{setting.name}" in data
        }
        return told.settings_of(
            data["base"].game,
            data["instruction"],
            data.get("choice") or 0,
            self.program.name,
            data.get("budget") or "medium",
            more,
        )


def left_out() -> dict[str, str]:
    """Why games aren't offered, a sentence each."""
    return {game: sentence for game in games.names() if (sentence := told.why_not(game))}


def usual_base(game: str = "") -> str:
    """The ref of the agent that is chosen at first: of this game, or of that of the last round, if it can
    be.
    """
    able = [agent for agent in learners().order_by("ref") if not told.why_not(agent.game)]
    last = usual_variant(game if game in {agent.game for agent in able} else "")
    return next((agent.ref for agent in able if variant_of(agent) == last), able[0].ref if able else "")

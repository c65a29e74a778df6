"""The New round form: four parts on one page. What can be set in a part comes from its program
(programs.py)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet

from engine import games
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.agents.resolve import layout_of
from webapp.datasets import selection
from webapp.datasets.selection import BadFilter, Filters
from webapp.rounds import launch, programs

# The settings of each part that stand open; the others are under "More".
FOREMOST = {
    "reward_model": ("steps", "no_mark_weight", "controls", "held_out"),
    "agent": ("moves", "utility_weight", "score_weight", "target_kl", "lr", "instruction"),
    "evaluation": ("episodes", "cross_play"),
}
SOURCE_WORDS = {"play": "played by people", "simulated": "simulated", "import": "imported"}


def learners() -> QuerySet[Agent]:
    """The agents that a round can go on from."""
    return Agent.objects.filter(kind="network", retired=False)


def variant_of(agent: Agent) -> str:
    """What an agent was trained for: "hanabi", "overcooked/cramped_room"."""
    return "/".join(part for part in (agent.game, layout_of(agent)) if part)


def said(variant: str) -> str:
    """A variant in words: "Overcooked, cramped room"."""
    game, _, layout = variant.partition("/")
    return ", ".join(part for part in (games.spec(game).title, layout.replace("_", " ")) if part)


def ticked(choices: list[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(choices=choices, required=False, widget=forms.CheckboxSelectMultiple)


class RoundForm(forms.Form):
    """Everything about a round. `settings()` is what `launch.create` takes, once the form is valid."""

    variant = forms.ChoiceField(
        label="Game", required=False, help_text="A reward model belongs to one layout of a game."
    )
    base = forms.ModelChoiceField(
        learners(),
        to_field_name="ref",
        help_text="The new agent starts from it and is held close to it.",
        error_messages={"required": "Choose the agent to start from."},
    )
    goal = forms.CharField(max_length=200, required=False, help_text="What this round is to make better.")
    include_simulated = forms.BooleanField(
        label="Include simulated data",
        required=False,
        help_text="Episodes that agents played alone and marks that a program made; flagged everywhere.",
    )
    min_marks = forms.IntegerField(
        label="Fewest marks",
        min_value=0,
        initial=1,
        help_text="Leave out episodes with fewer marks: nobody may have looked at them.",
    )
    instructed = forms.ChoiceField(
        choices=[("any", "with or without"), ("with", "with an instruction"), ("without", "without")],
        initial="any",
    )
    instruction = forms.CharField(
        required=False, max_length=200, help_text="Words that the instruction contains."
    )
    since = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Of each agent that can be chosen, for the page's script.
        self.variants = {agent.ref: variant_of(agent) for agent in learners()}
        found = sorted({"hanabi", *self.variants.values()})
        self.fields["variant"].choices = [(variant, said(variant)) for variant in found]
        self.fields["sources"] = ticked([(s, SOURCE_WORDS[s]) for s in selection.SOURCES])
        refs = Agent.objects.filter(episodes__isnull=False).distinct().order_by("ref")
        self.fields["agents"] = ticked([(agent.ref, agent.name) for agent in refs])
        for name, people in (
            ("players", User.objects.filter(episodes__isnull=False)),
            ("annotators", User.objects.filter(marks__isnull=False)),
        ):
            found = people.distinct().order_by("pseudonym").values_list("pseudonym", "is_simulated")
            self.fields[name] = ticked([(p, f"{p} (simulated)" if s else p) for p, s in found])
        for part, program in programs.PARTS.items():
            for setting in programs.settings_of(program):
                self.fields[f"{part}-{setting.name}"] = program_field(setting)

    def part(self, part: str) -> dict[str, list[forms.BoundField]]:
        """The bound fields of one part, {"open": […], "more": […]}."""
        fields = {name: self[name] for name in self.fields if name.startswith(f"{part}-")}
        open_names = [f"{part}-{name}" for name in FOREMOST[part]]
        return {
            "open": [fields[name] for name in open_names if name in fields],
            "more": [field for name, field in fields.items() if name not in open_names],
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and cleaned.get("base"):
            trained, wanted = variant_of(cleaned["base"]), cleaned.get("variant") or ""
            if wanted and trained != wanted:
                text = f"{cleaned['base'].name} was trained for {said(trained)}, not for {said(wanted)}."
                raise forms.ValidationError({"base": f"{text} Choose an agent that was."})
            try:
                self.filters()
            except BadFilter as error:
                raise forms.ValidationError(str(error)) from None
        return cleaned

    def filters(self) -> Filters:
        """The data part; raises BadFilter. Works on what is valid so far, for the live count."""
        data = self.cleaned_data
        base: Agent | None = data.get("base")
        variant = data.get("variant") or (variant_of(base) if base else "hanabi")
        game, _, layout = variant.partition("/")
        if base and variant_of(base) == variant:
            layout = launch.trained_layout(base)
        return Filters(
            game=game,
            layout=layout,
            seats=launch.seats_of(base) if base and base.game == game else None,
            sources=data.get("sources") or [],
            agents=data.get("agents") or [],
            players=data.get("players") or [],
            annotators=data.get("annotators") or [],
            since=data["since"].isoformat() if data.get("since") else "",
            until=data["until"].isoformat() if data.get("until") else "",
            instructed=data.get("instructed") or "any",
            instruction=data.get("instruction") or "",
            min_marks=data.get("min_marks") or 0,
            include_simulated=bool(data.get("include_simulated")),
        )

    def settings(self) -> dict[str, Any]:
        parts = {
            part: {s.name: self.cleaned_data[f"{part}-{s.name}"] for s in programs.settings_of(program)}
            for part, program in programs.PARTS.items()
        }
        return {"data": self.filters().to_json(), **parts}


def program_field(setting: programs.Setting) -> forms.Field:
    common = {"label": setting.words, "help_text": setting.help, "initial": setting.default}
    if setting.type == "bool":
        return forms.BooleanField(required=False, **common)
    if setting.type == "int":
        return forms.IntegerField(min_value=0, max_value=10**9, **common)
    if setting.type == "float":
        return forms.FloatField(min_value=0, widget=forms.NumberInput(attrs={"step": "any"}), **common)
    return forms.CharField(required=False, max_length=200, **common)

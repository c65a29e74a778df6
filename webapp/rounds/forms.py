"""The New round form: four parts on one page. Each part offers the programs that fit the game; what can be
set comes from the one that is chosen (programs.py).
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Subquery
from django.utils.html import escape
from django.utils.safestring import mark_safe

from engine import games
from engine.learning.run.programs import Program
from engine.learning.run.settings import Setting
from engine.refusal import Refusal
from engine.shapes import bounds
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.agents.resolve import in_words, layout_of
from webapp.annotation.models import Tally
from webapp.common.pages import different
from webapp.common.widgets import Written
from webapp.datasets import selection
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode, UnknownAgent
from webapp.rounds import kinds, launch, programs
from webapp.rounds.models import Round

SOURCE_WORDS = {
    "play": "played by people",
    "simulated": "simulated",
    "import": "imported",
    "people": "published games of people",
}


NOT_FROM_BASE = (
    " It learns from the people in the games selected above. It doesn't start from the chosen "
    "agent, which only says which games it is for. The result is a human proxy, which trains "
    "and measures other agents."
)


def learners() -> QuerySet[Agent]:
    """The agents that a round can go on from."""
    return Agent.objects.filter(kind="network", retired=False)


LOOKED_AT = 100  # episodes marked by somebody, the newest


def variant_of(agent: Agent) -> str:
    """The variant that an agent was trained for: "hanabi", "overcooked/cramped_room"."""
    return "/".join(part for part in (agent.game, layout_of(agent)) if part)


def variants() -> dict[str, str]:
    """What each agent that a round can go on from was trained for, by its ref. Of their cards, which are
    long, the options alone are read.
    """
    rows = learners().order_by("ref").values_list("ref", "game", "card__options")
    return {
        ref: variant_of(Agent(ref=ref, game=game, kind="network", card={"options": options or {}}))
        for ref, game, options in rows
    }


def usual_variant(game: str = "") -> str:
    """The last round's variant if it has marked episodes, else the variant that was marked last, else any
    that can be trained; of one game if it is named.
    """
    known = list(dict.fromkeys(variants().values()))
    known = [variant for variant in known if variant.partition("/")[0] == game] or known
    last = Round.objects.select_related("base_agent").first()
    trained = [variant_of(last.base_agent)] if last else []
    marked = _tallies().order_by("-pk").values_list("episode__game", "episode__options__layout")
    newest = marked[:LOOKED_AT]
    played = ["/".join(filter(None, row)) for row in dict.fromkeys(newest)]
    for variant in (*filter(_is_marked, trained), *played, *trained, *known):
        if variant in known:
            return variant
    return ""


def _tallies() -> QuerySet[Tally]:
    """Those of marks that count; where all were removed, a row stays."""
    return Tally.objects.filter(Q(progress__gt=0) | Q(regression__gt=0))


def _is_marked(variant: str) -> bool:
    game, _, layout = variant.partition("/")
    marks = _tallies().filter(episode__game=game)
    return (marks.filter(episode__options__layout=layout) if layout else marks).exists()


def _by(model: type[Model], **rows: Any) -> QuerySet[User]:
    """The people of whom there is such a row; one is looked for each, not all are joined, as a database would
    where it is asked only whether there is one.
    """
    one = Subquery(model._default_manager.filter(**rows).values("pk")[:1])
    return User.objects.alias(one=one).filter(one__isnull=False)


def variant_name(variant: str) -> str:
    """A variant in words: "Overcooked, cramped room"."""
    game, _, layout = variant.partition("/")
    return in_words(game, layout)


class Checks(forms.CheckboxSelectMultiple):
    """Boxes written by one function: by Django's templates those of hundreds of people take longer than all
    else on the page.
    """

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> str:
        ident, name = escape(self.build_attrs(self.attrs, attrs)["id"]), escape(name)
        rows = [
            f'<div><label for="{ident}_{index}"><input type="checkbox" name="{name}" value="{escape(key)}" '
            f'id="{ident}_{index}"{" checked" if key in (value or ()) else ""}> {escape(label)}</label></div>'
            for index, (key, label) in enumerate(self.choices)
        ]
        return mark_safe(f'<div id="{ident}">{"".join(rows)}</div>')


def ticked(choices: list[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(choices=choices, required=False, widget=Checks)


class RoundForm(forms.Form):
    """Everything about a round. `settings()` is what `launch.create` takes, once the form is valid."""

    default_renderer = Written

    variant = forms.ChoiceField(
        label="Game", required=False, help_text="A reward model belongs to one layout of a game."
    )
    base = forms.ModelChoiceField(
        learners().defer("card"),
        to_field_name="ref",
        help_text=(
            "The new agent starts as a copy of this one and is kept close to it, unless the "
            "algorithm's description says otherwise."
        ),
        error_messages={"required": "Choose the agent to start from."},
    )
    goal = forms.CharField(
        max_length=200, required=False, help_text="What this round should improve (a note for people)."
    )
    simulated_episodes = forms.BooleanField(
        label="Include simulated episodes",
        required=False,
        help_text=(
            "Episodes that agents played alone, with people's marks on them. They are labelled everywhere."
        ),
    )
    simulated_marks = forms.BooleanField(
        label="Include simulated annotators' marks",
        required=False,
        help_text=(
            "Marks that a program made, on the episodes that are included. They are labelled everywhere."
        ),
    )
    no_free_marks = forms.BooleanField(
        label="Leave out free marks",
        required=False,
        help_text=(
            "People's marks on episodes that the queue did not hand them, for example players' marks "
            "on their own games."
        ),
    )
    min_marks = forms.IntegerField(
        label="Fewest marks",
        min_value=1,
        max_value=1000,
        initial=1,
        help_text="Leave out episodes with fewer marks. With 1, episodes submitted without any mark stay in.",
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

    def __init__(self, *args: Any, counts_data: bool = True, **kwargs: Any) -> None:
        """Without `counts_data` the form is valid however little data there is."""
        super().__init__(*args, **kwargs)
        self.counts_data = counts_data
        # Of each agent that can be chosen, for the page's script.
        self.variants = variants()
        known = sorted({*self.variants.values()})
        self.fields["variant"].choices = [(variant, variant_name(variant)) for variant in known]
        self.fields["sources"] = ticked([(s, SOURCE_WORDS[s]) for s in selection.SOURCES])
        played = Episode.agents.through.objects.filter(agent=OuterRef("pk"))
        refs = Agent.objects.filter(Exists(played)).order_by("ref")
        known_here = dict(refs.values_list("ref", "name"))
        unknown = {
            name: f"{name} (not on this site)"
            for name in different(UnknownAgent, "ref")
            if name not in known_here
        }
        self.fields["agents"] = ticked([*(known_here | unknown).items()])
        played_here = {"user": OuterRef("pk"), "episode__source__in": ("play", "import")}
        for name, people in (
            ("players", _by(Episode.players.through, **played_here)),
            ("annotators", _by(Tally, annotator=OuterRef("pk"))),
        ):
            named = people.order_by("pseudonym").values_list("pseudonym", "is_simulated")
            self.fields[name] = ticked([(p, f"{p} (simulated)" if s else p) for p, s in named])
        self.game = self._game()
        self.programs = {part: self._program(part) for part in programs.PARTS}
        for part, program in self.programs.items():
            known = kinds.fitting(part, kinds.MARKS, self.game)
            self.fields[f"algorithm-{part}"] = forms.ChoiceField(
                label="Algorithm",
                choices=[(name, name) for name in known],
                initial=program.name,
                required=False,
                help_text=f"{program.title}.{NOT_FROM_BASE if programs.learns_from_people(program) else ''}",
                error_messages={"invalid_choice": f"Choose one that fits: {', '.join(known)}."},
            )
            for setting in programs.settings_of(program):
                self.fields[f"{part}-{setting.name}"] = program_field(setting)

    def _said(self, name: str) -> str:
        """The form's value for a field, unchecked."""
        return str((self.data if self.is_bound else self.initial).get(name) or "")

    def _game(self) -> str:
        """The game of the chosen agent or variant; "" if neither is one."""
        variant = self.variants.get(self._said("base")) or self._said("variant")
        game = variant.partition("/")[0]
        return game if game in games.names() else ""

    def _program(self, part: str) -> Program:
        """The program that was chosen for a part, the usual one if that doesn't fit."""
        known = kinds.fitting(part, kinds.MARKS, self.game)
        return known.get(self._said(f"algorithm-{part}")) or programs.usual(part, self.game)

    def chosen_base(self) -> Agent | None:
        """The agent to start from, as it was given."""
        return learners().filter(ref=self._said("base")).first()

    @property
    def algorithms(self) -> dict[str, str]:
        return {part: program.name for part, program in self.programs.items()}

    def part(self, part: str) -> dict[str, Any]:
        """The bound fields of one part, {"algorithm", "open": […], "more": […], "wrong"}: the program's
        foremost ones stand open, and all of them where it names none; `wrong`: whether the others are to be
        looked at, too.
        """
        fields = {name: self[name] for name in self.fields if name.startswith(f"{part}-")}
        foremost = [f"{part}-{name}" for name in self.programs[part].foremost] or list(fields)
        more = [field for name, field in fields.items() if name not in foremost]
        return {
            "algorithm": self[f"algorithm-{part}"],
            "open": [fields[name] for name in foremost if name in fields],
            "more": more,
            "wrong": any(field.errors for field in more),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        base: Agent | None = cleaned.get("base")
        if base is None:
            return cleaned
        trained, wanted = variant_of(base), cleaned.get("variant") or ""
        if wanted and trained != wanted:
            text = f"{base.name} was trained for {variant_name(trained)}, not for {variant_name(wanted)}."
            self.add_error("base", f"{text} Choose an agent that was.")
            return cleaned
        # All that is wrong at once: of what has a range, that was said field by field already.
        try:
            wrong = launch.problems(base, self.settings(), self.counts_data)
        except Refusal as error:
            wrong = {"data": str(error)}
        for where, sentence in wrong.items():
            name = where.replace("algorithms.", "algorithm-").replace(".", "-")
            self.add_error(name if name in self.fields else None, sentence)
        return cleaned

    def filters(self) -> Filters | None:
        """The data part, of what is valid so far: the episodes that the round would learn from; None before
        there is an agent to start from. Raises Refusal.
        """
        data = self.cleaned_data
        base: Agent | None = data.get("base")
        if base is None:
            return None
        given = Filters(
            game=base.game,
            sources=data.get("sources") or [],
            agents=data.get("agents") or [],
            players=data.get("players") or [],
            annotators=data.get("annotators") or [],
            since=data["since"].isoformat() if data.get("since") else "",
            until=data["until"].isoformat() if data.get("until") else "",
            instructed=data.get("instructed") or "any",
            instruction=data.get("instruction") or "",
            min_marks=data.get("min_marks") or 1,
            simulated_episodes=bool(data.get("simulated_episodes")),
            simulated_marks=bool(data.get("simulated_marks")),
            free_marks=not data.get("no_free_marks"),
        )
        return launch.usable(base, given) if base.kind == "network" else given

    def settings(self) -> dict[str, Any]:
        """The settings from the fields that are valid so far; raises Refusal."""
        filters = self.filters()
        parts = {
            part: {
                s.name: self.cleaned_data[f"{part}-{s.name}"]
                for s in programs.settings_of(program)
                if f"{part}-{s.name}" in self.cleaned_data
            }
            for part, program in self.programs.items()
        }
        data = filters.to_json() if filters else {}
        return {"data": data, "algorithms": self.algorithms, **parts}


class NumberField(forms.Field):
    """A number of a program's settings, read and refused as the program itself does."""

    def __init__(self, setting: Setting, **common: Any) -> None:
        whole = setting.kind is int
        low, high = bounds(setting.schema)
        attrs = {"min": low, "max": high, "step": 1 if whole else "any"}
        super().__init__(required=False, widget=forms.NumberInput(attrs=attrs), **common)
        self.setting = setting

    def clean(self, value: Any) -> Any:
        number = self.setting.value(value or "")
        if problem := self.setting.problem(number):
            raise forms.ValidationError(f"{self.label} {problem}.")
        return number


def program_field(setting: Setting) -> forms.Field:
    common = {"label": programs.words(setting), "help_text": setting.help, "initial": setting.default}
    if setting.kind is bool:
        return forms.BooleanField(required=False, **common)
    if setting.kind is str:
        return forms.CharField(required=False, max_length=200, **common)
    return NumberField(setting, **common)

"""The form of a study's settings."""

from __future__ import annotations

from django import forms

from engine import games
from engine.games.pages import in_order
from engine.refusal import Refusal
from webapp.accounts import naming
from webapp.studies.models import Study

LIMITS = {  # name: (least, most)
    "overlap": (1, 20),
    "lock_minutes": (1, 1440),
    "agreement_window": (0, 100),
    "gold_every": (0, 1000),
    "random_share": (0, 100),
    "editable_minutes": (0, 10080),
    "watch_delay": (0, 1000),
    "ticks_per_second": (4, 10),
}


class StudyForm(forms.ModelForm):
    """All settings of a study, each checked against what makes sense."""

    class Meta:
        model = Study
        fields = [
            "name",
            "game",
            "active",
            "overlap",
            "lock_minutes",
            "agreement_window",
            "gold_every",
            "random_share",
            "show_gold_results",
            "editable_minutes",
            "watch_delay",
            "ticks_per_second",
            "opens",
            "blind",
            "free_marks",
            "offers_candidate",
            "guidelines",
        ]
        widgets = {"guidelines": forms.Textarea(attrs={"rows": 4})}

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].widget = forms.Select(
            choices=[(name, games.spec(name).title) for name in in_order()]
        )
        for name, (least, most) in LIMITS.items():
            self.fields[name].widget.attrs |= {"min": least, "max": most}
        self.fields["ticks_per_second"].required = False
        if self.instance.pk and not self.instance.has_clock:
            del self.fields["ticks_per_second"]

    def clean(self) -> dict:
        cleaned = super().clean()
        if "ticks_per_second" in self.fields and cleaned.get("ticks_per_second") is None:  # left empty
            cleaned["ticks_per_second"] = self.instance.ticks_per_second
        if cleaned.get("name"):
            try:
                cleaned["name"] = naming.checked(cleaned["name"])
            except Refusal as problem:
                self.add_error("name", str(problem))
        for name, (least, most) in LIMITS.items():
            value = cleaned.get(name)
            if value is not None and not least <= value <= most:
                self.add_error(name, f"{value} is not possible here; choose {least} to {most}.")
        return cleaned

    def clean_game(self) -> str:
        game = self.cleaned_data["game"]
        if game not in games.names():
            raise forms.ValidationError(
                f"There is no game {game!r}; choose one of {', '.join(games.names())}."
            )
        return game

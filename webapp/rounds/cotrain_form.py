"""The form that co-trains an agent and what reads its instructions: whom, on whose words, by which algorithm,
for how long. Not for the round itself (cotrain.py, launch.py).
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Exists, OuterRef

from webapp.accounts.models import User
from webapp.matches.models import Instruction
from webapp.rounds import budgets, cotrain, kinds
from webapp.rounds.budget_form import BudgetForm
from webapp.rounds.forms import ticked


class CotrainForm(BudgetForm):
    kind = kinds.WORDS

    words = forms.ChoiceField(
        choices=[
            (cotrain.PEOPLE, "What people told agents on this site, beside the shipped sets"),
            (cotrain.SHIPPED, "The shipped sets alone"),
        ],
        initial=cotrain.PEOPLE,
        widget=forms.RadioSelect,
    )
    instruction = forms.CharField(
        label="Words",
        required=False,
        max_length=200,
        help_text="Words that the first instruction of a game contains.",
    )
    since = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        told = Instruction.objects.filter(user=OuterRef("pk"), match__game=self.game)
        who = User.objects.filter(Exists(told)).order_by("pseudonym").values_list("pseudonym", flat=True)
        self.fields["players"] = ticked([(name, name) for name in who])

    def of_budget(self, budget: str) -> dict[str, Any]:
        return budgets.sized(self.game, {kinds.WORDS: {}}, self.algorithm, budget)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.empty_as_budgeted()
        if base := cleaned.get("base"):
            self.refuse(base, self.settings())
        return cleaned

    def filters(self) -> dict[str, Any] | None:
        """Those of people's games; None for the shipped sets alone."""
        data = self.cleaned_data
        if data.get("words") == cotrain.SHIPPED:
            return None
        days = {name: data[name].isoformat() for name in ("since", "until") if data.get(name)}
        return {"players": data.get("players") or [], "instruction": data.get("instruction") or "", **days}

    def settings(self) -> dict[str, Any]:
        budget = self.cleaned_data.get("budget") or "medium"
        how = (self.filters(), self.algorithm, budget, self.given())
        return cotrain.settings_of(self.cleaned_data["base"], *how)

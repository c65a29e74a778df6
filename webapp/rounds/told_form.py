"""The form that trains a partner to an instruction: whom, to what, by which algorithm, for how long. Not for
the round itself (told.py, launch.py).
"""

from __future__ import annotations

from typing import Any

from django import forms

from engine.learning.run.settings import Role
from webapp.language.readings import LONGEST_INSTRUCTION, MOST_CHOICES, clean_text
from webapp.rounds import kinds, told
from webapp.rounds.budget_form import BudgetForm

UNCONFIRMED = "Check the reading below and confirm it. Training starts only then."


class ToldForm(BudgetForm):
    kind = kinds.TOLD

    instruction = forms.CharField(
        label="What it is trained to",
        max_length=LONGEST_INSTRUCTION,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The agent has this instruction in every game of its training.",
        error_messages={"required": "Type the instruction that the agent should be trained to."},
    )
    confirmed = forms.CharField(required=False, widget=forms.HiddenInput)
    choice = forms.IntegerField(required=False, min_value=0, max_value=MOST_CHOICES, widget=forms.HiddenInput)

    def of_budget(self, budget: str) -> dict[str, Any]:
        return told.settings_of(self.game, "", algorithm=self.algorithm, budget=budget)

    def clean_instruction(self) -> str:
        return clean_text(self.cleaned_data["instruction"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        base, text = cleaned.get("base"), cleaned.get("instruction")
        self.empty_as_budgeted()
        if base is None or not text:
            return cleaned
        number, settings = cleaned.get("choice") or 0, self.settings()
        if sentence := told.unread(base.game, text, number):
            self.add_error("instruction", sentence)
            return cleaned
        if self.program and number and not self.program.named(Role.READING):
            self.add_error("algorithm", f"{self.algorithm} keeps to the first reading alone; take that one.")
        if cleaned.get("confirmed") != "yes":
            self.add_error("instruction", UNCONFIRMED)
        named = self.program.named(Role.INSTRUCTION) if self.program else ""
        self.refuse(base, settings, {f"agent.{named}": "instruction"})
        return cleaned

    def settings(self) -> dict[str, Any]:
        data = self.cleaned_data
        budget, number = data.get("budget") or "medium", data.get("choice") or 0
        how = (number, self.algorithm, budget, self.given())
        return told.settings_of(data["base"].game, data["instruction"], *how)

"""Forms of the account and people pages."""

from __future__ import annotations

from django import forms

from webapp.accounts.models import ROLES, User

ROLE_CHOICES = [(name, name.capitalize()) for name in ROLES]


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["first_name"]
        labels = {"first_name": "Shown name"}
        help_texts = {"first_name": "What other players see. Data sets show your pseudonym instead."}

    def clean_first_name(self) -> str:
        return " ".join(self.cleaned_data["first_name"].split())


class CloseAccountForm(forms.Form):
    confirm = forms.CharField(label="Type your user name to close the account")

    def __init__(self, *args, user: User, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_confirm(self) -> str:
        if self.cleaned_data["confirm"] != self.user.username:
            raise forms.ValidationError(f"That is not your user name, which is {self.user.username}.")
        return self.cleaned_data["confirm"]


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=ROLE_CHOICES, widget=forms.CheckboxSelectMultiple, required=False
    )


class InvitationForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=ROLE_CHOICES, widget=forms.CheckboxSelectMultiple, initial=["player"], label="Roles"
    )
    uses = forms.IntegerField(min_value=1, max_value=1000, initial=1, label="How many people")
    days = forms.IntegerField(min_value=1, max_value=90, initial=7, label="Valid for days")
    note = forms.CharField(max_length=200, required=False, label="Note (only admins see it)")

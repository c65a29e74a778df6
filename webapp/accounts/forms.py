"""Forms of the account and people pages."""

from __future__ import annotations

from collections.abc import Collection

from allauth.account.adapter import get_adapter
from django import forms

from engine.refusal import Refusal
from webapp.accounts import naming
from webapp.accounts.models import ROLES, User

ROLE_CHOICES = [(name, name.capitalize()) for name in ROLES]


def name_of(text: str, roles: Collection[str] = ()) -> str:
    """A name as a field of a form has it. Raises ValidationError."""
    try:
        return naming.checked(text, roles)
    except Refusal as problem:
        raise forms.ValidationError(str(problem)) from None


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["first_name"]
        labels = {"first_name": "Shown name"}
        help_texts = {"first_name": "What other players see. Data sets show your pseudonym instead."}

    def clean_first_name(self) -> str:
        name = self.cleaned_data["first_name"]
        # Who has had a name for long may save the form.
        return name if name == self.initial.get("first_name") else name_of(name, self.instance.roles)


class CloseAccountForm(forms.Form):
    confirm = forms.CharField(label="Type your user name to close the account")

    def __init__(self, *args, user: User, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_confirm(self) -> str:
        if self.cleaned_data["confirm"] != self.user.username:
            raise forms.ValidationError(f"That is not your user name, which is {self.user.username}.")
        return self.cleaned_data["confirm"]


class BecomeForm(forms.Form):
    """How a guest is called from now on, and with what password they come back."""

    username = forms.CharField(label="User name", max_length=150, min_length=3)
    password1 = forms.CharField(label="Password", widget=forms.PasswordInput)
    password2 = forms.CharField(label="Password again", widget=forms.PasswordInput)

    def clean_username(self) -> str:
        return get_adapter().clean_username(self.cleaned_data["username"])

    def clean_password1(self) -> str:
        return get_adapter().clean_password(self.cleaned_data["password1"])

    def clean(self) -> dict:
        given = self.cleaned_data
        if {"password1", "password2"} <= given.keys() and given["password1"] != given["password2"]:
            self.add_error("password2", "The two passwords differ.")
        return given


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

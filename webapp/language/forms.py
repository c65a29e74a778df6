"""The form of the site's language model."""

from __future__ import annotations

from urllib.parse import urlsplit

from django import forms

from engine.language.decisions.settings import LONGEST_SECONDS, PROVIDERS, check, check_address
from webapp.language import site
from webapp.language.models import LanguageModel
from webapp.language.sealing import seal

NAMES = {
    "embedded": "The embedded model: offline, in milliseconds",
    "endpoint": "An OpenAI-compatible server",
    "checkpoint": "A checkpoint in a folder of this machine",
}


class LanguageForm(forms.ModelForm):
    """Empty fields are as the environment says. The key is only ever written: no page shows it again."""

    key = forms.CharField(
        required=False,
        max_length=500,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="Leave it empty to keep the key that is stored. It is never shown again.",
    )
    forget_key = forms.BooleanField(required=False, label="Forget the stored key")

    class Meta:
        model = LanguageModel
        fields = ["provider", "model", "url", "seconds"]
        labels = {"provider": "Who answers", "url": "Address", "seconds": "Time limit in seconds"}
        help_texts = {
            "model": "The model's name at the server, or the checkpoint's folder.",
            "url": "http:// or https://, up to the version: http://127.0.0.1:11434/v1",
            "seconds": f"For everything that is asked at once; up to {LONGEST_SECONDS}.",
        }

    field_order = ["provider", "model", "url", "key", "forget_key", "seconds"]

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.before = site.values(self.instance)
        self.address_before = self.instance.url
        self.sealed_before = self.instance.sealed_key
        choices = [("", "As the environment says"), *((name, NAMES[name]) for name in PROVIDERS)]
        self.fields["provider"].widget = forms.Select(choices=choices)
        self.fields["seconds"].widget.attrs |= {"min": "0.1", "max": LONGEST_SECONDS, "step": "any"}
        for name, (value, source) in self.before.items():
            if name == "key":
                self.fields[name].now = f"A key is stored ({source})." if value else "No key is stored."
            elif name in self.fields:
                shown = f"{value:g}" if name == "seconds" else value or "none"
                self.fields[name].now = f"Now: {shown} ({source})."
        if not self.sealed_before:
            del self.fields["forget_key"]

    def clean_provider(self) -> str:
        provider = self.cleaned_data["provider"]
        if provider and provider not in PROVIDERS:
            raise forms.ValidationError(f"There is no {provider!r}; choose one of {', '.join(PROVIDERS)}.")
        return provider

    def clean_url(self) -> str:
        url = self.cleaned_data["url"]
        if url:
            try:
                check_address(url)
            except ValueError as problem:
                raise forms.ValidationError(str(problem)) from None
        return url

    def clean(self) -> dict:
        cleaned = super().clean()
        if self.errors:
            return cleaned
        row = self.instance
        for name in self.Meta.fields:
            setattr(row, name, cleaned[name])
        row.sealed_key = self.sealed_before
        if cleaned["key"]:
            row.sealed_key = seal(cleaned["key"])
        elif cleaned.get("forget_key") or self.address_changed():
            row.sealed_key = ""
        try:
            check(site.settings_of(row))
        except ValueError as problem:
            raise forms.ValidationError(str(problem)) from None
        return cleaned

    def address_changed(self) -> bool:
        """Whether another server would get the stored key."""
        before, after = (urlsplit(url)[:2] for url in (self.address_before, self.cleaned_data["url"]))
        return before != after

    def key_story(self) -> str:
        """What happened to the key, for the audit log and the admin."""
        if self.cleaned_data["key"]:
            return "stored"
        if self.sealed_before and not self.instance.sealed_key:
            return "forgotten"
        return "kept" if self.sealed_before else "none"

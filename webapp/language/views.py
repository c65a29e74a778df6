"""The site's language model, for admins: its settings, and three questions to try it with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from engine import brings
from engine.games.pages import in_order
from engine.language.decide import ask
from engine.language.decisions.answers import Usage
from engine.language.decisions.memory import Memory
from webapp.accounts import audit
from webapp.accounts.roles import role_required
from webapp.language import opinions, site
from webapp.language.forms import LanguageForm
from webapp.language.models import LanguageModel
from webapp.language.sealing import unseal

# An admin who tries a model waits in front of the page.
TEST_SECONDS = 30.0
# The questions with which a model is tried are those of the first game that brings some.
TRIAL = next(trial for game in in_order() if (trial := brings.Trial.brought(game)))


@role_required("admin")
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest) -> HttpResponse:
    """Show and change the settings."""
    form = LanguageForm(request.POST or None, instance=LanguageModel.row())
    if request.method == "POST" and form.is_valid():
        row = form.save()
        story = form.key_story()
        audit.record(
            request.user,
            "language model changed",
            provider=row.provider,
            model=row.model,
            address=row.url,
            key=story,
        )
        messages.success(request, "The language model is saved.")
        if story == "forgotten" and form.address_changed():
            messages.warning(request, "The key was forgotten, because the address is another server's now.")
        return redirect("language:edit")
    return page(request, form, status=422 if form.errors else 200)


@role_required("admin")
@require_POST
def test(request: HttpRequest) -> HttpResponse:
    """Ask whoever is set three questions. Django runs this in a thread of its own: nobody else waits."""
    result = tried()
    if request.htmx:
        return render(request, "language/fragments/result.html", {"result": result})
    return page(request, LanguageForm(instance=LanguageModel.row()), result=result)


def page(request: HttpRequest, form: LanguageForm, status: int = 200, **context: Any) -> HttpResponse:
    unreadable = unseal(form.sealed_before) is None
    context |= {
        "form": form,
        "unreadable": unreadable,
        "questions": TRIAL.QUESTIONS,
        "trial_game": TRIAL.CONTEXT["game"],
        "instruction": TRIAL.CONTEXT["instruction"],
        "spent": spent(),
        "most_seconds": f"{opinions.MOST_SECONDS:g}",
    }
    return render(request, "language/edit.html", context, status=status)


def spent() -> list[tuple[str, str, Usage]]:
    """What asking took, on the last days on which anybody asked (this machine's memory of it)."""
    memory = Memory()
    try:
        return memory.spent()
    finally:
        memory.close()


def tried() -> dict[str, Any]:
    """Answers to the three questions, who gave them and what that took; or why there are none."""
    settings = site.current()
    settings = replace(settings, seconds=min(settings.seconds, TEST_SECONDS))
    try:
        decision = ask(TRIAL.CONTEXT, [question for question, _ in TRIAL.QUESTIONS], settings, anew=True)
    except ValueError as problem:
        return {"problem": str(problem)}
    answers = [
        {"question": question, "yes": float(p), "expected": expected, "right": (p > 0.5) == expected}
        for (question, expected), p in zip(TRIAL.QUESTIONS, decision.probabilities, strict=True)
    ]
    return {"answers": answers, "decision": decision, "ms": round(decision.seconds * 1000)}

"""What a person does with their own account: the shown name, keys, closing it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from webapp.accounts import audit, keys
from webapp.accounts.forms import CloseAccountForm, ProfileForm
from webapp.accounts.models import SignInLink, User
from webapp.config.inputs import json_object


def account(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("accounts:account")
    return render(request, "accounts/account.html", {"form": form})


def show_keys(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/keys.html", {"catalogue": keys.catalogue_json()})


@require_POST
def save_keys(request: HttpRequest) -> JsonResponse:
    """Replace the person's own bindings. Body: {"replay.mark_progress": ["ArrowUp", "p"], …}."""
    request.user.key_bindings = keys.validated(json_object(request))
    request.user.save(update_fields=["key_bindings"])
    return JsonResponse({"bindings": request.user.key_bindings})


def close(request: HttpRequest) -> HttpResponse:
    form = CloseAccountForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        erase(request.user)
        logout(request)
        return render(request, "accounts/closed.html")
    return render(request, "accounts/close.html", {"form": form})


@transaction.atomic
def erase(user: User) -> None:
    """Remove what names the person; their games and marks stay under the pseudonym."""
    audit.record(None, "account closed", pseudonym=user.pseudonym)
    user.emailaddress_set.all().delete()
    SignInLink.objects.filter(user=user).delete()
    user.set_roles(set())
    user.username, user.first_name, user.last_name, user.email = f"closed-{user.pseudonym}", "", "", ""
    user.key_bindings = {}
    user.is_active = False
    user.set_unusable_password()
    user.save()

"""What a person does with their own account: the shown name, keys, closing it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from webapp.accounts import audit, guests, invitations, keys
from webapp.accounts.forms import BecomeForm, CloseAccountForm, ProfileForm
from webapp.accounts.models import SignInLink, User
from webapp.common.inputs import json_object


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


def become(request: HttpRequest) -> HttpResponse:
    """A guest with an open invitation becomes an account: the same row, with all that was played."""
    user, invitation = request.user, invitations.of_session(request)
    if not user.is_guest:
        return redirect("accounts:account")
    form = BecomeForm(request.POST or None)
    if request.method == "POST" and invitation and form.is_valid():
        with transaction.atomic():
            if not invitations.use(invitation, user):
                return render(request, "accounts/invitation_closed.html", status=410)
            user.username, user.is_guest, user.guest_of = form.cleaned_data["username"], False, None
            if user.first_name.startswith(guests.NAMED):
                user.first_name = ""
            user.set_password(form.cleaned_data["password1"])
            user.save()
            audit.record(user, "guest became an account", person=user.pseudonym)
        del request.session[invitations.SESSION_KEY]
        update_session_auth_hash(request, user)
        messages.success(request, "You have an account now, with everything that you have played.")
        return redirect("home")
    return render(request, "accounts/become.html", {"form": form, "invitation": invitation})


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

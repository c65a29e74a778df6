"""The admins' page about people: roles, invitations, guests, the audit log."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from webapp.accounts import audit, barring, invitations, links
from webapp.accounts.absent import ABSENT
from webapp.accounts.forms import InvitationForm, RolesForm
from webapp.accounts.models import ROLES, AuditEvent, Invitation, SiteSettings, User
from webapp.accounts.roles import role_required

PAGE = 50
FILTERS = [
    ("", "Everybody"),
    ("player", "Players"),
    ("annotator", "Annotators"),
    ("admin", "Admins"),
    ("guest", "Guests"),
    ("closed", "Closed"),
]


@role_required("admin")
def people(request: HttpRequest) -> HttpResponse:
    """Filters in the address: ?q= (name, user name, e-mail, pseudonym), ?role= (a role, guest, closed)."""
    users = User.objects.exclude(ABSENT).prefetch_related("groups").order_by("-date_joined")
    query, role = request.GET.get("q", "").strip(), request.GET.get("role", "")
    if query:
        users = users.filter(
            Q(username__icontains=query)
            | Q(first_name__icontains=query)
            | Q(email__icontains=query)
            | Q(pseudonym__iexact=query)
        )
    if role in ROLES:
        users = users.filter(groups__name=role)
    elif role == "guest":
        users = users.filter(is_guest=True)
    users = users.filter(is_active=role != "closed")
    page = Paginator(users, PAGE).get_page(request.GET.get("page"))
    for user in page:
        user.role_names = {group.name for group in user.groups.all()}
    context = {
        "page": page,
        "query": query,
        "role": role,
        "roles": ROLES,
        "filters": FILTERS,
        "invitation_form": InvitationForm(),
        "invitations": invitations.open_invitations().select_related("created_by").order_by("-created_at"),
        "site": SiteSettings.current(),
    }
    return render(request, "accounts/people.html", context)


@require_POST
@role_required("admin")
@transaction.atomic
def set_roles(request: HttpRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk, is_active=True)
    form = RolesForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Unknown role.")
        return redirect("accounts:people")
    wanted = set(form.cleaned_data["roles"])
    others = User.objects.filter(groups__name="admin", is_active=True).exclude(pk=user.pk)
    if user.is_admin and "admin" not in wanted and not others.exists():
        messages.error(request, f"{user.shown_name} is the only admin; make someone else an admin first.")
        return redirect("accounts:people")
    before = sorted(user.roles)
    user.set_roles(wanted)
    audit.record(request.user, "roles changed", person=user.pseudonym, before=before, after=sorted(wanted))
    messages.success(request, f"{user.shown_name} is now {', '.join(sorted(wanted)) or 'without a role'}.")
    return redirect("accounts:people")


@require_http_methods(["GET", "POST"])
@role_required("admin")
def bar(request: HttpRequest, pk: int) -> HttpResponse:
    """GET asks once more and says what would end; POST closes the account."""
    user = get_object_or_404(User, pk=pk, is_active=True)
    if user == request.user:
        messages.error(request, "That is your own account; another admin can close it.")
    elif request.method == "GET":
        return render(request, "accounts/bar.html", {"person": user, "ends": barring.consequences(user)})
    else:
        barring.bar(user, request.user)
        messages.success(request, f"{user.shown_name} is out: signed out everywhere, and can't come in.")
    return redirect("accounts:people")


@require_POST
@role_required("admin")
def let_in_again(request: HttpRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk, barred_at__isnull=False)
    barring.let_in_again(user, request.user)
    messages.success(request, f"{user.shown_name} can sign in again, with the roles of before.")
    return redirect("accounts:people")


@require_POST
@role_required("admin")
def make_link(request: HttpRequest, pk: int) -> HttpResponse:
    """A one-time sign-in link for someone who lost their password and gave no e-mail address."""
    user = get_object_or_404(User, pk=pk, is_active=True)
    audit.record(request.user, "sign-in link made", person=user.pseudonym)
    hours = int(links.LIFETIME.total_seconds() / 3600)
    context = {
        "title": f"Sign-in link for {user.shown_name}",
        "link": links.make_sign_in_link(user),
        "text": f"It signs {user.shown_name} in, once, within {hours} hours.",
    }
    return render(request, "accounts/link_made.html", context)


@require_POST
@role_required("admin")
def invite(request: HttpRequest) -> HttpResponse:
    form = InvitationForm(request.POST)
    if not form.is_valid():
        for field, errors in form.errors.items():
            messages.error(request, f"{form.fields[field].label}: {' '.join(errors)}")
        return redirect("accounts:people")
    made = Invitation.objects.create(
        roles=sorted(form.cleaned_data["roles"]),
        uses_left=form.cleaned_data["uses"],
        note=form.cleaned_data["note"],
        created_by=request.user,
        expires_at=timezone.now() + timedelta(days=form.cleaned_data["days"]),
    )
    audit.record(request.user, "invitation made", invitation=made.pk, roles=made.roles, uses=made.uses_left)
    for_how_many = "one person" if made.uses_left == 1 else f"{made.uses_left} people"
    context = {
        "title": "The invitation's link",
        "link": settings.SITE_URL + reverse("accounts:invitation", args=[made.token]),
        "text": f"With it {for_how_many} can sign up as {', '.join(made.roles)}, until "
        f"{made.expires_at:%-d %B}. It can be revoked on the page of people.",
    }
    return render(request, "accounts/link_made.html", context)


@require_POST
@role_required("admin")
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, pk=pk)
    invitation.uses_left = 0
    invitation.save(update_fields=["uses_left"])
    audit.record(request.user, "invitation revoked", invitation=pk)
    messages.success(request, "The invitation is revoked; its link opens nothing any more.")
    return redirect(reverse("accounts:people") + "#invitations")


@require_POST
@role_required("admin")
def set_guest_play(request: HttpRequest) -> HttpResponse:
    site = SiteSettings.current()
    site.guest_play = request.POST.get("guest_play") == "on"
    site.friends_play = request.POST.get("friends_play") == "on"
    site.save()
    allowed = {"allowed": site.guest_play, "friends": site.friends_play}
    audit.record(request.user, "guest play changed", **allowed)
    whom = "Guests may play" if site.guest_play else "Friends with a link may play as guests"
    messages.success(request, f"{whom}." if any(allowed.values()) else "Guests may no longer play.")
    return redirect("accounts:people")


@role_required("admin")
def audit_log(request: HttpRequest) -> HttpResponse:
    events = AuditEvent.objects.select_related("user").order_by("-at")
    page = Paginator(events, PAGE).get_page(request.GET.get("page"))
    return render(request, "accounts/audit.html", {"page": page})

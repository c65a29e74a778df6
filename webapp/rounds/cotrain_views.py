"""Pages for co-training: its form, and the count beside it. Admins only."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from webapp.accounts.roles import role_required
from webapp.rounds import cotrain
from webapp.rounds.cotrain_form import CotrainForm
from webapp.rounds.told_views import budget_page


@role_required("admin")
def new(request: HttpRequest) -> HttpResponse:
    return budget_page(request, CotrainForm, "rounds/cotrain.html")


@require_GET
@role_required("admin")
def count(request: HttpRequest) -> HttpResponse:
    """The fragment beside the data part: what people told agents that the filters find now."""
    form = CotrainForm(request.GET)
    form.is_valid()
    base, filters = form.cleaned_data.get("base"), form.filters()
    context = {"base": base}
    if base is not None and filters is not None:
        chosen = cotrain.chosen(base, filters)
        context |= {"found": cotrain.said(chosen), "nothing": cotrain.nothing(chosen)}
    return render(request, "rounds/fragments/said.html", context)

"""Studies, for admins: the list, and the settings of one."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from webapp.accounts.roles import role_required
from webapp.studies.forms import StudyForm
from webapp.studies.models import Study


@role_required("admin")
@require_GET
def study_list(request: HttpRequest) -> HttpResponse:
    studies = Study.objects.annotate(
        submitted=Coalesce(Sum("handed__number", filter=Q(handed__status="submitted")), 0),
        open=Coalesce(Sum("handed__number", filter=Q(handed__status="open")), 0),
        annotators=Count("handed__annotator", filter=Q(handed__number__gt=0), distinct=True),
    )
    return render(request, "studies/list.html", {"studies": studies})


@role_required("admin")
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, study_id: int | None = None) -> HttpResponse:
    """Create or change a study."""
    study = get_object_or_404(Study, pk=study_id) if study_id else None
    form = StudyForm(request.POST or None, instance=study)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        messages.success(request, f"{saved.name} is saved.")
        return redirect("studies:list")
    status = 422 if form.errors else 200
    return render(request, "studies/edit.html", {"form": form, "study": study}, status=status)

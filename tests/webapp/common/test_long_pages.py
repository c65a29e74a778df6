"""What long pages are made with: lists that nobody counts, widgets that no template writes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django import forms
from django.http import QueryDict
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.test.testcases import assert_and_parse_html
from django.utils import timezone

from webapp.accounts.models import AuditEvent
from webapp.annotation.templatetags.figures import cells, percent
from webapp.common import pages
from webapp.common.pages import Stretch, UncountedPage, different
from webapp.common.templatetags.counts import counted
from webapp.common.widgets import Written


class Odd(forms.Form):
    """Every kind of field that the long forms have, with values that must be escaped."""

    text = forms.CharField(initial='<b>"quoted"</b> & more', required=False)
    number = forms.FloatField(initial=0.25, widget=forms.NumberInput(attrs={"min": 0, "step": "any"}))
    day = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    ticked = forms.BooleanField(initial=True, required=False, help_text="help")
    unticked = forms.BooleanField(required=False)
    choice = forms.ChoiceField(choices=[("a<", "A & B"), ("b", "B")], initial="b")
    grouped = forms.ChoiceField(choices=[("more", [("c", "C")]), ("d", "D")])


def html(form: forms.Form, name: str):
    return assert_and_parse_html(None, str(form[name]), None, "The widget isn't valid:")


@pytest.mark.parametrize("given", [None, {"text": "'", "number": "x", "ticked": "on", "choice": "a<"}])
def test_widgets_are_written_as_djangos_templates_do(given):
    ours, theirs = Odd(given, renderer=Written()), Odd(given)
    for name in Odd.base_fields:
        assert html(ours, name) == html(theirs, name), name


def test_a_page_knows_whether_there_is_a_next_one_without_counting():
    rows = list(range(7))
    asked = []

    def some(first: int, last: int) -> list[int]:
        asked.append((first, last))
        return rows[first:last]

    first, last = (UncountedPage.of(number, 3, some) for number in (None, "3"))
    assert (first.object_list, first.has_previous, first.has_next) == ([0, 1, 2], False, True)
    assert (last.object_list, last.has_previous, last.has_next) == ([6], True, False)
    assert asked == [(0, 4), (6, 10)]
    assert [UncountedPage.of(odd, 3, some).number for odd in ("-1", "x", "0", "99999999999999")] == [1] * 4


def test_links_lead_to_the_pages_around_it():
    page = UncountedPage.of("2", 1, lambda first, last: list(range(9))[first:last])
    text = render_to_string("fragments/pages.html", {"page": page}, RequestFactory().get("/"))
    assert "page=1" in text and "page=3" in text and "Page 2" in text and " of " not in text


@pytest.mark.django_db
def test_from_any_row_of_a_list_one_comes_to_all_others(monkeypatch):
    """Forwards and backwards, rows of the same moment too, each once; what comes before isn't read."""
    monkeypatch.setattr(pages, "COUNTED", 5)
    now = timezone.now()
    for number in range(7):
        AuditEvent.objects.create(verb=str(number), at=now - timedelta(seconds=number // 3))
    rows = AuditEvent.objects.order_by("-at", "pk")
    names = [row.verb for row in rows.all()]

    def at(**where) -> Stretch:
        address = QueryDict(mutable=True)
        address.update(where)
        return Stretch.of(address, rows, 3)

    page, seen = at(), []
    while True:
        seen.append([row.verb for row in page.object_list])
        if not page.has_next:
            break
        page = at(after=page.last.pk)
        assert page.has_previous and page.count == 6
    assert seen == [names[:3], names[3:6], names[6:]]
    assert [row.verb for row in at(end=1).object_list] == names[4:]
    back = at(before=at(end=1).first.pk)
    assert ([row.verb for row in back.object_list], back.has_next) == (names[1:4], True)
    assert [row.verb for row in at(before=back.first.pk).object_list] == names[:1]
    for odd in ("", "x", "-1", "9" * 40, "\0"):
        assert [row.verb for row in at(after=odd).object_list] == names[:3]
    AuditEvent.objects.filter(verb__in=names[3:]).delete()
    left = list(rows.all())
    assert at(after=left[2].pk).object_list == left, "after the last one the first ones come again"


@pytest.fixture
def numbered(db, monkeypatch):
    """Eighteen rows, "0" the newest, of which four are looked through a page."""
    monkeypatch.setattr(pages, "REACH", 4)
    now = timezone.now()
    for number in range(18):
        AuditEvent.objects.create(verb=str(number), at=now - timedelta(number))
    return AuditEvent.objects.order_by("-at", "pk")


@pytest.mark.parametrize("backwards", [False, True])
def test_a_search_that_no_index_helps_looks_at_so_many_rows_a_page_and_comes_to_all(numbered, backwards):
    rows = numbered.filter(verb__in=("0", "5", "6", "17"))
    address = QueryDict("end=1" if backwards else "", mutable=True)
    seen = []
    for _ in range(9):
        page = Stretch.of(address, rows, 1, numbered)
        seen.append([one.pk for one in page.object_list])
        beside = page.has_previous if backwards else page.has_next
        key = (page.first if backwards else page.last).pk if beside else page.reached
        assert not (beside and page.reached), "what was found comes first"
        if key is None:
            break
        address = QueryDict(mutable=True)
        address["before" if backwards else "after"] = str(key)
    found = [key for keys in seen for key in keys]
    assert found == list((rows.reverse() if backwards else rows).values_list("pk", flat=True))
    assert [] in seen, "a page on which nothing was found leads on"


@pytest.mark.parametrize("backwards", [False, True])
def test_a_search_that_finds_nothing_ends(numbered, backwards):
    address, looked = QueryDict("end=1" if backwards else "", mutable=True), []
    for _ in range(9):
        page = Stretch.of(address, numbered.filter(verb="none"), 1, numbered)
        render_to_string("fragments/stretch.html", {"page": page}, RequestFactory().get("/"))
        looked.append(page.reached)
        if page.reached is None:
            break
        address = QueryDict(mutable=True)
        address["before" if backwards else "after"] = str(page.reached)
    assert len(looked) == 5 and len({*looked}) == 5


def test_above_the_only_row_that_a_search_finds_there_is_nothing(numbered):
    rows = numbered.filter(verb="12")
    address = QueryDict(mutable=True)
    address["before"] = str(rows[0].pk)
    page = Stretch.of(address, rows, 1, numbered)
    text = render_to_string("fragments/stretch.html", {"page": page}, RequestFactory().get("/"))
    assert not page.object_list and f"before={page.reached}" in text


@pytest.mark.django_db
def test_what_was_not_looked_at_is_said_with_a_way_there(monkeypatch):
    monkeypatch.setattr(pages, "REACH", 2)
    for number in range(5):
        AuditEvent.objects.create(verb=str(number))
    all_rows = AuditEvent.objects.order_by("-at", "pk")
    page = Stretch.of(QueryDict(), all_rows.filter(verb="none"), 3, all_rows)
    text = render_to_string("fragments/stretch.html", {"page": page}, RequestFactory().get("/"))
    assert page.object_list == [] and f"after={page.reached}" in text and "2 were looked" in text


def test_a_count_that_stopped_says_so():
    assert [counted(number) for number in (0, 1000, 1001)] == ["0", "1,000", "more than 1,000"]


@pytest.mark.django_db
def test_the_different_values_of_a_column_are_found_from_one_another():
    assert different(AuditEvent, "verb") == []
    for verb in ("b", "a", "b", "c", "a"):
        AuditEvent.objects.create(verb=verb)
    assert different(AuditEvent, "verb") == ["a", "b", "c"]


def test_figures_are_said_as_tables_say_them():
    shares, said = (None, 0.874, 1, -0.126, -0.001), ["–", "87 %", "100 %", "−13 %", "0 %"]
    assert [percent(share) for share in shares] == said
    assert cells([3, None, 2.25, "<"]) == (
        '<td class="num">3</td><td class="num">–</td><td class="num">2.2</td><td class="num">&lt;</td>'
    )

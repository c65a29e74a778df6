"""What long pages are made with: lists that nobody counts, widgets that no template writes."""

from __future__ import annotations

import pytest
from django import forms
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.test.testcases import assert_and_parse_html

from webapp.annotation.templatetags.figures import cells, percent
from webapp.common.pages import UncountedPage
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


def test_figures_are_said_as_tables_say_them():
    assert [percent(share) for share in (None, 0.874, 1, -0.126)] == ["–", "87 %", "100 %", "-13 %"]
    assert cells([3, None, 2.25, "<"]) == (
        '<td class="num">3</td><td class="num">–</td><td class="num">2.2</td><td class="num">&lt;</td>'
    )

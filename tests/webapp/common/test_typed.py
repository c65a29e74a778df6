"""What people typed turns nothing that stands round it: the templates' filter, as the pages' own modules."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from django.template import engines
from django.utils.safestring import mark_safe


def shown(typed) -> str:
    return engines["django"].from_string("{{ typed|isolated }}").render({"typed": typed})


@pytest.mark.parametrize(
    ("typed", "is_shown"),
    [
        ("Bea", "Bea"),
        ("<b>Bea</b>", "&lt;b&gt;Bea&lt;/b&gt;"),
        ("שלום (5)", "\u2068שלום (5)\u2069"),
        ("good\u202edab", "gooddab"),
        ("\u2069)) مرحبا", "\u2068)) مرحبا\u2069"),
        (None, "None"),
        (mark_safe("<b>x</b>"), "<b>x</b>"),
    ],
)
def test_a_text_that_could_turn_others_is_isolated_and_others_are_as_they_were(typed, is_shown):
    assert shown(typed) == is_shown


def test_names_are_isolated_one_by_one():
    page = engines["django"].from_string('{{ names|isolated|join:" + " }}').render({"names": ["Bea", "דן"]})
    assert page == "Bea + \u2068דן\u2069"


def test_a_time_says_its_zone_and_where_it_may_become_the_readers_own():
    page = engines["django"].from_string("{{ when|moment }}, {{ none|moment }}")
    when = datetime(2026, 11, 6, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    assert page.render({"when": when, "none": None}) == (
        '<time datetime="2026-11-05T23:30:00+00:00" data-local>5 Nov 2026 23:30 UTC</time>, '
    )

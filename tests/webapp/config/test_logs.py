"""Tokens of links and tickets stay out of logs, whoever writes the line."""

from __future__ import annotations

import logging
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from webapp.matches.models import Match

TOKEN = "Tok3n-oflink"
PARAMETERS = {"token": TOKEN, "key": TOKEN, "uidb36": "1"}
TICKET = "eyJtIjoi%3A1xX60L%3AUFIUjGY7779"


def doors(resolver=None, namespace: str = "") -> list[str]:
    """Every address of the site that holds a token."""
    found = []
    for one in (resolver or get_resolver()).url_patterns:
        if not isinstance(one, URLPattern):
            found += doors(one, f"{namespace}{one.namespace}:" if one.namespace else namespace)
        elif names := set(one.pattern.regex.groupindex) & {"token", "key"}:
            every = one.pattern.regex.groupindex
            assert set(every) <= set(PARAMETERS), f"{one}: also say what stands in it for {names}"
            found.append(reverse(f"{namespace}{one.name}", kwargs={name: PARAMETERS[name] for name in every}))
    return found


def test_there_are_doors() -> None:
    assert len(doors()) >= 7


@pytest.mark.parametrize("logger", ["uvicorn.access", "uvicorn.error", "django.request", "webapp.any"])
def test_no_line_of_a_log_holds_the_token_of_an_address(logger, caplog) -> None:
    lines = [(logging.getLogger(logger), address) for address in doors()]
    again = [(one, "/accounts/login/?next=" + quote(address, safe="")) for one, address in lines]
    twice = [(one, "/accounts/login/?next=" + quote(quote(address, safe=""))) for one, address in lines]
    for log, address in [*lines, *again, *twice]:
        log.error('%s - "%s %s HTTP/%s" %d', "127.0.0.1:1", "GET", address, "1.1", 200)
        log.error(f"Gone: {address}")
    logging.getLogger(logger).error('%s - "WebSocket %s" [accepted]', "1", f"/play/1/socket/?ticket={TOKEN}")
    held = [line for line in caplog.messages if "Tok3n" in line]
    assert held == []
    assert "/accounts/link/…" in caplog.text


def test_no_line_holds_a_ticket_or_a_key_with_signs(caplog) -> None:
    for address in (f"/play/1/socket/?ticket={TICKET}", f"/accounts/confirm-email/{TICKET}/"):
        logging.getLogger("uvicorn.error").error('%s - "WebSocket %s" [accepted]', "1", address)
    assert "1xX60L" not in caplog.text and "UFIU" not in caplog.text and 'ticket=…" [accepted]' in caplog.text


def test_a_spent_link_leaves_no_token_in_our_own_log(db, caplog) -> None:
    Client().get(f"/accounts/link/{TOKEN}/")
    Client().get(f"/play/invite/{Match(seed=1).join_token}/")
    assert "Gone" in caplog.text and "/play/invite/…" in caplog.text
    assert "Tok3n" not in caplog.text


def test_a_refused_page_is_a_line_and_no_traceback(pia_client, caplog) -> None:
    assert pia_client.get("/rounds/").status_code == 403
    lines = [record for record in caplog.records if record.name == "django.request"]
    assert [(record.levelname, record.exc_info) for record in lines] == [("WARNING", None)]
    assert "Traceback" not in caplog.text


def test_what_failed_keeps_its_traceback(caplog) -> None:
    logging.getLogger("django.request").error(
        "broken", exc_info=ValueError("why"), extra={"status_code": 500}
    )
    assert "ValueError: why" in caplog.text

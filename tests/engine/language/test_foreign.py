"""Texts in other languages are answered in theirs, where it is clear which one it is."""

from __future__ import annotations

import pytest

from engine.language import foreign

TEXTS = {
    "de": "warte bitte auf mich, ich hole noch einen teller",
    "es": "cuidado detrás de ti, hay dos enemigos",
    "fr": "pourquoi tu as jeté ça",
    "it": "non buttare quella carta",
    "nl": "kom nou, schiet eens op met die uien",
    "pl": "zagraj czerwoną",
    "sv": "vänta på mig",
    "ja": "ちょっと待って",
    "zh": "你好 等我",
}


@pytest.mark.parametrize(("language", "text"), TEXTS.items())
def test_the_answer_is_in_the_language_of_the_text_and_in_english(language: str, text: str) -> None:
    assert foreign.answer(text) == f"{foreign.SENTENCES[language]} {foreign.ENGLISH}"


@pytest.mark.parametrize("text", ["", "merci", "play your five", "xyzzy", "🙂"])
def test_where_it_is_not_clear_the_answer_is_in_english_alone(text: str) -> None:
    assert foreign.answer(text) == foreign.ENGLISH

"""The answer to a text in another language than English, in that language where it is clear which one it is.

That a text isn't English is known from its program (`talk kind=foreign`, model.py); py3langid says which
language it is: it was trained on longer texts, so a guess is taken only where it is likelier than not.
"""

from __future__ import annotations

from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

ENGLISH = "I only understand English so far."
SENTENCES = {
    "ar": "حتى الآن أفهم الإنجليزية فقط.",
    "cs": "Zatím rozumím jen anglicky.",
    "da": "Jeg forstår kun engelsk indtil videre.",
    "de": "Ich verstehe bisher nur Englisch.",
    "el": "Προς το παρόν καταλαβαίνω μόνο αγγλικά.",
    "es": "Por ahora solo entiendo inglés.",
    "fi": "Ymmärrän toistaiseksi vain englantia.",
    "fr": "Je ne comprends que l’anglais pour l’instant.",
    "hu": "Egyelőre csak angolul értek.",
    "id": "Untuk saat ini saya hanya mengerti bahasa Inggris.",
    "it": "Per ora capisco solo l’inglese.",
    "ja": "今のところ英語しか分かりません。",
    "ko": "아직은 영어만 알아들을 수 있어요.",
    "nl": "Ik begrijp voorlopig alleen Engels.",
    "no": "Jeg forstår bare engelsk foreløpig.",
    "pl": "Na razie rozumiem tylko angielski.",
    "pt": "Por enquanto só entendo inglês.",
    "ro": "Deocamdată înțeleg doar engleza.",
    "ru": "Пока я понимаю только английский.",
    "sv": "Jag förstår bara engelska än så länge.",
    "tr": "Şimdilik sadece İngilizce anlıyorum.",
    "uk": "Поки що я розумію лише англійську.",
    "vi": "Hiện tại tôi chỉ hiểu tiếng Anh.",
    "zh": "我目前只听得懂英语。",
}  # fmt: skip
LIKELY = 0.5


def answer(text: str) -> str:
    """The sentence in the text's language, where that is likely one of these, and in English."""
    language, chance = _identifier().classify(text)
    return f"{SENTENCES[language]} {ENGLISH}" if chance > LIKELY and language in SENTENCES else ENGLISH


@cache
def _identifier() -> LanguageIdentifier:
    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    found.set_languages([*SENTENCES, "en"])
    return found

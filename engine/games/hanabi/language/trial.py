"""Three questions with known answers, with which an admin tries a language model (webapp.language)."""

from __future__ import annotations

CONTEXT = {"game": "hanabi", "instruction": "If I hint a color, play those cards. Otherwise hint rank to me."}
RED_A = "My partner told me that the color of my card at position A is red."
QUESTIONS = [
    ({"observation": RED_A, "action": "play my card at position A"}, True),
    ({"observation": RED_A, "action": "discard my card at position A"}, False),
    ({"observation": "My partner has not done anything yet.", "action": "hint rank to my partner"}, True),
]

"""Figures of others, shown beside ours. Not measured here."""

# ChatGLM-6B on an unpublished set (OpenContra, Table 2, the best tuning).
READERS = {"ChatGLM-6B (OpenContra paper, its own set)": {"f1": 0.529, "f1_choice": 0.652}}

"""What training and rounds need of Hanabi."""

EPISODES = 40
"""Simulated ones that are collected for a round: games are short."""
SETTINGS = {"ibt": {"usual": {"level": True, "no_mark_weight": 0.02}}}

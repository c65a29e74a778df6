"""What rounds ask of Overcooked: settings for games of 400 ticks, points in twenties; what scores mean."""

EPISODES = 24
"""Simulated ones that are collected for a round."""
MEANING = "Points are the return of a game of 400 ticks, 20 for each soup."
UNIT = (20, "soups a game")
"""Points of what people count in, and its name."""
SETTINGS = {
    "ibt": {
        "usual": {"steps": 200, "mark_window": 2},
        "tiny": {"steps": 40},
        "thorough": {"steps": 1500},
    },
    "ppo": {
        "usual": {
            "moves": 51_200,
            "envs": 64,
            "steps": 100,
            "lr": 2e-4,
            "gae_lambda": 0.98,
            "evaluation_games": 16,
            "allowed_drop": 10.0,
        },
        "tiny": {"moves": 3200, "envs": 16, "steps": 50, "evaluation_games": 8},
        "thorough": {"moves": 2_000_000, "envs": 128, "evaluation_games": 128},
    },
    "evaluate_round": {
        "usual": {"episodes": 24},
        "tiny": {"episodes": 8},
        "thorough": {"episodes": 400},
    },
}
"""By program and size of a round, where its own defaults don't suit; the usual ones count in every size."""

"""Running any game: one live game, batches on CPU and CUDA, the PettingZoo env, random numbers, episode logs.

Nothing here knows a game by name; `registry` finds which there are.
"""

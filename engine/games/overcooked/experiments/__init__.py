"""What the experiments ask of one game."""

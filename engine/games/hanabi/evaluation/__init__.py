"""What measuring agents and readers knows of Hanabi in particular; found by name (engine.games.part)."""

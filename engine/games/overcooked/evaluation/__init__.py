"""What measuring agents and readers knows of Overcooked in particular; found by name (engine.games.part)."""

"""What measuring agents and readers knows of Arena in particular; found by name (engine.games.part)."""

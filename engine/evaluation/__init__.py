"""How good agents are: self-play, cross-play, and the measures that rounds compare candidates by."""

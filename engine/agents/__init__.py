"""Who plays: policies, networks, their catalogue on disk. Not how they learn (engine.learning)."""

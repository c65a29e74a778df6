"""How agents learn: one file an algorithm; rollouts, returns, checkpoints and reporting are shared."""

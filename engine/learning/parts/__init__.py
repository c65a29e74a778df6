"""What algorithms share: rollouts, returns, gradient steps, who plays, what is earned, marked episodes."""

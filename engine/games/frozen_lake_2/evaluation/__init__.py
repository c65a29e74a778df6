"""What evaluations need to know of Frozen Lake."""

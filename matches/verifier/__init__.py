"""The standalone verifier, and how its table of games is made."""

"""Pure rules of a season: its events, its state, and the acts that decide new events."""

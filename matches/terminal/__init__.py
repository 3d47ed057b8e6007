"""The terminal door: a player's REST client with a text board."""

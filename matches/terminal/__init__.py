"""The terminal client: a player's REST client with a text board."""

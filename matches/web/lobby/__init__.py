"""The lobby, lists of matches, the games and their rules."""

"""The pages of seasons: the list, one season, a player's desk."""

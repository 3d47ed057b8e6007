"""The first match of each game: pages that teach it on the board itself, and store nothing."""

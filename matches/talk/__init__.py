"""Talk beside matches and seasons: what is said, read, hidden and muted. Postgres holds it; no record has any of it."""

"""Talk beside matches and seasons: remarks, and who has hidden or muted them. It is stored in Postgres and is in no
record."""

"""The event store: append, read, verify, snapshot, project. Knows streams and versions, not games or matches."""

"""The host: everything a table needs beyond its rules."""

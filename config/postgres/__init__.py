"""Django's Postgres backend, with a pool that detects a lost connection by its socket."""

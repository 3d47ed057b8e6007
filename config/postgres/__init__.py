"""Django's Postgres, with a pool that tells a lost connection by its socket."""

"""Messages after a commit: hints to connections and workers, presence and heartbeats. Losing one costs a moment."""

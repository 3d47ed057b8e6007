"""Messages after a commit: hints to connections and workers, presence and heartbeats. A lost one only causes a
delay."""

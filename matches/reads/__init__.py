"""What leaves about matches: one gate, from a witness; the lists and documents beside it."""

"""The match page and the replay: what a witness sees, and what a seat does by mouse, keys or typing."""

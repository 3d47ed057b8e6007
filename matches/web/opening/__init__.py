"""From opening a match to its start: seats, invitations, answers to them."""

"""Opening a match until its start: seats, invitations, answers to them."""

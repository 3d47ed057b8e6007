"""The show match: one among bots that the house keeps under way for its front page."""

from uuid import UUID

OPENER = UUID("5e0f1a44-3c0e-5f0b-9d3b-0c3f6a2d7e51")
"""The house's own account, which opens the show matches and which nobody can sign in to."""
AUDIENCE = OPENER
"""What presence notes those under who look at the front page; no match has this id."""
NAME = "Croupier"

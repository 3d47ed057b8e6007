"""The show match: a match between bots on the front page."""

from uuid import UUID

OPENER = UUID("5e0f1a44-3c0e-5f0b-9d3b-0c3f6a2d7e51")
"""The house's account that opens the show matches; nobody can sign in to it."""
AUDIENCE = OPENER
"""The id under which presence records the viewers of the front page; no match has it."""
NAME = "Croupier"

"""Guests: whoever plays without having signed up."""

from games.kernel import Illegal


def not_for_guests(why: str) -> Illegal:
    """The refusal of what only accounts may do, with the reason why."""
    return Illegal("not_for_guests", f"{why} Sign up first: a guest's matches come along.")

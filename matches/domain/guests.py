"""Guests: accounts of people who play without having signed up."""

from games.kernel import Illegal


def not_for_guests(why: str) -> Illegal:
    """Return the refusal of an act that only accounts may do, with the reason."""
    return Illegal("not_for_guests", f"{why} Sign up first: a guest's matches come along.")

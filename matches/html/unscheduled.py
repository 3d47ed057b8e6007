"""Notes about matches without an opening time."""

from games import catalogue


def unscheduled(game: str, *, clocked: bool, scheduled: bool) -> str:
    """Return what follows for this game; empty if it has a time, has no clock, or needs no note."""
    return catalogue[game].unscheduled if clocked and not scheduled else ""

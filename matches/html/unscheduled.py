"""What is to be known of a match that nobody has given a time to open at."""

from games import catalogue


def unscheduled(game: str, *, clocked: bool, scheduled: bool) -> str:
    """A sentence on what follows for this game; empty where there is a time, no clock runs, or nothing need be said."""
    return catalogue[game].unscheduled if clocked and not scheduled else ""

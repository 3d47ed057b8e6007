"""The greatest length of a match."""

from games.reality_benders.options import Options


def bound(options: Options, seats: int) -> int:
    """Return the greatest number of commands in a match, without replacements."""
    first = _most_commands(options, options.tie_trash_phase_first)
    return first + (options.max_bouts - 1) * _most_commands(options, options.tie_trash_phase)


def most_rounds(options: Options, tie_trash_phase: int) -> int:
    """Return the greatest number of rounds of a bout: those in which ties return, then one per spell of a hand."""
    free = _free_rounds(tie_trash_phase)
    return free + max(len(options.hand_of(seat)) for seat in (0, 1)) + _most_imaginations(options, free)


def _most_commands(options: Options, tie_trash_phase: int) -> int:
    imaginations = _most_imaginations(options, _free_rounds(tie_trash_phase))
    return 4 * most_rounds(options, tie_trash_phase) + 4 * imaginations


def _free_rounds(tie_trash_phase: int) -> int:
    return (tie_trash_phase + 1) // 2 - 1


def _most_imaginations(options: Options, free_rounds: int) -> int:
    """Return the most Imaginations of a seat: one in every other round while it returns, and one per trashed copy."""
    copies = max(options.hand_of(seat).count("I") for seat in (0, 1))
    return (free_rounds + 1) // 2 + copies if copies else 0

"""How long a match can last."""

from games.reality_benders.options import Options


def bound(options: Options, seats: int) -> int:
    """The most commands in a match, replacements not counted."""
    first = _most_commands(options.tie_trash_phase_first)
    return first + (options.max_bouts - 1) * _most_commands(options.tie_trash_phase)


def most_rounds(tie_trash_phase: int) -> int:
    """The most rounds of a bout: those in which ties return, then one for each spell of the larger hands."""
    free = _free_rounds(tie_trash_phase)
    return free + 9 + _most_imaginations(free)


def _most_commands(tie_trash_phase: int) -> int:
    imaginations = _most_imaginations(_free_rounds(tie_trash_phase))
    return 4 * most_rounds(tie_trash_phase) + 4 * imaginations


def _free_rounds(tie_trash_phase: int) -> int:
    return (tie_trash_phase + 1) // 2 - 1


def _most_imaginations(free_rounds: int) -> int:
    """One in every other round while it comes back, and the one that trashes it."""
    return (free_rounds + 1) // 2 + 1

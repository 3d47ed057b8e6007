"""What the supervisor knows of a part: when it may start it again after a death, and how long it has been silent."""

from dataclasses import dataclass

from config.runner.parts import Part, Program

# Seconds until a part that died is started again: doubled each time, forgotten after a quiet spell.
FIRST_WAIT, LONGEST_WAIT, QUIET = 0.2, 10.0, 30.0
SILENT = 6.0
"""A program that has given no sign of life for so many seconds hangs: with its new start it is back within ten."""
STEP = 1.0
"""So much of the time between two looks counts at most. The rest is the watcher's own absence: it was stopped, or busy
starting another part, or the machine slept, and then the part couldn't speak, or wasn't heard."""


@dataclass
class WatchedPart:
    """A part, and when it may next be started after it died."""

    part: Part
    wait: float = FIRST_WAIT
    started_at: float = 0.0
    due_at: float | None = None
    silent: float = 0.0
    looked_at: float | None = None

    def hangs(self, now: float) -> bool:
        """Whether its process runs and has fallen silent; `now` is by a clock that never goes back.

        One that has never spoken since its start has all the time that a start may take.
        """
        passed = min(now - (now if self.looked_at is None else self.looked_at), STEP)
        self.looked_at = now
        if not isinstance(self.part, Program):
            return False
        self.silent = 0.0 if self.part.hear() else self.silent + passed
        return self.silent > (SILENT if self.part.has_spoken else self.part.patience)

    def forget_silence(self) -> None:
        """It begins a new life."""
        self.silent, self.looked_at = 0.0, None

"""The supervisor's record of a part: its next start after an end, and how long it has been silent."""

from dataclasses import dataclass

from config.runner.parts import Program, SupervisedProcess

# Seconds until a part that ended is restarted: doubled each time, reset after a quiet period.
FIRST_WAIT, LONGEST_WAIT, QUIET = 0.2, 10.0, 30.0
SILENT = 6.0
"""A program that has sent no alive signal for this many seconds hangs. Restarted then, it is back within ten
seconds."""
STEP = 1.0
"""The most seconds of silence that count between two checks. During a longer gap the supervisor itself was stopped or
busy, or the machine slept, so the part couldn't send a signal or the supervisor couldn't read it."""


@dataclass
class WatchedPart:
    """A part, and the time of its next start after it ended."""

    part: SupervisedProcess
    wait: float = FIRST_WAIT
    started_at: float = 0.0
    due_at: float | None = None
    silent: float = 0.0
    checked_at: float | None = None

    def hangs(self, now: float) -> bool:
        """Return True if the process runs but has been silent for too long. `now` is by a monotonic clock.

        A part that has sent no signal since its start gets as long as a start may take.
        """
        passed = min(now - (now if self.checked_at is None else self.checked_at), STEP)
        self.checked_at = now
        if not isinstance(self.part, Program):
            return False
        self.silent = 0.0 if self.part.read_signals() else self.silent + passed
        return self.silent > (SILENT if self.part.has_spoken else self.part.patience)

    def forget_silence(self) -> None:
        """Reset the silence at a new start."""
        self.silent, self.checked_at = 0.0, None

"""Crash reports for native code: the crashed thread's stack, which faulthandler wrote to the process's log."""

import signal
from pathlib import Path

from config.runner.process import end_of, last_lines

_SIGNALS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE}
_HEADING = "Fatal Python error: "
_MOST_BYTES = 1024 * 1024
"""More than faulthandler writes for a hundred threads of a hundred frames."""
_MOST_LINES = 20
_REMEDY = 'What to do: docs/debugging.md, "A process crashed".'


def report(code: int | None, log: Path, since: int) -> str:
    """Return a crash report: the stack of the crashed thread and the log's path, or the log's last lines if there is no
    stack. The log is read from byte `since` on.

    The report is empty for a return code that isn't a crash's.
    """
    if code is None or -code not in _SIGNALS:
        return ""
    if stack := _crashed_thread(end_of(log, _MOST_BYTES, since)):
        return f"{stack}\nThe stacks of all its threads are in {log}. {_REMEDY}"
    return f"{last_lines(log, 3, since)}\nIt left no Python stack. {_REMEDY}"


def _crashed_thread(text: str) -> str:
    lines = text.splitlines()
    headings = [index for index, line in enumerate(lines) if line.startswith(_HEADING)]
    if not headings:
        return ""
    stacks = lines[headings[-1] :]
    # The other threads' stacks come first. A crashed thread that Python doesn't know has no stack.
    start = next((index for index, line in enumerate(stacks) if line.startswith("Current thread ")), len(stacks))
    end = next((index for index in range(start, len(stacks)) if not stacks[index].strip()), len(stacks))
    return "\n".join([stacks[0], *stacks[start:end][:_MOST_LINES]])

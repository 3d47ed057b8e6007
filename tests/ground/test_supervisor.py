"""The end of a house whose terminal is gone."""

from pathlib import Path
from typing import IO, cast

from rich.console import Console

from config.supervisor import Supervisor


class Gone:
    """A terminal that has been closed."""

    def write(self, _: str) -> int:
        """Nobody reads it."""
        raise OSError(5, "Input/output error")

    def flush(self) -> None:
        """Nor this."""
        raise OSError(5, "Input/output error")


class Part:
    """What the house runs."""

    part = "Valkey"

    def __init__(self) -> None:
        self.ended: list[str] = []

    def stop(self) -> None:
        """In order."""
        self.ended.append("stopped")

    def kill(self) -> None:
        """Not in order."""
        self.ended.append("killed")


def test_a_house_stops_in_order_though_nobody_hears_it(tmp_path: Path) -> None:
    supervisor, part = Supervisor(port=1, data=tmp_path, demo=False), Part()
    supervisor._lay_out()
    supervisor.console = Console(file=cast(IO[str], Gone()))
    supervisor._write_down("owner_url", "postgresql://owner:secret@localhost/house")
    supervisor.running.append(part)  # type: ignore[arg-type]
    supervisor._stop()
    assert part.ended == ["stopped"]
    assert not (tmp_path / "run" / "owner_url").exists()
    assert supervisor._lock is not None
    supervisor._lock.close()

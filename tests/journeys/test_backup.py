"""A house is backed up under play, lost, and restored to an instant: it tells what stands and what never was."""

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from random import Random

import psycopg
import pytest

from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD, ROOT, House, figures
from tests.journeys.web_pair import play
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where both houses and the backups are; the servers' account passes through."""
    with tempfile.TemporaryDirectory(prefix="croupier-backup-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)
        yield Path(name)


def test_installation_is_restored_to_an_instant_and_reports_lost_commands(folder: Path) -> None:
    with ExitStack() as held:
        old = opened(folder / "old", held)
        players = [Guest.new(old.url, f"player-{number}", PASSWORD) for number in (0, 1)]
        match, rng = players[0].open("pyramid_poker", *players, clocks=None), Random(4)
        play(match, players, 3, rng)
        backups = folder / "backups"
        with following(old, backups) as told:
            assert "holds everything up to" in told and PASSWORD not in told
            kept = play(match, players, 4, rng)
            left = players[0].read(match)["version"]
            clock = select_value(old, "SELECT clock_timestamp()")
            instant = clock + timedelta(microseconds=1)
            wait_until(lambda: select_value(old, "SELECT clock_timestamp()") > instant)
            lost = play(match, players, 4, rng)
            await_copy_of_log(old)
        for player in players:
            player.leave()
        secrets = folder / "kept"
        shutil.copytree(old.data / "secrets", secrets)
        old.kill()
        wait_until(lambda: old.residents() == [])
        shutil.rmtree(old.data)

    into = folder / "new" / "data"
    restored = manage("restore", backups, "--into", into, "--to", instant.isoformat(), "--secrets", secrets)
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert f"(asked for: {instant})" in restored.stdout and "timeline 2." in restored.stdout
    assert "All holds:" in restored.stdout and "Take a new backup" in restored.stdout
    again = manage("restore", backups, "--into", into, "--secrets", secrets)
    assert again.returncode == 1 and "holds something already, and nothing was changed" in again.stderr

    with ExitStack() as held:
        new = opened(folder / "new", held)
        players = [Guest.known(new.url, f"player-{number}", PASSWORD) for number in (0, 1)]
        assert players[0].read(match)["version"] == left
        for number, (_, command, key, answer) in enumerate([*kept, *lost]):
            found = [player.ask(f"/matches/{match}/commands/{key}") for player in players]
            if number < len(kept):
                assert answer in [it.content for it in found], command
            else:
                assert {it.status_code for it in found} == {404}, command
        other = folder / "other"
        (other / "wal").mkdir(parents=True)
        (other / "wal" / "00000001000000000000000F.partial").touch()
        refused = new.manage("backup", other, "--follow")
        assert refused.returncode == 1 and "back up into another folder" in refused.stderr
        with following(new, backups):
            play(match, players, 4, rng)
            select_value(new, "SELECT pg_switch_wal()")
            play(match, players, 4, rng)
            events = select_value(new, "SELECT sum(version)::bigint FROM events_head")
            await_copy_of_log(new)
        for player in players:
            player.leave()
        new.stop(signal.SIGINT)

    # From the newest backup, which is on timeline 2, and from the first one, over the restore.
    first = min(path.name for path in (backups / "base").iterdir())
    for place, chosen in (("third", ()), ("fourth", ("--backup", first))):
        whole = manage("restore", backups, "--into", folder / place / "data", "--secrets", secrets, *chosen)
        assert whole.returncode == 0, whole.stdout + whole.stderr
        assert "timeline 3." in whole.stdout and f"with {events} events" in whole.stdout


def opened(folder: Path, held: ExitStack) -> House:
    """A bin/up on a data folder below this one."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o711)
    house = House(folder, ["--no-demo"], {})
    held.callback(house.clear)
    figures["a start on a restored folder"] = house.start()
    return house


def await_copy_of_log(house: House) -> None:
    """Wait until the follower has what the house has logged so far."""
    end = select_value(house, "SELECT pg_current_wal_lsn()::text")
    wait_until(lambda: select_value(house, "SELECT flush_lsn >= %s::pg_lsn FROM pg_stat_replication", end))


class following:
    """A `backup --follow` beside a house; gives what it says once it follows, and ends with the house's play."""

    def __init__(self, house: House, backups: Path) -> None:
        command = [sys.executable, ROOT / "manage.py", "backup", backups, "--follow"]
        self._child = subprocess.Popen(
            command, env=house.beside(), cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def __enter__(self) -> str:
        said = ""
        assert self._child.stdout is not None and self._child.stderr is not None
        for line in self._child.stdout:
            said += line
            if "Ctrl-C stops it" in line:
                return said
        raise AssertionError(said + self._child.stderr.read())

    def __exit__(self, *_: object) -> None:
        self._child.send_signal(signal.SIGINT)
        said, complained = self._child.communicate(timeout=20)
        assert self._child.returncode == 0 and "what has come stays" in said, complained


def select_value(house: House, question: str, *values: object) -> object:
    """Return the value that the house's database selects for its owner."""
    with psycopg.connect((house.data / "run/owner_url").read_text()) as owner:
        row = owner.execute(question.encode(), values or None).fetchone()
    return row and row[0]


def manage(*arguments: object) -> subprocess.CompletedProcess[str]:
    """manage.py where nothing is set and nothing runs."""
    command = [sys.executable, ROOT / "manage.py", *map(str, arguments)]
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, env=env, cwd="/", capture_output=True, text=True, timeout=180, check=False)

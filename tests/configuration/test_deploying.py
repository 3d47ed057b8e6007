"""The examples of docs/deploy. What goes through the proxies' is seen in tests/journeys/test_two_webs.py."""

import getpass
import shutil
import subprocess
from pathlib import Path

import pytest

from config.runner import parts

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted((ROOT / "docs/deploy/systemd").iterdir())
HOME, ACCOUNT = "/opt/croupier", "User=croupier"
NAMES = {"croupier-web@": "8001", "croupier-worker@": "1", "croupier-beat@": "1"}


def adapted(unit: Path, folder: Path) -> Path:
    """The unit as this machine could run it, a template under a name of its own."""
    text = unit.read_text()
    if unit.suffix == ".service":
        assert HOME in text and ACCOUNT in text
    text = text.replace(HOME, str(ROOT)).replace(ACCOUNT, f"User={getpass.getuser()}")
    path = folder / f"{unit.stem}{NAMES.get(unit.stem, '')}{unit.suffix}"
    path.write_text(text)
    return path


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze isn't installed: apt-get install systemd brings it.")
    units = [adapted(unit, tmp_path) for unit in UNITS]
    assert len(units) == 4
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    # What it doesn't know it only tells of.
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize(
    ("unit", "arguments"),
    [
        ("croupier-web@.service", parts.web(8001, {}, ROOT).arguments),
        ("croupier-worker@.service", parts.worker({}, ROOT).arguments),
        ("croupier-beat@.service", parts.beat(ROOT, {}, ROOT).arguments),
    ],
)
def test_the_units_run_what_bin_up_runs(unit: str, arguments: list[str]) -> None:
    text = (ROOT / "docs/deploy/systemd" / unit).read_text().replace("\\\n", " ")
    (line,) = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    # Their own are the port, the name and the schedule.
    ours = {"8001", str(ROOT / "run" / "beat")}
    assert not set(arguments) - ours - set(line.split()) - {"celery"}

"""Releases of Croupier, each in a checkout with packages of its own, and processes that are run by one or the other."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.runner.parts import Program
from config.runner.process import last_lines, spawn
from tests.journeys.house import ROOT

_SERVER, _SERVER_BEFORE = "config.server.serve", "config.serve"


@dataclass(frozen=True)
class Release:
    """A checkout, and the Python that has its packages."""

    tree: Path = ROOT
    python: Path = Path(sys.executable)

    def command(self, *arguments: str) -> list[str | Path]:
        """A program of this release; its web process may have stood at another place."""
        has_moved = (self.tree / "config/server/serve.py").exists()
        return [self.python, *(_SERVER_BEFORE if it == _SERVER and not has_moved else it for it in arguments)]


HERE = Release()


@dataclass
class ReleasedProgram(Program):
    """A process of the release that is named when it starts."""

    release: Release = HERE

    def launch(self) -> None:
        """From the release's own checkout; nobody asks for signs of life."""
        self.began = self.log.stat().st_size if self.log.exists() else 0
        command = self.release.command("-m", *self.arguments)
        self.child = spawn(command, log=self.log, env=self.env, cwd=self.release.tree)

    @classmethod
    def of(cls, release: Release, program: Program, ready: str = "") -> "ReleasedProgram":
        """Return this release's variant of a process; with `ready` it is ready once its log contains that text."""
        released = cls(program.part, program.arguments, program.env, program.log, program.ready, release=release)
        if ready:
            released.ready = lambda: ready in last_lines(released.log, 1000, released.began)
        return released


def checked_out(commit: str, folder: Path, *packages: str) -> Release:
    """A release by its commit, set up by its own bin/setup, with the `packages` that this is asked for; the test is
    skipped where the commit isn't there."""
    packed = subprocess.run(["git", "archive", "--format=tar", commit], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode != 0:
        pytest.skip(f"The release {commit} isn't in this clone: git fetch --unshallow brings it.")
    tree = folder / "tree"
    tree.mkdir()
    subprocess.run(["tar", "-x", "-C", tree], input=packed.stdout, check=True)
    setup = subprocess.run([tree / "bin/setup", *packages], capture_output=True, text=True, timeout=200, check=False)
    assert setup.returncode == 0, setup.stdout + setup.stderr
    return Release(tree, tree / ".venv/bin/python")

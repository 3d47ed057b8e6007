"""manage.py demo_season: play a whole season with programs through the public API, from enrolment to champion."""

import os
from random import Random
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from matches.terminal.client import ProblemAnswer, Unreachable
from matches.terminal.demo_people import Cast, Person, demo_passwords
from matches.terminal.demo_script import Script
from matches.terminal.seats import Stuck

_FEWEST, _MOST = 9, 18


class Command(BaseCommand):
    help = (
        "Play a season on a running service through its API: 13 programs, drawn tables, a substitution, "
        "claims, a correction, an appointment, an appeal, a rewind, a withdrawal, a disputed result, a final. No clock "
        "runs."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", default=os.environ.get("CROUPIER_URL", "http://127.0.0.1:8000"))
        parser.add_argument("--players", type=int, default=13, help=f"{_FEWEST} to {_MOST}")
        parser.add_argument(
            "--stop-at", type=int, metavar="EPISODE", help="stop in this episode, during its death match"
        )
        parser.add_argument("--seed", type=int, default=1, help="the seed of the players' choices")
        parser.add_argument("--organiser", default="organiser", help="an organiser's account; by default the demo's")
        parser.add_argument("--password", help="the organiser's password; not needed for the demo's")
        parser.add_argument("--once", action="store_true", help="do nothing if the organiser can see a season already")

    def handle(self, *args: Any, **options: Any) -> None:
        if not _FEWEST <= options["players"] <= _MOST:
            raise CommandError(f"--players is {_FEWEST} to {_MOST}.")
        try:
            self._play(options)
        except Unreachable as error:
            raise CommandError(f"{error} Is bin/up running, and is --url right?") from None
        except ProblemAnswer as refused:
            raise CommandError(refused.in_full) from None
        except Stuck as stuck:
            raise CommandError(str(stuck)) from None

    def _play(self, options: dict[str, Any]) -> None:
        passwords = demo_passwords(settings.DATA)
        organiser = _organiser(options, passwords)
        if options["once"] and organiser.client.get("/seasons", limit=1)["results"]:
            self.stdout.write("There is a season already.")
            return
        console = Console(file=self.stdout._out, highlight=False, soft_wrap=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                   TextColumn("{task.fields[moves]} moves"))  # fmt: skip
        with Progress(*columns, console=console) as progress:
            _Run(progress, Cast(options["url"], organiser, passwords), options).play()


class _Run:
    """One run of the script, with its progress display."""

    def __init__(self, progress: Progress, cast: Cast, options: dict[str, Any]) -> None:
        self._progress, self._cast, self._options = progress, cast, options
        rng = Random(options["seed"])  # noqa: S311  the players of a demonstration
        self._script = Script(cast, rng, self._print, self._count_move)
        self._task = progress.add_task("The demo season", total=options["players"] - 1, moves=0)
        self._moves = 0

    def play(self) -> None:
        """Play the season to its champion, or into the episode `stop_at`."""
        self._script.enrol(self._options["players"])
        number = 0
        while len(self._cast.living()) > 2:
            number += 1
            if number == self._options["stop_at"]:
                self._script.begin(number)
                self._print(f"Stopped in episode {number}: season {self._cast.season}.")
                return
            self._script.episode(number)
            self._show()
        champion = self._script.final()
        self._show()
        self._print(f"{champion.name} is the champion of season {self._cast.season}, after {self._moves} moves.")

    def _show(self) -> None:
        """Show the number of eliminated players."""
        out = self._options["players"] - len(self._cast.living())
        self._progress.update(self._task, completed=out)

    def _print(self, line: str) -> None:
        self._progress.console.print(line)

    def _count_move(self) -> None:
        self._moves += 1
        self._progress.update(self._task, moves=self._moves)


def _organiser(options: dict[str, Any], passwords: dict[str, str]) -> Person:
    name = options["organiser"]
    password = options["password"] or passwords.get(name)
    if password is None:
        raise CommandError(f"There is no stored password of {name}: give it with --password, or run seed_demo.")
    person = Person(options["url"], name, password)
    if not person.is_organiser:
        raise CommandError(f"{name} is no organiser of the service. Make one: manage.py add_account NAME --organiser")
    return person

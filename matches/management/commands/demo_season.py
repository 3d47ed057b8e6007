"""manage.py demo_season: a whole season of programs through the public API, from enrolment to champion."""

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
    """Plays the demo season."""

    help = (
        "Play a season on a running service, as its clients do: 13 programs, tables that are drawn, a substitution, "
        "claims, a correction, an appointment, an appeal, a rewind, a withdrawal, a disputed result, a final. No clock "
        "runs."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where, how many, how far, and as whom."""
        parser.add_argument("--url", default=os.environ.get("CROUPIER_URL", "http://127.0.0.1:8000"))
        parser.add_argument("--players", type=int, default=13, help=f"{_FEWEST} to {_MOST}")
        parser.add_argument("--stop-at", type=int, metavar="EPISODE", help="leave the season before this episode ends")
        parser.add_argument("--seed", type=int, default=1, help="whose chance decides who wins")
        parser.add_argument("--organiser", default="organiser", help="an organiser's account; the demo's without it")
        parser.add_argument("--password", help="its password; the demo's is known here")
        parser.add_argument("--once", action="store_true", help="do nothing where the organiser has a season already")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play it, with progress."""
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
        known = demo_passwords(settings.DATA)
        organiser = _organiser(options, known)
        if options["once"] and organiser.client.get("/seasons", limit=1)["results"]:
            self.stdout.write("There is a season already.")
            return
        console = Console(file=self.stdout._out, highlight=False, soft_wrap=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                   TextColumn("{task.fields[moves]} moves"))  # fmt: skip
        with Progress(*columns, console=console) as progress:
            _Evening(progress, Cast(options["url"], organiser, known), options).play()


class _Evening:
    """One run of the script, shown."""

    def __init__(self, progress: Progress, cast: Cast, options: dict[str, Any]) -> None:
        self._progress, self._cast, self._options = progress, cast, options
        rng = Random(options["seed"])  # noqa: S311  the players of a demonstration
        self._script = Script(cast, rng, self._tell, self._moved)
        self._task = progress.add_task("The demo season", total=options["players"] - 1, moves=0)
        self._moves = 0

    def play(self) -> None:
        """From the first player to the champion, or to where it is to stop."""
        self._script.enrol(self._options["players"])
        number = 0
        while len(self._cast.living()) > 2:
            number += 1
            if number == self._options["stop_at"]:
                self._script.begin(number)
                self._tell(f"Left in episode {number}: season {self._cast.season}.")
                return
            self._script.episode(number)
            self._show()
        champion = self._script.final()
        self._show()
        self._tell(f"{champion.name} is the champion of season {self._cast.season}, after {self._moves} moves.")

    def _show(self) -> None:
        """How many are out: all but the champion in the end."""
        out = self._options["players"] - len(self._cast.living())
        self._progress.update(self._task, completed=out)

    def _tell(self, line: str) -> None:
        self._progress.console.print(line)

    def _moved(self) -> None:
        self._moves += 1
        self._progress.update(self._task, moves=self._moves)


def _organiser(options: dict[str, Any], known: dict[str, str]) -> Person:
    name = options["organiser"]
    password = options["password"] or known.get(name)
    if password is None:
        raise CommandError(f"The password of {name} is not known here: give it with --password, or run seed_demo.")
    person = Person(options["url"], name, password)
    if not person.is_organiser:
        raise CommandError(f"{name} is no organiser of the house: manage.py add_account NAME --organiser makes one.")
    return person

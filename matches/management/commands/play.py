"""manage.py play GAME: play a match in the terminal, against bots or by invitation, over REST."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import catalogue
from matches.terminal.client import Client, ProblemAnswer, Unreachable
from matches.terminal.session import Session


class Command(BaseCommand):
    help = "Play a game of a running service in the terminal, by notation. `help` at the prompt lists the commands."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=sorted(catalogue), help="the game's slug")
        parser.add_argument("--url", default=os.environ.get("CROUPIER_URL", "http://127.0.0.1:8000"))
        parser.add_argument("--token", default=os.environ.get("CROUPIER_TOKEN"), help="instead of a name and password")
        parser.add_argument("--username", help="an account; by default a new one is made")
        parser.add_argument("--password", help="if left out, the command asks for it")
        parser.add_argument("--seats", type=int, help="the number of seats; by default the game's fewest")
        parser.add_argument("--options", default="{}", help="the game's options as JSON")
        parser.add_argument("--match", help="continue a match at which you have a seat (its id or code)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play until the match is over or the player leaves; raise CommandError for a refused request."""
        try:
            with Client(options["url"]) as client:
                client.log_in(options["token"] or None, options["username"], options["password"])
                session = Session(client, catalogue[options["game"]])
                if options["match"]:
                    session.resume(options["match"])
                else:
                    session.open(options["options"], options["seats"])
                session.play()
        except Unreachable as error:
            raise CommandError(f"{error} Is bin/up running, and is --url right?") from None
        except ProblemAnswer as refused:
            raise CommandError(refused.in_full) from None
        except (KeyboardInterrupt, EOFError):
            self.stdout.write("\nYou left the table; the match goes on. Come back with --match.")

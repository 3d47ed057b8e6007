"""manage.py erase_account NAME: erase an account's name, password and tokens; the records of its matches stay."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from matches.accounts import erasure
from matches.domain.names import name_key
from matches.models import Account
from matches.storage.repository import BrokenRecord


class Command(BaseCommand):
    help = "Erase an account for good: its name, password, tokens and settings. Its matches stay and still verify."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *args: Any, name: str, yes: bool, **options: Any) -> None:
        """Erase the account; raise CommandError if it plays or a record is broken."""
        account = Account.objects.filter(name_key=name_key(name)).first()
        if account is None:
            raise CommandError(f"There is no account {name}.")
        if not yes and _answer(f"Erase {account.username} for good? Type the name again: ") != account.username:
            raise CommandError("Nothing was erased.")
        try:
            erased = erasure.erase(account.id)
        except erasure.StillSeated as seated:
            raise CommandError(f"{seated} First let them leave it, or substitute them.") from None
        except BrokenRecord as broken:
            raise CommandError(f"Nothing was erased: a record that contains the name is broken. {broken}") from None
        self.stdout.write(f"Erased; the account is called {erased} from now on.")


def _answer(question: str) -> str:
    """Return the typed line; empty at the end of the input."""
    try:
        return input(question)
    except EOFError:
        return ""

"""manage.py erase_account NAME: a person's name, password and tokens go; the record of their matches stays."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from matches.accounts import erasure
from matches.domain.names import name_key
from matches.models import Account
from matches.storage.repository import BrokenRecord


class Command(BaseCommand):
    """Erases an account."""

    help = "Erase an account for good: its name, password, tokens and settings. Its matches stay and still verify."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose."""
        parser.add_argument("name")
        parser.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *args: Any, name: str, yes: bool, **options: Any) -> None:
        """Erase it, or say why not."""
        account = Account.objects.filter(name_key=name_key(name)).first()
        if account is None:
            raise CommandError(f"There is no account {name}.")
        if not yes and _answer(f"Erase {account.username} for good? Type the name again: ") != account.username:
            raise CommandError("Nothing was erased.")
        try:
            erased = erasure.erase(account.id)
        except erasure.StillSeated as seated:
            raise CommandError(f"{seated} Let them leave it, or substitute them, first.") from None
        except BrokenRecord as broken:
            raise CommandError(f"Nothing was erased: a record that tells the name is broken. {broken}") from None
        self.stdout.write(f"Erased; {erased} stands for the account from now on.")


def _answer(question: str) -> str:
    """What is typed; nothing where nobody is there to type."""
    try:
        return input(question)
    except EOFError:
        return ""

"""manage.py set_rights NAME [--organiser | --no-organiser] ...: change an account's rights."""

from argparse import BooleanOptionalAction
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.kernel import Illegal
from matches.accounts import access_log, credentials
from matches.domain.names import name_key
from matches.models import Account

_OPTIONS = {
    "active": "may sign in",
    "organiser": "runs seasons and the panel",
    "staff": "sees the panel's lists",
    "superuser": "decides who is staff",
}


class Command(BaseCommand):
    help = "Change an account's rights, also while it plays. The account is informed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        for name, words in _OPTIONS.items():
            parser.add_argument(f"--{name}", action=BooleanOptionalAction, default=None, help=words)

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        """Change the rights; raise CommandError for a refused change."""
        account = Account.objects.filter(name_key=name_key(name)).first()
        if account is None:
            raise CommandError(f"There is no account {name}.")
        rights = {f"is_{option}": options[option] for option in _OPTIONS if options[option] is not None}
        if not rights:
            raise CommandError("Name the rights to change, for example --organiser or --no-active.")
        try:
            credentials.change_rights(account, rights, access_log.OPERATING)
        except Illegal as refused:
            raise CommandError(refused.message) from None
        account.refresh_from_db()
        held = [option for option in _OPTIONS if getattr(account, f"is_{option}")]
        self.stdout.write(f"{account.username}: {', '.join(held) or 'no rights'}")

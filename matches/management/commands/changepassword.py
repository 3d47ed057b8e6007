"""manage.py changepassword NAME [--password P]: set an account's password, and end its sessions and tokens."""

import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.kernel import Illegal
from matches.accounts import access_log, credentials
from matches.domain.names import name_key
from matches.models import Account


class Command(BaseCommand):
    """Replaces Django's command, which ends no tokens and writes no entry of the access log."""

    help = "Change an account's password. All its sessions and tokens end, and it is informed at its next sign-in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--password", help="if left out, the command asks for it")

    def handle(self, *args: Any, name: str, password: str | None, **options: Any) -> None:
        """Change the password, also while the account plays; raise CommandError for a refused password."""
        account = Account.objects.filter(name_key=name_key(name)).first()
        if account is None:
            raise CommandError(f"There is no account {name}.")
        try:
            password = getpass.getpass(f"New password for {account.username}: ") if password is None else password
            validate_password(password, user=account)
        except EOFError:
            raise CommandError("No password was given; nothing was changed.") from None
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        try:
            credentials.change_password(account, password, access_log.OPERATING, "password_changed")
        except Illegal as refused:
            raise CommandError(refused.message) from None
        self.stdout.write(f"{account.username} signs in with the new password; its sessions and tokens have ended.")

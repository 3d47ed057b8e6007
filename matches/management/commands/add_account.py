"""manage.py add_account NAME [--password P] [--organiser]: works whether or not sign-up is open."""

import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError, transaction

from matches.accounts import access_log
from matches.domain.names import name_fault
from matches.models import Account


class Command(BaseCommand):
    """Adds an account."""

    help = "Add an account; with --organiser one that runs seasons and the admin."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name, password, rights."""
        parser.add_argument("name")
        parser.add_argument("--password", help="asked for if it is left out")
        parser.add_argument("--organiser", action="store_true")

    def handle(self, *args: Any, name: str, password: str | None, organiser: bool, **options: Any) -> None:
        """Add it, or say why not."""
        if fault := name_fault(name, by_operator=True):
            raise CommandError(fault)
        try:
            password = getpass.getpass(f"Password for {name}: ") if password is None else password
            validate_password(password, user=Account(username=name))
        except EOFError:
            raise CommandError("No password was given; nobody was added.") from None
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        rights = {"is_organiser": True, "is_staff": True, "is_superuser": True} if organiser else {}
        try:
            with transaction.atomic():
                account = Account.objects.create_user(name, password, **rights)
                if rights:
                    access_log.note(account.id, "account_made", access_log.OPERATING, **rights)
        except IntegrityError:
            raise CommandError(f"The name {name} is taken, or looks like one that is.") from None
        self.stdout.write(f"{account.username} {account.id}")

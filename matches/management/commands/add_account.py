"""manage.py add_account NAME [--password P] [--organiser]: add an account, also while sign-up is closed."""

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
    help = "Add an account; with --organiser one that runs seasons and the panel."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--password", help="if left out, the command asks for it")
        parser.add_argument("--organiser", action="store_true")

    def handle(self, *args: Any, name: str, password: str | None, organiser: bool, **options: Any) -> None:
        """Add the account; raise CommandError for a refused name or password."""
        if fault := name_fault(name, by_operator=True):
            raise CommandError(fault)
        try:
            password = getpass.getpass(f"Password for {name}: ") if password is None else password
            validate_password(password, user=Account(username=name))
        except EOFError:
            raise CommandError("No password was given; no account was added.") from None
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        rights = {"is_organiser": True, "is_staff": True, "is_superuser": True} if organiser else {}
        try:
            with transaction.atomic():
                account = Account.objects.create_user(name, password, **rights)
                if rights:
                    access_log.note(account.id, "account_made", access_log.OPERATING, **rights)
        except IntegrityError:
            raise CommandError(f"The name {name} is taken, or looks like a taken one.") from None
        self.stdout.write(f"{account.username} {account.id}")

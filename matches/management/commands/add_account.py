"""manage.py add_account NAME --password P [--organiser]: works whether or not sign-up is open."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError

from matches.accounts import name_fault
from matches.models import Account


class Command(BaseCommand):
    """Adds an account."""

    help = "Add an account; with --organiser one that runs seasons and the admin."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name, password, rights."""
        parser.add_argument("name")
        parser.add_argument("--password", required=True)
        parser.add_argument("--organiser", action="store_true")

    def handle(self, *args: Any, name: str, password: str, organiser: bool, **options: Any) -> None:
        """Add it, or say why not."""
        if fault := name_fault(name):
            raise CommandError(fault)
        rights = {"is_organiser": True, "is_staff": True, "is_superuser": True} if organiser else {}
        try:
            account = Account.objects.create_user(name, password, **rights)
        except IntegrityError:
            raise CommandError(f"The name {name} is taken.") from None
        self.stdout.write(f"{account.username} {account.id}")

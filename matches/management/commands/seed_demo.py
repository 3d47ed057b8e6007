"""manage.py seed_demo: make demo accounts and demo matches. Running it again adds nothing."""

import json
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games import catalogue
from matches.domain.events import BOT
from matches.models import Account, Match
from matches.services import opening

DEMO = {"organiser": {"is_organiser": True, "is_staff": True, "is_superuser": True}, "mira": {}, "tobias": {}}


class Command(BaseCommand):
    help = "Make the demo accounts (with passwords of this installation) and matches."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the missing accounts and matches, and print the passwords."""
        passwords = _passwords(settings.DATA / "secrets" / "demo_accounts.json")
        accounts = {name: _account(name, passwords[name], rights) for name, rights in DEMO.items()}
        if not Match.objects.filter(opened_by=accounts["organiser"]).exists():
            _open_matches(accounts)
        self.stdout.write("Demo accounts (passwords made for this data folder):")
        for name, rights in DEMO.items():
            self.stdout.write(f"  {name:<10} {passwords[name]}   {'organiser, admin' if rights else 'player'}")


def _passwords(path: Path) -> dict[str, str]:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        path.write_text(json.dumps({name: secrets.token_urlsafe(9) for name in DEMO}))
    passwords: dict[str, str] = json.loads(path.read_text())
    return passwords


def _account(name: str, password: str, rights: dict[str, bool]) -> Account:
    account = Account.objects.filter(name_key=name).first()
    return account or Account.objects.create_user(name, password, **rights)


def _open_matches(accounts: dict[str, Account]) -> None:
    """Start a match between bots for each game, which workers play at once, and one for two players."""
    host = accounts["organiser"].id
    for slug, game in catalogue.items():
        bots = [opening.SeatRequest(BOT)] * game.seats.min
        opened = opening.open_match(opener=host, game=slug, options={}, seats=bots)
        opening.start(match_id=opened.match_id, by=host, reason="A demonstration between bots.")
    players = [opening.SeatRequest(accounts[name].id) for name in ("mira", "tobias")]
    opened = opening.open_match(opener=host, game="pyramid_poker", options={}, seats=players)
    opening.start(match_id=opened.match_id, by=host, reason="A demonstration between Mira and Tobias.")

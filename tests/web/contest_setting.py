"""Contests for tests of pages: a content with every kind of field, and players with long names."""

from typing import Any, Final

from matches.domain.names import name_key
from matches.models import Account, Match
from tests.table_setting import new_account, play_on, running_match

FIELDS: Final[dict[str, dict[str, Any]]] = {
    "camp": {"kind": "choice", "title": "Camp", "options": ["east", "west", "the far, far bank"]},
    "days": {"kind": "choice", "title": "Days", "options": ["Monday", "Tuesday", "Friday"], "least": 0, "most": 2},
    "bid": {"kind": "number", "title": "Bid", "most": 20, "balance": "gold"},
    "guess": {"kind": "number", "title": "Guess", "least": -5, "most": 5},
    "target": {"kind": "player", "title": "Target"},
    "friends": {"kind": "player", "title": "Friends", "least": 1, "most": 2},
    "shares": {"kind": "split", "title": "Shares", "budget": 10, "options": ["left", "right: here"]},
    "seals": {"kind": "split", "title": "Seals", "budget": 6},
    "order": {"kind": "ranking", "title": "Order", "options": ["fish", "bread", "wine"]},
    "card": {"kind": "cards", "title": "Card", "deck": "goods", "least": 1, "most": 2},
    "word": {"kind": "text", "title": "Word", "most": 20},
}

CARDS: Final = ("2 of figs", "5 of figs", "9 of silk")


def content_of(*names: str, **round_of: Any) -> dict[str, Any]:
    """Return a content whose first round, of two, has these fields."""
    return {
        "title": "The Long Evening",
        "rules": "Play **well**.\n\n## How you win\n\nMost points win.",
        "balances": [{"name": "gold", "title": "Gold", "start": 12, "pays": True, "gives": "publicly"}],
        "decks": [{"name": "goods", "title": "Goods", "cards": list(CARDS * 40), "hand": 4}],
        "rounds": [
            {"name": "first", "title": "The first", "text": "Fill it in.", "seconds": 600,
             "fields": [{"name": name, **FIELDS[name]} for name in names], **round_of},
            {"name": "second", "title": "The second", "text": "Where do you sleep?", "repeat": 3,
             "fields": [{"name": "camp", **FIELDS["camp"]}],
             "scheme": {"kind": "minority", "field": "camp", "points": 2}},
        ],
    }  # fmt: skip


def contest(content: dict[str, Any], *players: Account | str, **setting: Any) -> Match:
    """A contest whose first round is open."""
    match = running_match("contest", *players, options={"content": content}, **setting)
    play_on(match, 0)
    return match


def named(name: str) -> Account:
    """Return an account whose name begins so."""
    account = new_account()
    account.username = f"{name}-{account.username[-4:]}"
    account.name_key = name_key(account.username)
    account.save()
    return account

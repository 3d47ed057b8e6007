"""A contest that is played for the season's garnets."""

from typing import Any

from matches.seasons.domain.scheduling import MatchSettings

AUCTION: dict[str, Any] = {
    "title": "The Garnet Auction",
    "balances": [{"name": "stones", "title": "Garnets", "pays": True, "garnets": True}],
    "rounds": [
        {
            "name": "lot",
            "fields": [{"kind": "number", "name": "bid", "most": 100, "balance": "stones"}],
            "default": {"kind": "fixed", "values": {"bid": 0}},
            "scheme": {"kind": "first_price", "field": "bid", "prizes": [4]},
        }
    ],
    "score": {"ties": ["chance"]},
}


def staked(match: str = "m1", **more: Any) -> MatchSettings:
    """A table of the auction as a host wants it."""
    return MatchSettings(match=match, game="contest", options={"content": AUCTION}, **more)

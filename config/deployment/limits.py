"""Limits of requests, matches and live connections, read from the environment."""

from typing import Any

from config.deployment.environment import flag, rates, seconds, whole


def read(connections: int) -> dict[str, Any]:
    """Return the settings of all limits, by name; `connections` is the number that a process serves at once."""
    return {
        # Rate limits; CROUPIER_LIMITS=off is for measurements.
        "LIMITS": flag("CROUPIER_LIMITS", default=True),
        "LIMIT_RATES": {
            "commands": rates("CROUPIER_LIMIT_COMMANDS", "100/second;3000/minute"),
            "reads": rates("CROUPIER_LIMIT_READS", "6000/minute"),
            "talk": rates("CROUPIER_LIMIT_TALK", "6/10second;30/minute"),
            "archives": rates("CROUPIER_LIMIT_ARCHIVES", "10/minute"),
            "contests": rates("CROUPIER_LIMIT_CONTESTS", "120/minute"),
            "trials": rates("CROUPIER_LIMIT_TRIALS", "20/minute;200/hour"),
            "pictures": rates("CROUPIER_LIMIT_PICTURES", "10/minute;60/hour"),
            "logins": rates("CROUPIER_LIMIT_LOGINS", "10/minute;60/hour"),
            "logins_address": rates("CROUPIER_LIMIT_LOGINS_ADDRESS", "30/minute;300/hour"),
            "logins_name": rates("CROUPIER_LIMIT_LOGINS_NAME", "30/minute;300/hour"),
            "signups": rates("CROUPIER_LIMIT_SIGNUPS", "60/minute;600/hour"),
            "letters": rates("CROUPIER_LIMIT_LETTERS", "5/minute;20/hour"),
            "mailboxes": rates("CROUPIER_LIMIT_MAILBOX", "6/hour;20/day"),
            "guests": rates("CROUPIER_LIMIT_GUESTS", "10/minute;60/hour"),
        },
        # The most unfinished friendlies that an account may have opened, and the most of them with bots only.
        "MATCHES_OF_ACCOUNT": (
            whole("CROUPIER_MATCHES_PER_ACCOUNT", 50, least=0),
            whole("CROUPIER_BOT_MATCHES_PER_ACCOUNT", 5, least=0),
        ),
        # A guest has a seat in each of these.
        "MATCHES_OF_GUEST": (whole("CROUPIER_MATCHES_PER_GUEST", 5, least=0), 0),
        "MATCHES_OF_OFFICIAL": (
            whole("CROUPIER_MATCHES_PER_OFFICIAL", 500, least=0),
            whole("CROUPIER_BOT_MATCHES_PER_OFFICIAL", 50, least=0),
        ),
        # The most sockets, streams and long polls that one process holds open for an account, for an address, and for
        # all anonymous people (at matches, and at seasons' pages). All together leave a fifth of the connections to
        # requests.
        "LIVE_PLACES": {
            "all": max(1, connections * 4 // 5),
            # Each occupies a thread.
            "polls": max(1, connections // 8),
            "account": whole("CROUPIER_LIVE_PER_ACCOUNT", 20, least=0),
            "address": whole("CROUPIER_LIVE_PER_ADDRESS", 200, least=0),
            "strangers": whole("CROUPIER_LIVE_STRANGERS", 500, least=0),
            "followers": whole("CROUPIER_LIVE_FOLLOWERS", 500, least=0),
        },
        # How long one of them lives. Then the client must reconnect, so that no connection outlives the rights it was
        # opened with.
        "LIVE_SECONDS": seconds("CROUPIER_LIVE_SECONDS", 3600),
    }

"""What people are told away from the page they are on: the kinds of calls, the ways they go, when, and in which words.
Pure: which instant it is, and in whose zone, is handed in."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Final, Literal, NamedTuple, get_args
from zoneinfo import ZoneInfo

Way = Literal["page", "push", "email"]
Kind = Literal[
    "your_turn", "offer", "decision", "reminder", "decided", "appointment", "check_in", "match_begins", "result",
    "correction", "invitation", "claim", "answer", "webhook", "official",
]  # fmt: skip
Digest = Literal["at_once", "hourly", "daily"]
SeasonChoice = Literal["muted", "all"]
WAYS: Final[tuple[Way, ...]] = get_args(Way)
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

APART: Final = timedelta(minutes=1)
"""Two calls of one kind about one match, or one season, lie at least so far apart on one way."""
DIGEST_HOUR: Final = 8
"""The hour, by the account's clock, at which the mail of a day goes."""


class Told(NamedTuple):
    """A kind in people's words: what it is called, when it comes, what it says, and the ways that it goes unless its
    account wants others."""

    title: str
    when: str
    text: str
    ways: frozenset[Way]


_ALL: Final = frozenset(WAYS)
TABLE: Final[Mapping[str, Told]] = {
    "your_turn": Told(
        "Your turn", "A match waits for your move.", "It is your turn in a match.", frozenset({"push"})
    ),
    "offer": Told(
        "Offers",
        "Somebody offers you to take a move back, to pause or to go on.",
        "Somebody at a match of yours offers something.",
        frozenset({"page", "push"}),
    ),
    "decision": Told(
        "A decision is yours",
        "A season waits for you to give a token, name a player or strike a game.",
        "A season waits for a decision of yours.",
        _ALL,
    ),
    "reminder": Told(
        "Time runs out",
        "Four fifths of a long turn are gone, ten minutes of a very long one are left, or a decision's deadline nears.",
        "Your time for something is running out.",
        _ALL,
    ),
    "decided": Told(
        "Decisions about you",
        "A season has a token, the EC or the DMO fall to you, or a decision of yours is taken for you.",
        "A season has decided something about you.",
        frozenset({"page", "push"}),
    ),
    "appointment": Told(
        "Times of your matches",
        "A match of yours is set; a time for it is proposed or accepted; it gets another one, or isn't played.",
        "There is news about the time of a match of yours.",
        _ALL,
    ),
    "check_in": Told(
        "Check-in", "The check-in for a match of yours is open.", "You can check in for a match now.", _ALL
    ),
    "match_begins": Told("A match begins", "A match of yours has begun.", "A match of yours has begun.", _ALL),
    "result": Told("Results", "A match of yours is over.", "A match of yours is over.", _ALL),
    "correction": Told(
        "Corrections",
        "A result that touches you is corrected, annulled or played on.",
        "A result that touches you has been corrected.",
        _ALL,
    ),
    "invitation": Told(
        "Invitations",
        "Somebody keeps a seat for you at a match, or you are in a season.",
        "Somebody has invited you.",
        _ALL,
    ),
    "claim": Told(
        "Claims",
        "Somebody makes a claim in a season that you run, or withdraws it.",
        "There is news of a claim in a season that you run.",
        _ALL,
    ),
    "answer": Told(
        "Answers",
        "An appeal or an application of yours is answered, or a claim that is yours or about a match of yours.",
        "There is an answer that concerns you.",
        _ALL,
    ),
    "official": Told(
        "A season that you run",
        "A season that you run waits for you: a result to approve, an application, a decision that nobody took in "
        "time, somebody absent, or a match without a time.",
        "A season that you run waits for you.",
        _ALL,
    ),
    "webhook": Told(
        "Your webhook",
        "A webhook of yours, or of a season that you run, is switched off, as its receiver is gone.",
        "A webhook has been switched off.",
        _ALL,
    ),
    "test": Told("Test", "You ask for it.", "Croupier can reach you here.", _ALL),
}  # fmt: skip
"""The one table of what is told when, and by which way unless its account says otherwise."""


class Quiet(NamedTuple):
    """The hours of a day, by the account's clock, in which nothing is sent. They may begin on the day before."""

    begins: time
    ends: time
    zone: str


def clock_time(told: str | time) -> time:
    """A time of day, as it is written in hours and minutes."""
    return told if isinstance(told, time) else time.fromisoformat(told)


def is_wanted(kind: str, way: str, chosen: Mapping[tuple[str, str], bool], season: str | None = None) -> bool:
    """Whether an account wants a kind by a way: by what it has chosen for the season, for the kind, or by the table."""
    if kind == "test" or season == "all":
        return True
    return season != "muted" and chosen.get((kind, way), way in TABLE[kind].ways)


def due_at(way: str, made_at: datetime, quiet: Quiet | None, digest: str, zone: str) -> datetime:
    """When a call that was made at an instant is to go: the page shows it at once; the rest waits for the end of quiet
    hours, and mail for its digest."""
    if way == "page":
        return made_at
    at = _digest_at(made_at, digest, zone) if way == "email" else made_at
    return after(quiet, at) if quiet else at


def after(quiet: Quiet, at: datetime) -> datetime:
    """The first instant, from `at` on, that lies in no quiet hours."""
    here = at.astimezone(ZoneInfo(quiet.zone))
    now = here.time().replace(tzinfo=None)
    over_midnight = quiet.begins > quiet.ends
    begun, ended = now >= quiet.begins, now >= quiet.ends
    if not (begun or not ended if over_midnight else begun and not ended):
        return at
    day = here.date() + timedelta(days=over_midnight and begun)
    return datetime.combine(day, quiet.ends, here.tzinfo).astimezone(at.tzinfo)


def text(kind: str, game: str = "", season: str = "") -> str:
    """What a call says. `game` and `season` stand in it only where whoever looks over the shoulder may know them."""
    said = TABLE[kind].text
    about = ", ".join(filter(None, (game, season)))
    return f"{said[:-1]}: {about}." if about else said


def _digest_at(at: datetime, digest: str, zone: str) -> datetime:
    here = at.astimezone(ZoneInfo(zone))
    if digest == "hourly":
        begun = here.replace(minute=0, second=0, microsecond=0)
        return at if begun == here else at + (begun + timedelta(hours=1) - here)
    if digest == "daily":
        today = datetime.combine(here.date(), time(DIGEST_HOUR), here.tzinfo)
        due = (
            today
            if today >= here
            else datetime.combine(here.date() + timedelta(days=1), time(DIGEST_HOUR), here.tzinfo)
        )
        return due.astimezone(at.tzinfo)
    return at

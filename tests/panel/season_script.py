"""One season as a script, acted by whoever is handed it: by the panel's dialogs, or over REST."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

GAMES = ("pyramid_poker", "pentagram", "reality_benders", "higher_or_lower")
_TABLE = {"end": "target", "target": 20}
REASON = "As the script has it."
_TABLE_TYPED = {"pentagram-option-end": "target", "pentagram-option-target": "20"}


class Person(NamedTuple):
    """A player."""

    id: str
    name: str


class Step(NamedTuple):
    """An act: the dialog with its fields, the same over REST, and the events that it must bring, of which the last
    ones may be `drawn`: those no preview tells.

    Where it is `by` a player it is done at their desk. In texts `{match}` is the newest match's id, `{matches[0]}` the
    first one's, in the order in which they were set.
    """

    act: str
    fields: dict[str, Any]
    path: str
    body: dict[str, Any] | None
    brings: list[str]
    drawn: tuple[str, ...] = ()
    by: Person | None = None


class HostStep(NamedTuple):
    """A host's act on a match of the season, the newest or the one of this place: as `Step`, at its table."""

    act: str
    fields: dict[str, Any]
    path: str
    body: dict[str, Any]
    place: int = -1


class Actor(Protocol):
    """An actor that carries the script out."""

    def act(self, step: Step) -> None:
        """Do it."""

    def host(self, step: HostStep) -> None:
        """Do it at the match's table."""

    def settled(self, place: int = -1) -> None:
        """Once the season has heard of the end of the newest match, or of the one of this place."""

    def match(self, *, decided: bool) -> str:
        """Have the match that was set last played, or at once decided for seat 0; gives the winner's id."""


Post = Callable[[str, Any], Any]


class Clerk:
    """Acts the script over REST, and lets every match end as it is told to.

    `post` and `get` are a client's, and give documents; `settle` waits until the season has heard of a match's end.
    `players` post for those who act themselves, by their ids.
    """

    def __init__(
        self,
        season: str,
        winners: Sequence[str],
        post: Post,
        get: Callable[[str], Any],
        settle: Callable[[str], None],
        players: Mapping[str, Post] | None = None,
    ) -> None:
        self._path = f"/seasons/{season}"
        self._winners = iter(winners)
        self._post = post
        self._get = get
        self._settle = settle
        self._players = players or {}

    def act(self, step: Step) -> None:
        """The step's request."""
        post = self._players[step.by.id] if step.by else self._post
        path, body = placed((step.path, step.body), self._ids())
        happened = post(self._path + path, body)["events"]
        assert [it["type"] for it in happened] == [*step.brings, *step.drawn]

    def host(self, step: HostStep) -> None:
        """The step's request."""
        self._post(f"/matches/{self._ids()[step.place]}/{step.path}", step.body)

    def settled(self, place: int = -1) -> None:
        """Wait for it."""
        self._settle(self._ids()[place])

    def match(self, *, decided: bool) -> str:
        """Start the match and decide it as it went before."""
        match, winner = self._matches()[-1], next(self._winners)
        self.host(starting())
        self.host(deciding(match["players"].index(winner)))
        self.settled()
        return winner

    def _ids(self) -> list[str]:
        return [str(it["id"]) for it in self._matches()]

    def _matches(self) -> list[dict[str, Any]]:
        schedule: list[dict[str, Any]] = self._get(f"{self._path}/schedule")["results"]
        return schedule


def starting(place: int = -1) -> HostStep:
    """The match begins."""
    return HostStep("start", {"reason": REASON}, "start", {"reason": REASON}, place)


def deciding(seat: int, place: int = -1) -> HostStep:
    """The host says who has won."""
    fields, body = {"winners": [str(seat)], "reason": REASON}, {"winners": [seat], "reason": REASON}
    return HostStep("adjudicate", fields, "adjudicate", body, place)


def placed(value: Any, ids: Sequence[str]) -> Any:
    """The value with the ids of matches in the places that its texts keep for them."""
    match value:
        case dict():
            return {name: placed(it, ids) for name, it in value.items()}
        case list() | tuple():
            return type(value)(placed(it, ids) for it in value)
        case str() if "{match" in value:
            return value.format(match=ids[-1], matches=ids)
    return value


def enrolment(actor: Actor, people: list[Person]) -> None:
    """The players join."""
    for person in people:
        fields, body = {"player": person.name}, {"player": person.id}
        actor.act(Step("enrol", fields, "/players", body, ["player_enrolled", "garnets_moved"]))


def first_episode(actor: Actor, people: list[Person]) -> list[Person]:
    """A main match at a table, a second token, and a death match that is played; gives who is left."""
    _, second, third, last = people
    _open(actor, "The opening night")
    setting = {"game": "pentagram", "options": _TABLE, "clocks": None, "players": [it.id for it in people]}
    typed = {"game": "pentagram", **_TABLE_TYPED, "clocks": "none", "players": [it.id for it in people]}
    actor.act(Step("table", typed, "/main-matches/tables", setting, ["main_match_scheduled"]))
    actor.match(decided=True)
    recorded = ["main_match_recorded", "token_granted", "token_granted"]
    actor.act(Step("main-match", {"name": "Pentagram"}, "/main-matches", {"name": "Pentagram"}, recorded))
    _name(actor, "token", "/tokens", second, "token_granted")
    _name(actor, "candidate", "/candidates", last, "candidate_named")
    return _duel(actor, people, third, decided=False)


def second_episode(actor: Actor, people: list[Person]) -> list[Person]:
    """A main match that is typed in, with garnets to win; gives who is left."""
    first, second, last = people
    _open(actor, "The auction")
    fields = {"name": "The auction", "winners": [first.id], "candidates": [second.id, last.id],
              "rewards": f"{first.name} 2"}  # fmt: skip
    body = {"name": "The auction", "winners": [first.id], "candidates": [second.id, last.id],
            "rewards": {first.id: 2}}  # fmt: skip
    brings = ["main_match_recorded", "token_granted", "garnets_moved"]
    actor.act(Step("main-match", fields, "/main-matches", body, brings))
    _name(actor, "candidate", "/candidates", last, "candidate_named")
    return _duel(actor, people, second, decided=False)


def final(actor: Actor) -> None:
    """Best of three, won by the same player in two."""
    actor.act(Step("final", {}, "/final", None, ["final_opened"]))
    for game, following in ((GAMES[2], []), (GAMES[3], ["player_eliminated", "season_finished"])):
        _set(actor, "final-match", "/final/matches", game, "final_match_scheduled")
        actor.match(decided=True)
        actor.act(Step("approve", {}, "/matches/{match}/approve", None, ["result_approved", *following]))


def _open(actor: Actor, title: str) -> None:
    actor.act(Step("open-episode", {"title": title}, "/episodes", {"title": title}, ["episode_opened"]))


def _name(actor: Actor, act: str, path: str, whom: Person, brings: str) -> None:
    actor.act(Step(act, {"player": whom.id}, path, {"player": whom.id}, [brings]))


def _set(actor: Actor, act: str, path: str, game: str, brings: str) -> None:
    fields, body = {"game": game, "clocks": "none"}, {"game": game, "clocks": None}
    actor.act(Step(act, fields, path, body, [brings]))


def _duel(actor: Actor, people: list[Person], opponent: Person, *, decided: bool) -> list[Person]:
    """The EC is the last of the people; the loser of the two is out."""
    _name(actor, "opponent", "/opponents", opponent, "opponent_named")
    _set(actor, "death-match", "/death-matches", GAMES[0], "death_match_scheduled")
    winner = actor.match(decided=decided)
    follows = ["result_approved", "garnets_moved", "garnets_moved", "player_eliminated", "episode_closed"]
    actor.act(Step("approve", {}, "/matches/{match}/approve", None, follows))
    return [it for it in people if it.id == winner or it not in (opponent, people[-1])]


def plain_events(events: list[dict[str, Any]], known_names: dict[str, str]) -> list[Any]:
    """Return events without what differs between two runs.

    Accounts stand by name; matches, display names, instants and links of the season's chance by their order; a player
    whom that chance has seated is one of those drawn; hashes are left out."""
    names = dict(known_names)
    for event in events:
        if event["type"].endswith("_scheduled"):
            names[event["match"]] = f"match {1 + sum(it.startswith('match ') for it in names.values())}"
        if event["type"] == "player_renamed" and event["name"]:
            names[event["name"]] = f"name {1 + sum(it.startswith('name ') for it in names.values())}"
    plain = [{name: it for name, it in event.items() if name not in ("at", "hash", "text")} for event in events]
    chosen: dict[str, frozenset[str]] = {}
    renamed: list[Any] = []
    for event in plain:
        if event["type"] == "seating_asked":
            chosen |= dict.fromkeys(event["matches"], frozenset(event["players"]))
        drawn = frozenset(event["players"]) if event["type"] == "seating_drawn" else chosen.get(event.get("match", ""))
        fields = {name: _drawn(it, drawn) if name in _SEATED and drawn else it for name, it in event.items()}
        renamed.append(_renamed(fields, names))
    return renamed


_SEATED = ("seating", "players", "ranking")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z")
_LINK = re.compile(r"[0-9a-f]{64}")


def _drawn(value: Any, drawn: frozenset[str]) -> Any:
    if isinstance(value, list):
        return [_drawn(it, drawn) for it in value]
    return "drawn" if value in drawn else value


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """Instants and links get their names as they are met."""
    match value:
        case dict():
            return {names.get(name, name): _renamed(it, names) for name, it in value.items()}
        case list():
            return [_renamed(it, names) for it in value]
        case str():
            for what, shape in (("instant", _INSTANT), ("link", _LINK)):
                if value not in names and shape.fullmatch(value):
                    names[value] = f"{what} {1 + sum(it.startswith(what) for it in names.values())}"
            return names.get(value, value)
    return value

"""One season as a script, acted by whoever is handed it: by the panel's dialogs, or over REST."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

GAMES = ("pyramid_poker", "pentagram", "reality_benders", "higher_or_lower")
_TABLE = {"end": "target", "target": 20}
_TABLE_TYPED = {"pentagram-option-end": "target", "pentagram-option-target": "20"}


class Person(NamedTuple):
    """A player."""

    id: str
    name: str


class Step(NamedTuple):
    """An act: the dialog with its fields, the same over REST, and the events that it must bring."""

    act: str
    fields: dict[str, Any]
    path: str
    body: dict[str, Any] | None
    brings: list[str]


class Actor(Protocol):
    """Who carries the script out."""

    def act(self, step: Step) -> None:
        """Do it."""

    def match(self, *, decided: bool) -> str:
        """Have the match that was set last played, or at once decided for seat 0; gives the winner's id."""


class Clerk:
    """Acts the script over REST, and lets every match end as it is told to.

    `post` and `get` are a client's, and give documents; `settle` waits until the season has heard of a match's end.
    """

    def __init__(
        self,
        season: str,
        winners: Sequence[str],
        post: Callable[[str, Any], Any],
        get: Callable[[str], Any],
        settle: Callable[[str], None],
    ) -> None:
        self._path = f"/seasons/{season}"
        self._winners = iter(winners)
        self._post = post
        self._get = get
        self._settle = settle

    def act(self, step: Step) -> None:
        """The step's request."""
        match = self._last()["id"] if "{match}" in step.path else ""
        happened = self._post(self._path + step.path.format(match=match), step.body)["events"]
        assert [it["type"] for it in happened] == step.brings

    def match(self, *, decided: bool) -> str:
        """Start the match and decide it as it went before."""
        match, winner = self._last(), next(self._winners)
        path = f"/matches/{match['id']}"
        self._post(f"{path}/start", {"reason": "Both are here."})
        asked = {"winners": [match["players"].index(winner)], "reason": "As it went before."}
        self._post(f"{path}/adjudicate", asked)
        self._settle(match["id"])
        return winner

    def _last(self) -> dict[str, Any]:
        last: dict[str, Any] = self._get(f"{self._path}/schedule")["results"][-1]
        return last


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


def told(events: list[dict[str, Any]], known: dict[str, str]) -> list[Any]:
    """Events as anybody would tell them: accounts by name, matches in their order, no times, no hashes."""
    names = dict(known)
    for event in events:
        if event["type"].endswith("_scheduled"):
            names[event["match"]] = f"match {len(names) - len(known) + 1}"
    plain = [{name: it for name, it in event.items() if name not in ("at", "hash", "text")} for event in events]
    return [_renamed(event, names) for event in plain]


def _renamed(value: Any, names: dict[str, str]) -> Any:
    match value:
        case dict():
            return {names.get(name, name): _renamed(it, names) for name, it in value.items()}
        case list():
            return [_renamed(it, names) for it in value]
        case str():
            return names.get(value, value)
    return value

"""The acts on a season by name, and what may be asked of each as it stands: the decider itself is tried. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from games import catalogue
from games.kernel import Event, Illegal
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.seasons.domain import (
    appointments,
    attendance,
    changes,
    corrections,
    deadlines,
    disputes,
    episode_acts,
    episodes,
    garnets,
    intake,
    match_acts,
    naming,
    result_table,
    results,
    roster,
    roster_acts,
    scheduling,
    tables,
)
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import SeasonAct, read
from matches.seasons.domain.options import DUEL, MOST_GARNETS
from matches.seasons.domain.result_table import ResultRow
from matches.seasons.domain.state import Season

Values = Mapping[str, Any]
"""What an act is asked with, by name: accounts and matches as their ids."""

_NEW_ID = "00000000-0000-0000-0000-000000000000"
_WHY = "-"
_SOME_TIME = "2000-01-01T00:00:00.000000Z"
"""Whether an instant is still to come is for the services to see, which know the time."""


class Act(NamedTuple):
    """An act: how it is decided, and the values that are tried to see whether it can be asked for.

    One that `settles` asks something of the season's matches.
    """

    decide: Callable[[Season, Caller, Values], Sequence[Event]]
    tries: Callable[[Season, Caller], Iterable[Values]]
    settles: bool = False


class Offer(Struct, frozen=True):
    """What of the values tried is accepted; where nothing is, the decider's refusal of the first of them."""

    choices: list[Values]
    refused: str = ""
    code: str = ""

    @property
    def stands(self) -> bool:
        """Whether the act can be asked for."""
        return bool(self.choices)

    def of(self, name: str) -> list[Any]:
        """The accepted values under a name, each once."""
        return list(dict.fromkeys(values[name] for values in self.choices))


def offer(season: Season, by: Caller, name: str) -> Offer:
    """What this caller may ask for by the act of this name."""
    act = ACTS[name]
    choices: list[Values] = []
    refusal: Illegal | None = None
    for values in act.tries(season, by):
        try:
            act.decide(season, by, values)
        except Illegal as illegal:
            refusal = refusal or illegal
        else:
            choices.append(values)
    if choices or refusal is None:
        return Offer(choices)
    return Offer([], refusal.message, refusal.code)


def refusal_of(season: Season, by: Caller, name: str, values: Values) -> str:
    """What the decider refuses this with; empty where it doesn't."""
    try:
        ACTS[name].decide(season, by, values)
    except Illegal as illegal:
        return illegal.message
    return ""


def offers(season: Season, by: Caller) -> dict[str, Offer]:
    """What this caller may ask for, by act."""
    return {name: offer(season, by, name) for name in ACTS}


def _settings(values: Values) -> scheduling.MatchSettings:
    return scheduling.MatchSettings(
        match=values["match"],
        game=values["game"],
        options=values.get("options", {}),
        clocks=values.get("clocks"),
        opens_at=values.get("opens_at"),
        untimed=values.get("untimed", False),
        setup_closes=values.get("setup_closes", SETUP_CLOSES_BEFORE),
    )


def _each_version(season: Season, by: Caller) -> Iterator[Values]:
    """Which versions a match may be rewound to is for its record to say."""
    return ({"match": match, "to_version": 1, "reason": _WHY} for match in season.matches)


def _each_game(season: Season, by: Caller) -> Iterator[Values]:
    return ({"match": _NEW_ID, "game": game} for game in season.options.pool)


def _each_reversal(season: Season, by: Caller) -> Iterator[Values]:
    return (
        {"match": match.id, "winner": player, "reason": _WHY}
        for match in season.matches.values()
        for player in match.players
    )


def _each_leaver(season: Season, by: Caller) -> Iterator[Values]:
    return ({"leaver": player, "newcomer": _NEW_ID, "reason": _WHY} for player in season.players)


def _each_pair(season: Season, by: Caller) -> Iterator[Values]:
    """Each player who sits at no table of the main match yet, beside the next one; else two who do."""
    living = season.living
    tables = season.of_episode(season.episode.number, "main") if season.episode else []
    seated = {player for table in tables if table.status != "annulled" for player in table.players}
    free = [player for player in living if player not in seated]
    pairs = pairwise([*free, free[0]]) if len(free) >= DUEL else [living[:DUEL]]
    yield from ({"match": _NEW_ID, "game": season.options.pool[0], "players": tuple(pair)} for pair in pairs)


def _two_tables(season: Season, by: Caller) -> Iterator[Values]:
    """As `_each_pair`, as a list of one table."""
    for values in _each_pair(season, by):
        yield {**values, "matches": [_NEW_ID], "seating": [values["players"]]}


def _a_draw(season: Season, by: Caller) -> Iterator[Values]:
    """Everybody at as few tables as each game allows."""
    for game, rules in catalogue.items():
        count = max(1, -(-len(season.living) // rules.seats.max))
        nobody: list[list[str]] = [[]] * count
        yield {"match": "", "game": game, "matches": [f"{_NEW_ID} {it}" for it in range(count)], "seated": nobody}


def _a_result(season: Season, by: Caller) -> Iterator[Values]:
    """What the tables say, or any result at all."""
    yield {"name": _WHY, "winners": None, "candidates": None}
    if len(season.living) >= DUEL:
        yield {"name": _WHY, "winners": season.living[:1], "candidates": season.living[-1:]}


def _a_table_of_results(season: Season, by: Caller) -> Iterator[Values]:
    """The first of the living has won, the last has lost."""
    ends = [*season.living[:1], *season.living[-1:]]
    rows = [ResultRow(number=place, player=it, place=place) for place, it in enumerate(ends, start=1)]
    yield {"name": _WHY, "rows": rows}


def _a_garnet(season: Season, by: Caller) -> Iterator[Values]:
    """One to each player: the caller's own, or the season's."""
    source = by.account if by.account in season.players else None
    return ({"source": source, "target": it, "amount": 1, "reason": _WHY} for it in season.living)


def _each_episode(season: Season, by: Caller) -> Iterator[Values]:
    """Each episode's result with no rewards and another winner, or with garnets for one."""
    for episode in season.episodes:
        others = [it for it in season.living if it not in episode.winners]
        yield {"episode": episode.number, "winners": others[:1], "rewards": {}, "reason": _WHY}
        yield {"episode": episode.number, "rewards": dict.fromkeys(episode.winners, MOST_GARNETS), "reason": _WHY}


def _each_of_an_episode(season: Season, by: Caller) -> Iterator[Values]:
    return (
        {"episode": episode.number, "player": player, "reason": _WHY}
        for episode in season.episodes
        for player in season.players
    )


def _each_ban(season: Season, by: Caller) -> Iterator[Values]:
    return (
        {"episode": episode.number, "player": player, "game": game, "instead": instead, "reason": _WHY}
        for episode in season.episodes
        for player, game in episode.bans
        for instead in (None, *season.options.pool)
    )


def _each_time(season: Season, by: Caller) -> Iterator[Values]:
    return ({"match": match, "times": [_SOME_TIME], "opens_at": _SOME_TIME, "reason": _WHY} for match in season.matches)


def _each_offer(season: Season, by: Caller) -> Iterator[Values]:
    yield from (
        {"match": match, "opens_at": time} for match in season.matches for time in appointments.times_of(season, match)
    )


def _each_absence(season: Season, by: Caller) -> Iterator[Values]:
    for match in season.matches.values():
        yield from (
            {"match": match.id, "ruling": ruling, "loser": loser, "reason": _WHY}
            for ruling in ("play", "stand_in", "loss")
            for loser in (match.players if ruling == "loss" else (None,))
        )


def _each_claim(season: Season, by: Caller) -> Iterator[Values]:
    return ({"number": claim.number, "decision": "rejected", "reason": _WHY} for claim in season.claims)


def _each_link(season: Season, by: Caller) -> Iterator[Values]:
    return ({"link": link, "reason": _WHY} for link in season.intake.links)


def _each_changed(season: Season, by: Caller) -> Iterator[Values]:
    return ({"player": player, "amount": 0, "name": _NEW_ID, "reason": _WHY} for player in season.players)


def _an_option(season: Season, by: Caller) -> Iterator[Values]:
    """A change of one that is free as long as the season is under way."""
    yield {"changes": {"transfers": not season.options.transfers}, "reason": _WHY}


def _once(**values: Any) -> Callable[[Season, Caller], Iterable[Values]]:
    return lambda season, by: [values]


def _of(declared: type[SeasonAct]) -> dict[str, Act]:
    """Return a declared act, by its name, for those who ask by name and values."""
    act = Act(
        lambda s, by, v: read(declared, v).decide(s, by),
        lambda s, by: map(asdict, declared.tries(s, by)),
        declared.settles,
    )
    return {declared.name: act}


ACTS: dict[str, Act] = {
    **_of(roster_acts.Enrol),
    **_of(roster_acts.Withdraw),
    "substitute": Act(
        lambda s, by, v: roster.substitute(s, by, v["leaver"], v["newcomer"], v["reason"]), _each_leaver, settles=True
    ),
    **_of(roster_acts.Appoint),
    **_of(roster_acts.Dismiss),
    **_of(episode_acts.OpenEpisode),
    "table": Act(
        lambda s, by, v: scheduling.schedule_table(s, by, _settings(v), v["players"], v.get("priority", 0)),
        _each_pair, settles=True,
    ),
    "main-match": Act(
        lambda s, by, v: episodes.record_main_match(
            s, by, v["name"], v["winners"], v["candidates"], v.get("rewards")
        ),
        _a_result,
    ),
    "enter-results": Act(lambda s, by, v: result_table.enter(s, by, v["name"], v["rows"]), _a_table_of_results),
    **_of(episode_acts.GiveToken),
    **_of(episode_acts.NameCandidate),
    **_of(episode_acts.NameOpponent),
    **_of(episode_acts.BanGame),
    "death-match": Act(
        lambda s, by, v: scheduling.schedule_death_match(s, by, _settings(v)), _each_game, settles=True
    ),
    **_of(match_acts.Approve),
    "correct": Act(
        lambda s, by, v: results.correct(s, by, v["match"], v["winner"], v["reason"]), _each_reversal, settles=True
    ),
    "correct-main-match": Act(
        lambda s, by, v: corrections.correct_main_match(
            s, by, v["episode"], v["reason"], v.get("winners"), v.get("candidates"), v.get("rewards")
        ),
        _each_episode, settles=True,
    ),
    "correct-token": Act(
        lambda s, by, v: corrections.correct_token(s, by, v["episode"], v["player"], v["reason"]),
        _each_of_an_episode, settles=True,
    ),
    "correct-candidate": Act(
        lambda s, by, v: corrections.correct_candidate(s, by, v["episode"], v["player"], v["reason"]),
        _each_of_an_episode, settles=True,
    ),
    "correct-opponent": Act(
        lambda s, by, v: corrections.correct_opponent(s, by, v["episode"], v["player"], v["reason"]),
        _each_of_an_episode, settles=True,
    ),
    "correct-ban": Act(
        lambda s, by, v: corrections.correct_ban(
            s, by, v["episode"], v["player"], v["game"], v["instead"], v["reason"]
        ),
        _each_ban, settles=True,
    ),
    "rewind": Act(
        lambda s, by, v: results.reopen(s, by, v["match"], v["to_version"], v["reason"]), _each_version, settles=True
    ),
    **_of(match_acts.Annul),
    **_of(episode_acts.CloseEpisode),
    **_of(match_acts.OpenFinal),
    "final-match": Act(
        lambda s, by, v: scheduling.schedule_final_match(s, by, _settings(v)), _each_game, settles=True
    ),
    "garnets": Act(
        lambda s, by, v: garnets.move_garnets(s, by, v["source"], v["target"], v["amount"], v["reason"]), _a_garnet
    ),
    "rule": Act(lambda s, by, v: roster.rule(s, by, v["text"], v.get("match")), _once(text=_WHY)),
    "propose-times": Act(
        lambda s, by, v: appointments.propose_times(s, by, v["match"], v["times"]), _each_time, settles=True
    ),
    "accept-time": Act(
        lambda s, by, v: appointments.accept_time(s, by, v["match"], v["opens_at"]), _each_offer, settles=True
    ),
    "set-time": Act(
        lambda s, by, v: appointments.set_time(s, by, v["match"], v["opens_at"], v["reason"]), _each_time,
        settles=True,
    ),
    **_of(match_acts.CheckIn),
    "absence": Act(
        lambda s, by, v: attendance.decide_absence(s, by, v["match"], v["ruling"], v.get("loser"), v["reason"]),
        _each_absence, settles=True,
    ),
    "extend-decision": Act(
        lambda s, by, v: deadlines.extend(s, by, v["until"], v["reason"]), _once(until=_SOME_TIME, reason=_WHY)
    ),
    "tables": Act(
        lambda s, by, v: tables.set_tables(s, by, _settings(v), v["matches"], v["seating"]),
        _two_tables, settles=True,
    ),
    "draw-tables": Act(
        lambda s, by, v: tables.ask_seating(s, by, _settings(v), v["matches"], v["seated"], v.get("sizes")),
        _a_draw, settles=True,
    ),
    "claim": Act(
        lambda s, by, v: disputes.claim(s, by, v["kind"], v["text"], v.get("match")), _once(kind="conduct", text=_WHY)
    ),
    "withdraw-claim": Act(lambda s, by, v: disputes.withdraw_claim(s, by, v["number"]), _each_claim),
    "answer-claim": Act(
        lambda s, by, v: disputes.answer_claim(s, by, v["number"], v["decision"], v["reason"]), _each_claim
    ),
    "enrol-list": Act(
        lambda s, by, v: intake.enrol_all(s, by, v["players"], v.get("invited", 0), v.get("closes_at")),
        _once(players=(_NEW_ID,)),
    ),
    "open-joining": Act(
        lambda s, by, v: intake.open_joining(s, by, v["approval"], v.get("most"), v.get("closes_at")),
        _once(approval=True),
    ),
    **_of(roster_acts.RevokeJoining),
    "apply": Act(lambda s, by, v: intake.apply(s, by, v["link"]), _each_link),
    "withdraw-application": Act(lambda s, by, v: intake.withdraw_application(s, by), _once()),
    **_of(roster_acts.Admit),
    **_of(roster_acts.Decline),
    **_of(roster_acts.EnrolLate),
    **_of(roster_acts.Reinstate),
    "rename": Act(lambda s, by, v: naming.rename(s, by, v["player"], v["name"], v["reason"]), _each_changed),
    "change-options": Act(lambda s, by, v: changes.change_options(s, by, v["changes"], v["reason"]), _an_option),
}  # fmt: skip
"""All acts by the name in their address."""

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
    changes,
    claim_acts,
    correction_acts,
    episode_acts,
    episodes,
    garnet_acts,
    intake_acts,
    match_acts,
    naming,
    result_acts,
    result_table,
    roster_acts,
    scheduling,
    tables,
    timing_acts,
)
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import SeasonAct, read
from matches.seasons.domain.options import DUEL
from matches.seasons.domain.result_table import ResultRow
from matches.seasons.domain.state import Season

Values = Mapping[str, Any]
"""What an act is asked with, by name: accounts and matches as their ids."""

_NEW_ID = "00000000-0000-0000-0000-000000000000"
_WHY = "-"


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


def _each_game(season: Season, by: Caller) -> Iterator[Values]:
    return ({"match": _NEW_ID, "game": game} for game in season.options.pool)


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
    **_of(roster_acts.Substitute),
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
    **_of(result_acts.Approve),
    **_of(result_acts.CorrectResult),
    **_of(correction_acts.CorrectMainMatch),
    **_of(correction_acts.CorrectToken),
    **_of(correction_acts.CorrectCandidate),
    **_of(correction_acts.CorrectOpponent),
    **_of(correction_acts.CorrectBan),
    **_of(result_acts.Rewind),
    **_of(result_acts.Annul),
    **_of(episode_acts.CloseEpisode),
    **_of(match_acts.OpenFinal),
    "final-match": Act(
        lambda s, by, v: scheduling.schedule_final_match(s, by, _settings(v)), _each_game, settles=True
    ),
    **_of(garnet_acts.MoveGarnets),
    **_of(claim_acts.PostRuling),
    **_of(timing_acts.ProposeTimes),
    **_of(timing_acts.AcceptTime),
    **_of(timing_acts.SetTime),
    **_of(timing_acts.CheckIn),
    **_of(timing_acts.DecideAbsence),
    **_of(timing_acts.ExtendDecision),
    "tables": Act(
        lambda s, by, v: tables.set_tables(s, by, _settings(v), v["matches"], v["seating"]),
        _two_tables, settles=True,
    ),
    "draw-tables": Act(
        lambda s, by, v: tables.ask_seating(s, by, _settings(v), v["matches"], v["seated"], v.get("sizes")),
        _a_draw, settles=True,
    ),
    **_of(claim_acts.MakeClaim),
    **_of(claim_acts.WithdrawClaim),
    **_of(claim_acts.AnswerClaim),
    **_of(intake_acts.EnrolList),
    **_of(intake_acts.OpenJoining),
    **_of(intake_acts.RevokeJoining),
    **_of(intake_acts.Apply),
    **_of(intake_acts.WithdrawApplication),
    **_of(intake_acts.Admit),
    **_of(intake_acts.Decline),
    **_of(intake_acts.EnrolLate),
    **_of(intake_acts.Reinstate),
    "rename": Act(lambda s, by, v: naming.rename(s, by, v["player"], v["name"], v["reason"]), _each_changed),
    "change-options": Act(lambda s, by, v: changes.change_options(s, by, v["changes"], v["reason"]), _an_option),
}  # fmt: skip
"""All acts by the name in their address."""

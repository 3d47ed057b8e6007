"""Sentences, in English, on a season's events; `name` returns the name of an account."""

from collections.abc import Callable, Sequence

from games import catalogue
from games.kernel import Event, quantity
from matches.domain.bidi import apart
from matches.seasons.domain import events as season_events
from matches.seasons.domain.features import FEATURES
from matches.seasons.domain.result_rules import ResultRules
from matches.seasons.reads.intake_sentences import intake_sentence
from matches.seasons.reads.timing_sentences import timing_sentence

_UNTOLD = "Something happened that this version can't tell."
Name = Callable[[str], str]


def episode_label(number: int, title: str) -> str:
    """Return an episode's number, with its title if that says more."""
    own = _own_title(number, title)
    return f"Episode {number}: {apart(own)}" if own else f"Episode {number}"


def places_in_words(places: Sequence[season_events.Placed], name: Name) -> list[str]:
    """Return the places in each match of a main match, a sentence each."""
    lines: dict[str, list[str]] = {}
    for it in places:
        points = "" if it.points is None else f" ({it.points} point{'' if it.points == 1 else 's'})"
        lines.setdefault(it.match, []).append(f"{it.place}. {name(it.player)}{points}")
    return [f"{apart(match) if match else 'Places'}: {', '.join(line)}." for match, line in lines.items()]


def rules_in_words(rules: ResultRules) -> str:
    """Return in a sentence who wins and loses a main match, and the garnets for it."""
    winners = {
        "best": "The first place wins" if rules.best == 1 else f"The first {rules.best} places win",
        "points": f"Everybody with at least {rules.points} points wins",
        "team": "The team with the most points by player wins",
    }[rules.winners]
    last = "the last place loses" if rules.worst == 1 else f"the last {rules.worst} places lose"
    losers = f"whoever drops out loses, or if nobody does {last}" if rules.losers == "left" else last
    garnets = [f"garnets by place: {', '.join(map(str, rules.by_place))}"] if rules.by_place else []
    if rules.points_per_garnet:
        points = "point" if rules.points_per_garnet == 1 else f"{rules.points_per_garnet} points"
        garnets.append(f"a garnet for every {points}")
    across = ["places are over all tables, by points"] if rules.across else []
    return f"{'; '.join([f'{winners}, {losers}', *garnets, *across])}."


def _own_title(number: int, title: str) -> str:
    return "" if title.strip().casefold() == f"episode {number}" else title


def sentence(event: Event, name: Name) -> str:
    match event:
        case season_events.SeasonOpened(title=title):
            return f"The season {apart(title)} was opened."
        case season_events.StaffAppointed(account=account, role=role):
            return f"{name(account)} is {role} of the season."
        case season_events.StaffDismissed(account=account, reason=reason):
            return f"{name(account)} has no role in the season any more: {apart(reason)}"
        case season_events.PlayerEnrolled(player=player):
            return f"{name(player)} joined the season."
        case season_events.PlayerWithdrew(player=player, reason=reason):
            return f"{name(player)} withdrew: {apart(reason)}"
        case season_events.PlayerSubstituted(leaver=leaver, newcomer=newcomer, reason=reason):
            return f"{name(newcomer)} took {name(leaver)}'s place: {apart(reason)}"
        case season_events.EpisodeOpened(number=number, title=title):
            own = _own_title(number, title)
            return f"Episode {number} began: {apart(own)}" if own else f"Episode {number} began."
        case season_events.EpisodeClosed(number=number, reason=reason):
            return f"Episode {number} is over: {apart(reason)}"
        case season_events.MainMatchScheduled(game=game, players=players, contest=contest, results=rules):
            title = apart(contest.title) if contest else _title(game)
            result = f" {rules_in_words(rules)}" if rules else ""
            return f"A table of {title} was set for {_list(players, name)}.{result}"
        case season_events.DeathMatchScheduled(game=game, players=players):
            return f"The death match is {_title(game)}: {_list(players, name)}."
        case season_events.FinalMatchScheduled(game=game, players=players):
            return f"A match of the final is {_title(game)}: {_list(players, name)}."
        case season_events.MainMatchFinished(ranking=ranking):
            return f"A table of the main match is over; {_list(ranking[0] if ranking else (), name)} came first."
        case season_events.DeathMatchFinished(winner=winner, loser=loser):
            return f"{name(winner)} won the death match against {name(loser)}."
        case season_events.FinalMatchFinished(winner=winner, loser=loser):
            return f"{name(winner)} won a match of the final against {name(loser)}."
        case _:
            return _of_results(event, name)


def _of_results(event: Event, name: Name) -> str:
    match event:
        case season_events.MatchAnnulled(reason=reason):
            return f"A match doesn't count: {apart(reason)}"
        case season_events.MatchReopened(to_version=version, reason=reason):
            return (
                f"A match is played on from version {version}, and its result falls; what its end has opened "
                f"is known: {apart(reason)}"
            )
        case season_events.ResultApproved(by=by):
            return f"The result counts, approved by {name(by)}." if by else "The result counts."
        case season_events.ResultCorrected(winner=winner, reason=reason):
            return f"A result was corrected; {name(winner)} has won: {apart(reason)}"
        case season_events.MainMatchRecorded(name=title, winners=winners, candidates=losers, places=places):
            won = f"{_list(winners, name)} won the main match ({apart(title)})."
            lost = [f"{_list(losers, name)} lost."] if places else []
            return " ".join([won, *lost, *places_in_words(places, name)])
        case season_events.TokenGranted(player=player, by=by):
            return f"{name(by)} gave {name(player)} a token of life." if by else f"{name(player)} got a token of life."
        case season_events.CandidateNamed(player=player, by=by):
            return f"{name(player)} is the EC{f', named by {name(by)}' if by else ''}."
        case season_events.OpponentNamed(player=player):
            return f"{name(player)} is the DMO."
        case season_events.GameBanned(player=player, game=game):
            return f"{name(player)} struck {_title(game)} from the pool."
        case season_events.GarnetsMoved(source=source, target=target, amount=amount, reason=reason):
            ways = [f"from {name(source)}"] if source else []
            ways += [f"to {name(target)}"] if target else []
            return f"{quantity(amount, 'garnet')} {' '.join(ways)}: {apart(reason)}"
        case season_events.PlayerEliminated(player=player):
            return f"{name(player)} is out."
        case season_events.PlayerReinstated(player=player, reason=reason):
            return f"{name(player)} is back in the season: {apart(reason)}"
        case season_events.RulingPosted(text=text):
            return f"Ruling: {apart(text)}"
        case season_events.FinalOpened(players=players):
            return f"The final: {_list(players, name)}."
        case season_events.SeasonFinished(champion=champion):
            return f"{name(champion)} is the champion."
        case season_events.SeasonReopened(reason=reason):
            return f"The season's end is undone: {apart(reason)}"
        case _:
            return _of_corrections(event, name)


def _of_corrections(event: Event, name: Name) -> str:
    match event:
        case season_events.MainMatchCorrected(episode=number, winners=winners, reason=reason):
            return f"The main match of episode {number} was corrected; {_list(winners, name)} won it: {apart(reason)}"
        case season_events.TokensCorrected(episode=number, tokens=tokens):
            held = [f"{name(it)}{f' ({count})' if count > 1 else ''}" for it, count in tokens.items()]
            return f"The tokens of life of episode {number} belong to {_list(held, str)}."
        case season_events.PairCorrected():
            return _of_pair(event, name)
        case season_events.EliminationReversed(player=player, episode=number, reason=reason):
            return f"{name(player)} is back in the season, as if never out in episode {number}: {apart(reason)}"
        case season_events.EpisodeReopened(number=number, reason=reason):
            return f"Episode {number} goes on: {apart(reason)}"
        case season_events.GarnetsShort(player=player, amount=amount):
            spent = quantity(amount, "garnet is", "garnets are")
            return f"{spent} not there any more to be taken back from {name(player)}."
        case season_events.MatchForfeited(player=player, reason=reason):
            return f"{name(player)} left and so lost the match: {apart(reason)}"
        case _:
            own = next(filter(None, (it.sentence(event, name) for it in FEATURES)), "")
            return timing_sentence(event, name) or intake_sentence(event, name) or own or _UNTOLD


def _of_pair(event: season_events.PairCorrected, name: Name) -> str:
    if event.candidate is None:
        return f"Nobody is the EC of episode {event.episode} any more."
    opponent = f"{name(event.opponent)} the DMO" if event.opponent else "nobody the DMO yet"
    struck = "".join(f"; {name(player)} struck {_title(game)}" for player, game in event.bans)
    return f"In episode {event.episode} {name(event.candidate)} is the EC, {opponent}{struck}."


def _title(game: str) -> str:
    return catalogue[game].title if game in catalogue else game


def _list(players: Sequence[str], name: Name) -> str:
    names = [name(player) for player in players]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1] if names else ""])) or "nobody"

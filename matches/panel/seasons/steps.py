"""The steps of an episode or the final in order: done, due, or waiting with the reason.

The domain decides which step is due; this module words the steps.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from games import catalogue
from games.kernel import quantity
from matches.domain.bidi import apart
from matches.html.moments import local_time
from matches.panel.seasons.room import SeasonRoom
from matches.seasons.domain import deeds
from matches.seasons.domain.acts import refusal_of
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.result_acts import Approve
from matches.seasons.domain.state import Episode, SeasonMatch
from matches.seasons.domain.steps import PendingStep
from matches.seasons.reads.sentences import episode_label

_OF_MAIN_MATCH = ("table", "tables", "draw-tables", "main-match", "enter-results")
_STANDING = {"running": "It is under way", "paused": "It is paused", "over": "It is over"}
LEAD_OF = {
    "enrolment": "enrol", "episode": "open-episode", "table": "main-match", "main_match": "main-match",
    "ranking": "main-match", "token": "token", "candidate": "candidate", "opponent": "opponent", "ban": "death-match",
    "death_match": "death-match", "final": "final", "final_match": "final-match", "duel": "", "result": "approve",
}  # fmt: skip
"""The main act of the due step, by the kind of the pending step. There is none for a duel, which is played at its
table; as bans are optional, the due step is the death match."""


class StepRow(NamedTuple):
    """A step: `text` is its outcome or the decider's sentence, `lead` is the main one of its `acts`."""

    title: str
    state: str
    text: str
    acts: tuple[str, ...] = ()
    match: SeasonMatch | None = None
    lead: str = ""


class CurrentPart(NamedTuple):
    """An episode or the final with its steps."""

    title: str
    steps: list[StepRow]


def current_part(room: SeasonRoom) -> CurrentPart:
    """Return the season's current part with its steps."""
    state = room.state
    if state.final:
        title, steps = f"The final, best of {state.final.best_of}", _final(room)
    elif state.episodes:
        episode = state.episodes[-1]
        title, steps = episode_label(episode.number, episode.title), _episode(room, episode)
    else:
        first = _step(room, "Episode", "open-episode", "An organiser opens the first one.")
        title, steps = "Before the first episode", [_enrolment(room), first]
    return CurrentPart(title, list(_in_turn(room, steps)))


def _in_turn(room: SeasonRoom, steps: list[StepRow]) -> Iterator[StepRow]:
    """Yield the steps with the states of the open ones: `due` for the one that the season waits for, else `later`."""
    due = _lead(room.pending[0]) if room.pending else None
    for step in steps:
        if step.state != "open":
            yield step
        elif step.lead == due:
            yield step._replace(state="due")
            due = None
        else:
            yield step._replace(state="later")


def _lead(step: PendingStep) -> str:
    """Return the main act of a step: of a main match's result, the first that can record it."""
    return step.acts[0] if step.kind == "main_match" else LEAD_OF[step.course_kind]


def _episode(room: SeasonRoom, episode: Episode) -> list[StepRow]:
    state = room.state
    duel = next((it for it in reversed(state.of_episode(episode.number, "death")) if it.status != "annulled"), None)
    steps = [
        StepRow("Episode opened", "done", episode.title),
        _main_match(room, episode),
        _tokens(room, episode),
        _named(room, "Elimination candidate (EC)", episode.candidate, "candidate", episode),
        _named(room, "Death match opponent (DMO)", episode.opponent, "opponent", episode),
    ]
    if state.options.bans_each:
        steps.append(_bans(room, episode, duel))
    steps += _of_match(room, "Death match", duel, "death-match", episode.closed)
    steps.append(_end(room, episode))
    if episode.closed:
        left_out = StepRow("", "left out", "The episode was closed before.")
        steps = [left_out._replace(title=it.title) if it.state == "open" else it for it in steps]
    if state.champion:
        steps.append(_champion(room))
    elif episode.closed:
        due = LEAD_OF[room.pending[0].kind]
        steps.append(_step(room, "The final" if due == "final" else "Next episode", due))
    return steps


def _enrolment(room: SeasonRoom) -> StepRow:
    players = len(room.state.living)
    text = f"Players: {players} of at most {room.state.options.most_players}."
    state = "open" if room.pending[0].kind == "enrolment" else "done"
    return StepRow("Enrolment", state, text, ("enrol",), lead="enrol")


def _main_match(room: SeasonRoom, episode: Episode) -> StepRow:
    if episode.recorded:
        text = f"{_acting(room, episode, 'won', *episode.winners)} won {apart(episode.name)}."
        return StepRow("Main match", "done", text)
    tables = [it for it in room.state.of_episode(episode.number, "main") if it.status != "annulled"]
    playing = sum(it.status == "scheduled" for it in tables)
    if room.pending and _lead(room.pending[0]) == Approve.name and not playing:
        text = "The result is prepared by its rules. Approve it, or record another one."
        return StepRow("Main match", "open", text, (Approve.name, *_OF_MAIN_MATCH), lead=Approve.name)
    text = (
        f"{quantity(len(tables), 'table')}, {playing} still to end."
        if tables
        else "Played at tables, or played elsewhere and entered."
    )
    return _step(room, "Main match", "main-match", text, _OF_MAIN_MATCH)


def _tokens(room: SeasonRoom, episode: Episode) -> StepRow:
    if not episode.recorded or episode.giving:
        text = f"{room.call(episode.giving)} gives the second one away."
        return _step(room, "Tokens of life", "token", text)
    held = [
        _acting(room, episode, "token", it) + (f" ({count})" if count > 1 else "")
        for it, count in episode.tokens.items()
        if count
    ]
    return StepRow("Tokens of life", "done", f"{', '.join(held)}." if held else "Nobody holds one.")


def _named(room: SeasonRoom, title: str, who: str | None, act: str, episode: Episode) -> StepRow:
    if who:
        part: deeds.EpisodeRole = "candidate" if act == "candidate" else "opponent"
        return StepRow(title, "done", f"{_acting(room, episode, part, who)}.")
    text = "A winner of the main match chooses." if act == "candidate" else f"{room.call(episode.candidate)} chooses."
    return _step(room, title, act, text)


def _bans(room: SeasonRoom, episode: Episode, duel: SeasonMatch | None) -> StepRow:
    by = {player: _acting(room, episode, "ban", player) for player, _ in episode.bans}
    struck = [f"{by[player]} struck {catalogue[game].title}" for player, game in episode.bans]
    open_to = [player for it in room.pending if it.kind == "ban" for player in it.awaited_of]
    if open_to:
        struck.append(f"{room.call(*open_to)} may still strike a game")
    text = f"{'; '.join(struck)}." if struck else "EC and DMO may strike games before the death match is set."
    return StepRow("Games struck", "done" if duel or (episode.bans and not open_to) else "optional", text)


def _of_match(room: SeasonRoom, title: str, match: SeasonMatch | None, act: str, closed: bool = False) -> list[StepRow]:
    """Return the steps of a match: set, played, approved."""
    if match is None and closed:
        return [StepRow(title, "left out", "None was played.")]
    if match is None:
        return [
            _step(room, f"{title} set", act),
            StepRow(f"{title} played", "open", "It must be set first."),
            StepRow("Result approved", "open", "There is no result yet."),
        ]
    text = f"{catalogue[match.game].title}: {room.call(match.players[0])} against {room.call(match.players[1])}."
    steps = [StepRow(f"{title} set", "done", text)]
    if match.winner is None:
        is_over = room.at_table(match.id) == "over"
        text = (
            f"{_standing(room, match)}; the season gets {'the result when spectators do' if is_over else 'its result'}."
        )
        steps.append(StepRow(f"{title} played", "open", text, () if is_over else ("annul",), match))
        too_early = refusal_of(room.state, Caller(room.by.account, "organiser"), Approve(match.id))
        steps.append(StepRow("Result approved", "open", too_early))
        return steps
    steps.append(
        StepRow(f"{title} played", "done", f"{room.call(match.who_played(match.winner))} has won.", match=match)
    )
    if match.status == "finished":
        acts: tuple[str, ...] = ("approve", "correct", "rewind", "annul")
        text = "An organiser approves it."
        steps.append(StepRow("Result approved", "open", text, acts, lead="approve"))
    else:
        acts = tuple(it for it in ("correct", "annul") if room.due[it].is_available)
        steps.append(StepRow("Result approved", "done", "It counts.", acts))
    return steps


def _acting(room: SeasonRoom, episode: Episode, part: deeds.EpisodeRole, *players: str) -> str:
    """Return the actors of a part of the episode, with the names of their substitutes since."""
    names = []
    for player in players:
        acted = episode.who_acted(part, player)
        names.append(room.call(acted) if acted == player else f"{room.call(acted)} (since then {room.call(player)})")
    return " and ".join(names) or "nobody"


def _standing(room: SeasonRoom, match: SeasonMatch) -> str:
    """Return the state of the match in words, before its start the way in which it starts."""
    if state := room.at_table(match.id):
        return _STANDING[state]
    if match.opens_at is None:
        return "Its host starts it"
    return f"It opens by itself on {local_time(datetime.fromisoformat(match.opens_at), room.account.time_zone)}"


def _end(room: SeasonRoom, episode: Episode) -> StepRow:
    if episode.closed:
        out = f"{room.call(episode.eliminated)} is out." if episode.eliminated else "Nobody was eliminated."
        return StepRow("Elimination, garnets, close", "done", out)
    text = "They follow from the result; an organiser may also close the episode without a result."
    return StepRow("Elimination, garnets, close", "open", text, ("close-episode",))


def _final(room: SeasonRoom) -> list[StepRow]:
    final = room.state.final
    steps = [StepRow("Final opened", "done", f"{room.call(*final.players)}." if final else "")]
    played = [it for it in room.state.of_episode(0, "final") if it.status != "annulled"]
    for number, match in enumerate(played, start=1):
        steps += _of_match(room, f"Match {number}", match, "final-match")
    if any(it.kind == "final_match" for it in room.pending):
        steps += _of_match(room, f"Match {len(played) + 1}", None, "final-match")
    return [*steps, _champion(room)]


def _champion(room: SeasonRoom) -> StepRow:
    champion = room.state.champion
    if champion:
        return StepRow("Champion", "done", f"{room.call(champion)}.")
    return StepRow("Champion", "open", "The player who wins more than half of the matches.")


def _step(room: SeasonRoom, title: str, act: str, text: str = "", acts: tuple[str, ...] = ()) -> StepRow:
    """Return an open step, with the decider's refusal if its act isn't possible yet."""
    offered = room.due[act]
    return StepRow(title, "open", text if offered.is_available else offered.refusal, acts or (act,), lead=act)

"""The scene of a decision: who can be chosen, who can't and why, until when, and its outcome."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec import Struct

from events import store
from games import catalogue
from matches.domain.bidi import apart
from matches.reads.documents.match import PlayerDocument
from matches.seasons.domain.acts import Offer, offer, refusal_of
from matches.seasons.domain.episode_acts import CHOSEN, decision
from matches.seasons.domain.scheduling import games_left
from matches.seasons.domain.state import Episode, Season, SeasonMatch
from matches.seasons.domain.steps import PendingStep, choices_for, pending_decision
from matches.seasons.reads import feed
from matches.seasons.reads.event_documents import calling, players_of
from matches.seasons.reads.headline import headline
from matches.web.seasons.decisions import WORDS
from matches.web.seasons.desk import Desk

Stage = Literal["open", "late", "none", "made"]
_DEFAULTS = {
    "organiser": gettext_lazy("Then an organiser decides."),
    "random": gettext_lazy("Then chance decides for you."),
    "longest": gettext_lazy("Then the longest-serving player is chosen."),
    "none": gettext_lazy("Then no more games are struck."),
}
_FIRST = {
    "dmo": gettext_lazy("{it} gets the first choices of the match."),
    "ec": gettext_lazy("You get the first choices of the match."),
    "garnets": gettext_lazy("The richer of you then gets the first choices of the match, {it} if you are equal."),
}
"""The words for who has the first choices of the match, by the season's option."""
_MOST_DRAWN = 6
_HOLDS = gettext_lazy("Holds a token of life")


class Face(Struct, frozen=True):
    """A player on the scene. `duels`, the shorter `record` and `last` describe the duels that they played, `why` is the
    reason why they can't be chosen."""

    player: PlayerDocument
    garnets: int
    holds: bool
    duels: str
    record: str
    last: str
    wins: int
    why: str = ""

    @property
    def value(self) -> str:
        return str(self.player.id)

    @property
    def called(self) -> str:
        return self.player.username

    @property
    def gems(self) -> range:
        """Return one item for each garnet, if they are few enough to be drawn."""
        return range(self.garnets if self.garnets <= _MOST_DRAWN else 0)


class GameFace(Struct, frozen=True):
    """A game on the scene; `why` is the reason why it can't be chosen."""

    value: str
    called: str
    why: str = ""


class Scene(Struct, frozen=True):
    """The content of a scene. `stage` is `open`, `late` after the deadline, `none` if nobody is left to choose, and
    `made` after the decision."""

    act: str
    stage: Stage
    episode: str
    title: str
    lead: str
    me: Face
    choices: list[Any]
    others: list[Any]
    chosen: Any
    press: str
    unchosen: str
    until: datetime | None
    told_at: datetime
    default: str
    games: list[GameFace]
    bans_each: int
    first: str
    then: str

    @property
    def field(self) -> str:
        """Return the name of the form's field that holds the choice."""
        return CHOSEN[self.act]

    @property
    def seconds(self) -> int:
        """Return the seconds until the deadline; 0 without one."""
        return max(0, int((self.until - self.told_at).total_seconds())) if self.until else 0

    @property
    def size(self) -> str:
        count = len(self.choices) + len(self.others)
        return "few" if count <= 6 else "some" if count <= 14 else "many"


def scene_of(desk: Desk, act: str, chosen: str = "") -> Scene | None:
    """Return the scene of a decision; None if it isn't this player's now, and wasn't in this episode.

    `chosen` is the choice so far; without one a single choice is preselected.
    """
    state, episode = desk.state, desk.state.episode
    if episode is None:
        return None
    decision = pending_decision(state)
    step = decision if decision and decision.kind == act and desk.player in decision.players else None
    offered = offer(state, desk.by, act)
    values = offered.values(CHOSEN[act])
    stage = _stage(step, offered)
    made = _made(episode, desk.player, act) if stage == "made" else []
    if stage == "made" and not made:
        return None
    return _Drawing(desk, episode, act, step).scene(stage, values, made, chosen)


def _stage(step: PendingStep | None, offered: Offer) -> Stage:
    if step and step.until and (step.is_late or store.clock() > step.until):
        return "late"
    if offered.is_available:
        return "open"
    return "none" if offered.code == "nobody_left" else "made"


class _Drawing:
    """The parts of a scene, with names and portraits loaded once."""

    def __init__(self, desk: Desk, episode: Episode, act: str, step: PendingStep | None) -> None:
        self._desk, self._state, self._episode, self._act, self._step = desk, desk.state, episode, act, step
        self._people = players_of(desk.state.players)
        self._last = _last_duels(desk.state)

    def scene(self, stage: Stage, values: Sequence[str], decided: Sequence[str], chosen: str) -> Scene:
        draw = self._game if self._act == "ban" else self._face
        listed = list(decided) if stage == "made" else self._listed(values) if stage == "late" else list(values)
        choices = self._by_garnets([draw(it) for it in listed])
        picked = next((it for it in choices if it.value == chosen), None)
        if picked is None and not chosen and len(choices) == 1:
            picked = choices[0]
        names = {account: it.username for account, it in self._people.items()}
        me = self._face(self._desk.player)
        words, outcome = WORDS[self._act], ", ".join(apart(it.called) for it in choices)
        made = str(words.made) % {"name": outcome, "games": outcome}
        named = {"name": apart(me.called), "match": apart(self._episode.name) or _("the main match")}
        return Scene(
            act=self._act,
            stage=stage,
            episode=_("%(season)s, episode %(number)s")
            % {"season": apart(self._state.title), "number": self._episode.number},
            title=made if stage == "made" else str(words.title).format(**named),
            lead="" if stage == "made" else str(words.lead).format(**named),
            me=me,
            choices=choices,
            others=self._others(listed) if stage == "open" else [],
            chosen=picked if stage == "open" else None,
            press=str(words.press).format(it=apart(picked.called)) if picked else "",
            unchosen=str(words.unchosen),
            until=self._step.until if self._step else None,
            told_at=store.clock(),
            default=str(_DEFAULTS[self._step.default]) if self._step and self._step.default else "",
            games=[self._game(it) for it in games_left(self._state, self._episode)],
            bans_each=self._state.options.bans_each,
            first=_FIRST[self._state.options.priority].format(it=apart(picked.called)) if picked else "",
            then=headline(self._state, calling(names)),
        )

    def _listed(self, values: Sequence[str]) -> list[str]:
        """Return the choices that there would have been before the deadline."""
        if self._act == "ban":
            return games_left(self._state, self._episode)
        return list(values) or choices_for(self._state, self._act)

    def _others(self, listed: Sequence[str]) -> list[Any]:
        """Return the other players or games, each with the reason why it can't be chosen, without the player
        themselves."""
        if self._act == "ban":
            struck = {game: self._people[who].username for who, game in self._episode.bans if who in self._people}
            return [
                self._game(
                    it, _("Struck by %(name)s") % {"name": apart(struck[it])} if it in struck else _("Can't be struck")
                )
                for it in self._state.options.pool
                if it not in listed
            ]
        players = [it for it in self._state.living if it not in listed and it != self._desk.player]
        return self._by_garnets([self._face(it, self._why(it)) for it in players])

    def _why(self, player: str) -> str:
        if self._episode.tokens.get(player):
            return str(_HOLDS)
        return refusal_of(self._state, self._desk.by, decision(self._act, player))

    def _game(self, slug: str, why: str = "") -> GameFace:
        return GameFace(slug, catalogue[slug].title, why)

    def _face(self, account: str, why: str = "") -> Face:
        player = self._state.players[account]
        holds = bool(self._episode.tokens.get(account))
        won, lost = player.duels_won, player.duels_lost
        return Face(
            player=feed.person(account, self._people),
            garnets=player.garnets,
            holds=holds,
            duels=_("%(won)s won, %(lost)s lost") % {"won": won, "lost": lost} if won or lost else _("Never in a duel"),
            record=_("%(won)s won, %(lost)s lost") % {"won": won, "lost": lost} if won or lost else _("none"),
            last=self._token_origin(account) if holds else self._last_duel(account),
            wins=player.main_wins,
            why=why,
        )

    def _token_origin(self, account: str) -> str:
        """Return the origin of a player's token of life in words; empty if they don't hold the given or a won one."""
        given = self._episode.given
        if given and given[1] == account and account not in self._episode.winners:
            return _("from %(name)s") % {"name": self._called(given[0])}
        if account not in self._episode.winners:
            return ""
        name = apart(self._episode.name)
        return _("won %(match)s") % {"match": name} if name else _("won the main match")

    def _last_duel(self, account: str) -> str:
        duel = self._last.get(account)
        if duel is None:
            wins = self._state.players[account].main_wins
            text = ngettext("Won %(wins)s main match", "Won %(wins)s main matches", wins)
            return text % {"wins": wins} if wins else ""
        rival = self._called(next(it for it in duel.players if it != account))
        text = _("Beat %(name)s at %(game)s") if duel.winner == account else _("Lost to %(name)s at %(game)s")
        return text % {"name": rival, "game": catalogue[duel.game].title}

    def _called(self, account: str) -> str:
        return apart(feed.person(account, self._people).username)

    def _by_garnets(self, faces: list[Any]) -> list[Any]:
        """Sort players as the standings do, the richest first; leave games in the order of the pool."""
        return faces if self._act == "ban" else sorted(faces, key=lambda it: (not it.holds, -it.garnets))


def _made(episode: Episode, player: str, act: str) -> list[str]:
    """Return the outcome of a decision that this player made in the episode; empty if they made none."""
    duellists = (episode.candidate, episode.opponent)
    match act:
        case "token":
            return [episode.given[1]] if episode.given and episode.given[0] == player else []
        case "candidate":
            return [episode.candidate] if episode.candidate and player in episode.winners else []
        case "opponent":
            return [episode.opponent] if episode.opponent and player == episode.candidate else []
        case _:
            return [game for _who, game in episode.bans] if player in duellists else []


def _last_duels(state: Season) -> dict[str, SeasonMatch]:
    duels = [it for it in state.matches.values() if it.kind != "main" and it.status == "effective" and it.winner]
    return {player: duel for duel in duels for player in duel.players}

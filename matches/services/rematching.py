"""Rematches: a friendly played again by its players, with the same options, clocks, aids and seats."""

from contextlib import suppress
from uuid import UUID, uuid5

from events.records import StreamConflict
from games.kernel import Illegal
from matches.domain import openings
from matches.domain.events import BOT
from matches.domain.lifecycle import Lifecycle
from matches.models import Account, Match
from matches.services.accepting import accept
from matches.services.opening import SeatRequest, open_match
from matches.services.playing import NotAllowed
from matches.storage import repository


def offer_rematch(*, match_id: UUID, player: UUID) -> UUID:
    """Offer a rematch of a finished friendly to the other players, or accept their offer; return the rematch's id. It
    starts once every person has accepted. Repeating it changes nothing.

    The seat that came last has the priority; after a draw, the seat after the one that had it. The result needs no
    host's approval, because its opener plays.

    Raises NotAllowed without a seat, not_finished, no_rematch_in_season, rematch_off if it was cancelled, player_gone,
    too_many_matches.
    """
    before = repository.load(match_id).lifecycle
    _refuse(before, player)
    rematch_id = uuid5(match_id, "rematch")
    if not Match.objects.filter(rematch_of=match_id).exists():
        # Another seat may have opened it meanwhile.
        with suppress(StreamConflict):
            _open(match_id, rematch_id, before, player)
    lifecycle = repository.load(rematch_id).lifecycle
    if lifecycle.voided:
        raise Illegal("rematch_off", "The rematch was called off. Open a new match instead.")
    if not lifecycle.over:
        accept(match_id=rematch_id, player=player)
    return rematch_id


def _refuse(before: Lifecycle, player: UUID) -> None:
    if before.seat_of(str(player)) is None:
        raise NotAllowed("You hold no seat at this match.")
    if before.opened.season is not None:
        raise Illegal("no_rematch_in_season", "A season says itself who plays whom, and when.")
    if before.status != "finished":
        raise Illegal("not_finished", "A match is played again once it has come to its end.")
    if openings.has_sealed_parts(before.opened):
        raise Illegal("bad_options", "This match had sealed parts, which everybody knows by now. Open a new match.")


def _open(match_id: UUID, rematch_id: UUID, before: Lifecycle, player: UUID) -> None:
    people = [UUID(seated) for seated in before.players if seated not in (None, BOT)]
    if Account.objects.filter(id__in=people, is_active=True).count() < len(people):
        raise Illegal("player_gone", "An account that played here is switched off or erased.")
    roles = dict(Match.objects.get(id=match_id).seats.values_list("number", "role"))
    opened = before.opened
    open_match(
        opener=player,
        game=opened.game,
        options=opened.options,
        seats=[
            SeatRequest(BOT if seated == BOT else UUID(seated), roles.get(number, ""))
            for number, seated in enumerate(before.players)
        ],
        priority=_next_priority(before),
        clocks=opened.clocks,
        spectator_delay=opened.spectator_delay,
        aids=opened.aids,
        match_id=rematch_id,
        rematch_of=match_id,
    )


def _next_priority(before: Lifecycle) -> int:
    ranking = before.outcome.ranking if before.outcome else ()
    return ranking[-1][0] if len(ranking) > 1 else (before.opened.priority + 1) % before.opened.seats

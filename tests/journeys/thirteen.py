"""A season of thirteen as a script: each act of its organisers, hosts and players, in eleven episodes and a final.

Whoever adds an act to seasons adds a step to the episode where it fits, as `tests.panel.season_script` writes it.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from matches.domain.clocks import instant
from tests.panel import season_script as script
from tests.panel.season_script import REASON, Actor, HostStep, Person, Step, deciding, starting

OPTIONS = {"bans_each": 1}
"""Options of the season."""
_TABLE = {"game": "pentagram", "options": {"end": "target", "target": 20}, "clocks": None}
_TABLE_TYPED = {
    "game": "pentagram", "pentagram-option-end": "target", "pentagram-option-target": "20", "clocks": "none"
}  # fmt: skip
_STARTED = 7
"""The version at which a match has begun that was moved twice before."""


class Everybody(Actor, Protocol):
    """An actor of the whole script; acts that aren't a step of the season's record have a method each."""

    def refused(self, step: Step, faults: list[str]) -> None:
        """Try it, with nothing done: each of these faults is named."""

    def joins(self, person: Person, link: int) -> None:
        """Ask to play by the link of this number."""

    def sees_in_calendars(self, person: Person, opens_at: str) -> None:
        """The season's calendar and the player's own have a match at this instant."""

    def disputes(self, person: Person, text: str, answer: str) -> None:
        """The player appeals in the newest match, a host answers, and the dispute is on its page, to be printed."""

    def until(self, kind: str) -> None:
        """Once an event of this type is the newest of the season's record."""


class Cast:
    """Thirteen players by their letters, one who isn't let in, one who comes as a substitute, and a host."""

    def __init__(self, people: list[Person]) -> None:
        self.people = people[:13]
        self.declined, self.newcomer, self.host = people[13:]
        self.by_letter = dict(zip("abcdefghijklm", self.people, strict=True))
        self.out: list[Person] = []

    def __getattr__(self, letter: str) -> Person:
        return self.by_letter[letter]

    @property
    def living(self) -> list[Person]:
        """Return the people who are still in the season."""
        return [it for it in self.people if it not in self.out]


def play(actor: Everybody, cast: Cast) -> None:
    """From the pasted list to the champion."""
    for part in (_intake, _first, _second, _third, _fourth, _fifth, _sixth):
        part(actor, cast)
    number = 6
    while len(cast.living) > 2:
        number += 1
        _plain(actor, cast, number)
    script.final(actor)


def _intake(actor: Everybody, cast: Cast) -> None:
    """Nine by a pasted list, one by the invitation in it, one by a link with approval, one by hand."""
    names = [it.name for it in cast.people[:9]]
    wrong = "\n".join([*names[:3], "nobody.at.all", *names[3:], names[0].upper(), "Amara, amara@example"])
    faults = ["Line 4: ", "Line 11: ", "Line 12: "]
    right = "\n".join([*names, "Amara, amara@example.org"])
    listed = ["player_enrolled", "garnets_moved"] * 9
    actor.refused(Step("enrol-list", {"text": wrong}, "/players/list", {"text": wrong}, []), faults)
    actor.act(Step("enrol-list", {"text": right}, "/players/list", {"text": right}, [*listed, "joining_opened"]))
    actor.joins(cast.j, 1)
    actor.act(Step("open-joining", {"most": "5"}, "/joining-links", {"most": 5}, ["joining_opened"]))
    actor.joins(cast.k, 2)
    actor.joins(cast.declined, 2)
    admitted = f"/applications/{cast.k.id}/admit"
    actor.act(Step("admit", {"player": cast.k.id}, admitted, None, ["player_enrolled", "garnets_moved"]))
    why = _why()
    detail = {"player": cast.declined.id, **why}
    actor.act(Step("decline", detail, f"/applications/{cast.declined.id}/decline", why, ["application_declined"]))
    actor.act(Step("revoke-joining", {"link": "2", **why}, "/joining-links/2/revoke", why, ["joining_revoked"]))
    script.enrolment(actor, [cast.l])
    staff = {"account": cast.host.name, "role": "host"}
    actor.act(Step("appoint", staff, "/staff", {"account": cast.host.id, "role": "host"}, ["staff_appointed"]))


def _first(actor: Everybody, cast: Cast) -> None:
    """Somebody comes late; tables are drawn; a correction makes a result wrong, until episode 4."""
    _open(actor, 1)
    late = {"amount": 3, **_why()}
    _act(actor, "enrol-late", "/players/late", {"player": cast.m.id, **late}, ["player_joined_late", "garnets_moved"],
         player=cast.m.name, amount="3")  # fmt: skip
    seated = [cast.a, cast.b, cast.c]
    board = {f"seat-{it.id}": str(number) for number, it in enumerate(seated, start=1)}
    body = {**_TABLE, "tables": [[it.id] for it in seated], "draw": True}
    drawn = ("seating_drawn", *["main_match_scheduled"] * 3)
    fields = {**_TABLE_TYPED, "count": "3", **board}
    actor.act(Step("draw-tables", fields, "/main-matches/seatings", body, ["seating_asked"], drawn))
    _tables_end(actor, 3)
    _record(actor, seated, [cast.l, cast.m], {cast.a: 2}, tokens=3)
    _named(actor, "candidate", cast.m)
    _named(actor, "opponent", cast.l)
    _set_duel(actor)
    winner_id = actor.match(decided=False)
    winner, loser = sorted((cast.l, cast.m), key=lambda it: it.id != winner_id)
    detail = {"winner": loser.id, **_why()}
    _act(actor, "correct", "/matches/{match}/correct", detail, ["result_corrected"], result=f"{{match}} {loser.id}")
    _approve(actor, cast, winner)


def _second(actor: Everybody, cast: Cast) -> None:
    """Tables from the board, a claim, a game struck, an appointment, an early start, a match rewound after its end."""
    _open(actor, 2)
    tables = cast.people[:5], cast.people[5:10]
    board = {f"seat-{it.id}": str(number) for number, table in enumerate(tables, start=1) for it in table}
    body = {**_TABLE, "tables": [[it.id for it in table] for table in tables]}
    set_up = ["main_match_scheduled"] * 2
    actor.act(Step("tables", {**_TABLE_TYPED, **board}, "/main-matches/seatings", body, set_up))
    _tables_end(actor, 2)
    _record(actor, [cast.a, cast.f], [], {cast.a: 1, cast.f: 1}, by_tables=True)
    _claims(actor, cast)
    _named(actor, "candidate", cast.c)
    _named(actor, "opponent", cast.d, by=cast.c)
    _strikes(actor, cast.c, "peeling_the_banana")
    _set_duel(actor)
    _appointment(actor, cast.c, cast.d)
    # It is early by days: its host starts it all the same.
    _duel_ends(actor, 0)
    back, detail = {"to_version": _STARTED, **_why()}, {"match": "{match}", "to_version": str(_STARTED)}
    _act(actor, "rewind", "/matches/{match}/rewind", back, ["match_reopened"], **detail)
    actor.host(HostStep("resume", _why(), "resume", _why()))
    _duel_ends(actor, 1, starts=False)
    _approve(actor, cast, cast.c)


def _third(actor: Everybody, cast: Cast) -> None:
    """Reminded twice, nobody decides in time, and the season's default does. One doesn't come, and loses."""
    changed = {"check_in_minutes": 60, "least_notice_minutes": 1, "opponent_minutes": 2, "remind_percent": 10,
               "remind_minutes": 1, "decision_default": "longest"}  # fmt: skip
    _options(actor, changed)
    _open(actor, 3)
    _record(actor, [cast.g], [cast.e, cast.i], {})
    _named(actor, "token", cast.h, by=cast.g)
    _named(actor, "candidate", cast.e, "decision_awaited", by=cast.g)
    actor.until("decision_reminded")
    until = _in(seconds=80)
    longer = {"until": until, **_why()}
    _act(actor, "extend-decision", "/decision/extend", longer, ["decision_extended"], until=_typed(until))
    actor.until("decision_reminded")
    actor.until("opponent_named")
    _strikes(actor, cast.e, "higher_or_lower")
    really = {"player": cast.e.id, "game": "higher_or_lower", "instead": "reality_benders", **_why()}
    ban = f"3 {cast.e.id} higher_or_lower reality_benders"
    actor.act(Step("correct-ban", {"ban": ban, **_why()}, "/episodes/3/ban/correct", really, ["pair_corrected"]))
    _set_duel(actor, opens_at=_in(seconds=70))
    # Who has served longest is the first who enrolled, of those without a token.
    there = {"player": cast.a.id}
    actor.act(Step("check-in", {}, "/matches/{match}/check-in", there, ["player_checked_in"], by=cast.a))
    actor.until("check_in_closed")
    lost = {"ruling": "loss", **_why()}
    follows = ["absence_decided", "death_match_finished"]
    _act(actor, "absence", "/matches/{match}/absence", lost, follows, match="{match}", ruling="loss")
    _approve(actor, cast, cast.e)
    _options(actor, {"check_in_minutes": 0, "opponent_minutes": 0})


def _fourth(actor: Everybody, cast: Cast) -> None:
    """The result of episode 1 was right as it was played; and who leaves in the middle of a death match has lost it."""
    _open(actor, 4)
    (back,) = [it for it in (cast.l, cast.m) if it in cast.out]
    (leaver,) = [it for it in (cast.l, cast.m) if it not in cast.out]
    detail = {"winner": back.id, **_why()}
    follows = ["player_reinstated", "garnets_moved", "garnets_moved", "result_corrected", "garnets_moved",
               "garnets_moved", "player_eliminated"]  # fmt: skip
    _act(actor, "correct", "/matches/{matches[3]}/correct", detail, follows, result=f"{{matches[3]}} {back.id}")
    cast.out = [*(it for it in cast.out if it != back), leaver]
    _record(actor, [cast.j], [cast.h, cast.k], {cast.j: 1})
    _named(actor, "token", cast.k, "candidate_named")
    _named(actor, "opponent", cast.i)
    _set_duel(actor)
    actor.host(starting())
    why = {"reason": "A sudden journey."}
    left = ["match_forfeited", "death_match_finished", "result_approved", "garnets_moved", "garnets_moved",
            "player_eliminated", "episode_closed"]  # fmt: skip
    actor.act(Step("withdraw", {**why, "sure": True}, f"/players/{cast.h.id}/withdraw", why, left, by=cast.h))
    cast.out.append(cast.h)


def _fifth(actor: Everybody, cast: Cast) -> None:
    """The main match of episode 2 and the tokens of episode 3 were wrong; so is the DMO, who then is substituted."""
    _open(actor, 5)
    (dmo,) = [it for it in (cast.l, cast.m) if it not in cast.out]
    right = {"winners": [cast.b.id, cast.f.id], **_why()}
    follows = ["main_match_corrected", "garnets_moved", "garnets_moved", "tokens_corrected"]
    detail = {**right, "episode": "2"}
    actor.act(Step("correct-main-match", detail, "/episodes/2/main-match/correct", right, follows))
    _corrected(actor, "token", 3, cast.i, ["tokens_corrected"])
    _record(actor, [cast.b], [cast.j, cast.k], {})
    _named(actor, "token", cast.g)
    _named(actor, "candidate", cast.j)
    _named(actor, "opponent", cast.k, by=cast.j)
    _strikes(actor, cast.j, "pentagram")
    _strikes(actor, cast.k, "reality_benders")
    _corrected(actor, "opponent", 5, dmo, ["pair_corrected"])
    _set_duel(actor)
    actor.host(starting())
    actor.disputes(dmo, "My connection was away.", "No clock runs here.")
    comes = {"newcomer": cast.newcomer.id, **_why()}
    detail = {"leaver": dmo.id, "newcomer": cast.newcomer.name, **_why()}
    follows = ["player_substituted", "garnets_moved"]
    actor.act(Step("substitute", detail, f"/players/{dmo.id}/substitute", comes, follows))
    cast.people[cast.people.index(dmo)] = cast.newcomer
    _duel_ends(actor, 1, starts=False)
    _approve(actor, cast, cast.j)


def _sixth(actor: Everybody, cast: Cast) -> None:
    """A player withdraws and is taken back; garnets are given and fined; a match is annulled and another one set."""
    who, why = cast.d, _why()
    leaving = f"/players/{who.id}/withdraw"
    actor.act(Step("withdraw", {"player": who.id, **why}, leaving, why, ["player_withdrew", "garnets_moved"]))
    _open(actor, 6)
    back = {"amount": 1, **why}
    detail = {"player": who.id, "amount": "1", **why}
    returned = ["player_returned", "garnets_moved"]
    actor.act(Step("reinstate", detail, f"/players/{who.id}/reinstate", back, returned))
    gift = {"from": cast.a.id, "to": cast.b.id, "amount": 1, **why}
    donation = {"target": cast.b.id, "amount": "1", **why}
    actor.act(Step("garnets", donation, "/garnets", gift, ["garnets_moved"], by=cast.a))
    text = {"text": "A gift is no bribe."}
    actor.act(Step("rule", text, "/rulings", text, ["ruling_posted"]))
    _entered_as_a_table(actor, cast)
    _named(actor, "token", cast.b)
    _named(actor, "candidate", cast.i)
    called = {"name": "The old fox", **why}
    detail = {"player": cast.k.id, **called}
    actor.act(Step("rename", detail, f"/players/{cast.k.id}/name", called, ["player_renamed"]))
    _named(actor, "opponent", cast.k)
    _set_duel(actor)
    actor.act(Step("annul", {"match": "{match}", **why}, "/matches/{match}/annul", why, ["match_annulled"]))
    _set_duel(actor)
    _duel_ends(actor, 0)
    _approve(actor, cast, cast.k)


def _entered_as_a_table(actor: Everybody, cast: Cast) -> None:
    """A line for everybody, pasted: the first has won, two share the last place. With a fault, nothing is done."""
    places = {it.name: 2 for it in cast.living}
    places |= {cast.a.name: 1, cast.i.name: len(places) - 1, cast.k.name: len(places) - 1}
    lines = [f"{name}\t{place}\t{'1' if place == 1 else ''}" for name, place in places.items()]
    wrong, right = ("\n".join(["player\tplace\tgarnets", *it]) for it in ([*lines, "nobody.at.all\t3\t"], lines))
    brings = ["main_match_recorded", "token_granted", "token_granted", "garnets_moved"]
    faulty, good = ({"name": "The auction", "text": it} for it in (wrong, right))
    path = "/main-matches/results"
    actor.refused(Step("enter-results", faulty, path, faulty, []), [f"Line {len(lines) + 2}, player:"])
    actor.act(Step("enter-results", good, path, good, brings))


def _plain(actor: Everybody, cast: Cast, number: int) -> None:
    """An episode in which nothing happens: the last one is the EC, and the last but one is out."""
    _open(actor, number)
    *winners, dmo, ec = cast.living
    # With three left nobody can be spared by a second one.
    _record(actor, winners[:2], [dmo, ec], {}, tokens=min(2, len(winners)))
    _named(actor, "candidate", ec)
    _named(actor, "opponent", dmo)
    _set_duel(actor)
    _duel_ends(actor, 0)
    _approve(actor, cast, dmo)


def _claims(actor: Everybody, cast: Cast) -> None:
    """A player claims that a result is wrong, another one that somebody misbehaved; both are answered."""
    claims = (
        (cast.b, "wrong_result", "{matches[4]}", "I have placed more cards.", "upheld"),
        (cast.d, "conduct", None, "He whistled.", "rejected"),
    )
    for number, (player, kind, match, text, decision) in enumerate(claims, start=1):
        claimed = {"kind": kind, "text": text, "match": match}
        fields = claimed | {"match": match or ""}
        actor.act(Step("claim", fields, "/claims", claimed, ["claim_made"], by=player))
        answer = {"decision": decision, **_why()}
        fields = {"number": str(number), **answer}
        actor.act(Step("answer-claim", fields, f"/claims/{number}/answer", answer, ["claim_answered"]))


def _appointment(actor: Everybody, ec: Person, dmo: Person) -> None:
    """One offers times, the other takes one, and the organiser moves it all the same."""
    times = [_in(days=2), _in(days=3)]
    offered = {"first": _typed(times[0]), "second": _typed(times[1])}
    path = "/matches/{match}/times"
    actor.act(Step("propose-times", offered, path, {"times": times}, ["times_proposed"], by=ec))
    chosen = {"opens_at": times[1]}
    actor.act(Step("accept-time", chosen, f"{path}/accept", chosen, ["time_accepted", "match_time_set"], by=dmo))
    actor.sees_in_calendars(dmo, times[1])
    moved = {"opens_at": _in(days=5), **_why()}
    typed = _typed(moved["opens_at"])
    _act(actor, "set-time", "/matches/{match}/time", moved, ["match_time_set"], match="{match}", opens_at=typed)
    actor.sees_in_calendars(ec, moved["opens_at"])


def _act(actor: Actor, name: str, path: str, body: dict[str, Any], brings: list[str], **fields: str) -> None:
    """A step whose dialog has the body's reason, and these fields."""
    actor.act(Step(name, {**fields, "reason": body["reason"]}, path, body, brings))


def _open(actor: Actor, number: int) -> None:
    title = {"title": f"Night {number}"}
    actor.act(Step("open-episode", title, "/episodes", title, ["episode_opened"]))


def _options(actor: Actor, changed: dict[str, Any]) -> None:
    body = {"options": changed, **_why()}
    fields = {**{name: str(it) for name, it in changed.items()}, **_why()}
    actor.act(Step("change-options", fields, "/options", body, ["options_changed"]))


def _record(
    actor: Actor,
    winners: list[Person],
    losers: list[Person],
    rewards: dict[Person, int],
    *,
    by_tables: bool = False,
    tokens: int = 2,
) -> None:
    """The main match's result, typed in or as its tables ended. Each of two winners has a token of life, a sole one
    both."""
    name, brings = {"name": "The auction"}, ["main_match_recorded", *["token_granted"] * tokens]
    detail = {"winners": [it.id for it in winners], "candidates": [it.id for it in losers]}
    result = name if by_tables else {**name, **detail}
    fields = {**result, "rewards": "\n".join(f"{it.name} {amount}" for it, amount in rewards.items())}
    body = {**result, "rewards": {it.id: amount for it, amount in rewards.items()}}
    actor.act(Step("main-match", fields, "/main-matches", body, [*brings, *["garnets_moved"] * len(rewards)]))


def _named(actor: Actor, role: str, who: Person, *follows: str, by: Person | None = None) -> None:
    """A second token, an EC or a DMO, by the organiser or at the desk of whose decision it is."""
    detail = {"player": who.id}
    brings = ["token_granted" if role == "token" else f"{role}_named", *follows]
    actor.act(Step(role, detail, f"/{role}s", detail, brings, by=by))


def _corrected(actor: Actor, role: str, number: int, who: Person, brings: list[str]) -> None:
    path, fields = f"/episodes/{number}/{role}/correct", {"result": f"{number} {who.id}", **_why()}
    actor.act(Step(f"correct-{role}", fields, path, {"player": who.id, **_why()}, brings))


def _strikes(actor: Actor, who: Person, game: str) -> None:
    actor.act(Step("ban", {"game": game}, "/bans", {"game": game}, ["game_banned"], by=who))


def _set_duel(actor: Actor, opens_at: str | None = None) -> None:
    fields = {"game": "pyramid_poker", "clocks": "none"} | ({"opens_at": _typed(opens_at)} if opens_at else {})
    body = {"game": "pyramid_poker", "clocks": None, "opens_at": opens_at}
    actor.act(Step("death-match", fields, "/death-matches", body, ["death_match_scheduled"]))


def _duel_ends(actor: Actor, winner: int, *, starts: bool = True) -> None:
    if starts:
        actor.host(starting())
    actor.host(deciding(winner))
    actor.settled()


def _tables_end(actor: Actor, count: int) -> None:
    """Seat A wins at each of the newest tables."""
    for place in range(-count, 0):
        actor.host(starting(place))
        actor.host(deciding(0, place))
        actor.settled(place)


def _approve(actor: Actor, cast: Cast, out: Person) -> None:
    follows = ["result_approved", "garnets_moved", "garnets_moved", "player_eliminated", "episode_closed"]
    actor.act(Step("approve", {"match": "{match}"}, "/matches/{match}/approve", None, follows))
    cast.out.append(out)


def _why() -> dict[str, str]:
    return {"reason": REASON}


def _in(**later: float) -> str:
    """An instant from now, as the record writes it; to the second, as the panel's fields take it, and where it is days
    away to the minute, as those of players do."""
    whole = {"second": 0} if "days" in later else {}
    return instant(datetime.now(UTC).replace(microsecond=0, **whole) + timedelta(**later))


def _typed(at: str) -> str:
    """The instant in a field, by a clock that shows UTC."""
    return at.partition(".")[0]

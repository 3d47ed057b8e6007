"""A season of thirteen at their browsers, who look at nothing unasked: pushes, letters and webhooks lead it to a
champion, and the records say how many of each there were to be."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

import pytest
from django.test import override_settings

from events import store
from matches.models import Account, Call, Match
from matches.notifications import notices
from matches.storage import repository
from tests.api.seasons import Cup
from tests.matches.test_letters import AnyPort, Mailbox, words
from tests.matches.test_notices import Receiver, listening, receiving
from tests.seasons.test_told_by_calls import prompts_of
from tests.web.called import Person, Post
from tests.web.site import Visitors

PLAYERS = 13
NAMED = ("token_granted", "candidate_named", "opponent_named")
TIMED = ("death_match_scheduled", "final_match_scheduled", "times_proposed", "time_accepted", "match_time_set")


@contextmanager
def posting(site: str) -> Iterator[Mailbox]:
    """A mail server of the test's own, to which the house's letters go."""
    box = Mailbox()
    server = AnyPort(box, hostname="127.0.0.1", port=0)
    server.start()
    backend = "django.core.mail.backends.smtp.EmailBackend"
    where = {"PUBLIC_URL": site, "EMAIL_BACKEND": backend, "EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": server.port}
    with override_settings(WEBHOOK_PRIVATE=True, **where):
        yield box
    server.stop()


class Script:
    """The acts of the organiser and the host; players are called for the others."""

    def __init__(self, cup: Cup, post: Post, people: dict[str, Person]) -> None:
        self.cup, self.post, self.people = cup, post, people

    def episode(self, number: int) -> None:
        """An episode in which the first of the living wins, and everybody else could be called to the death match."""
        first, *others = self.cup.living()
        self.cup.did("/episodes", {"title": f"Night {number}"})
        losers = [it.id for it in others[-2:]]
        self.cup.did("/main-matches", {"name": "Dice", "winners": [first.id], "candidates": losers})
        self.post.settle()
        episode = self.cup.read("/episodes")["results"][-1]
        assert episode["opponent"], "the players have decided as they were told"
        if number == 1:
            self.people[episode["candidate"]].appeals = True
        match = self._appointed() if number == 2 else self.cup.set("/death-matches", "pyramid_poker")
        self.post.settle()
        if number == 1:
            answer = {"decision": "rejected", "reason": "Who is to move does."}
            assert self.cup.host.post(f"/matches/{match}/appeals/1/answer", answer).status == 200
        self._counts(match)

    def final(self) -> None:
        """Until somebody has won it."""
        self.cup.did("/final", {})
        while not self.cup.read()["champion"]:
            match = self.cup.set("/final/matches", "pyramid_poker")
            self.post.settle()
            self._counts(match)

    def correct(self) -> tuple[str, ...]:
        """The second token of the first episode was somebody else's; gives who gave it, had it, and has it instead."""
        episode = self.cup.read("/episodes")["results"][0]
        (held,) = [it for it in episode["tokens"] if it not in episode["winners"]]
        among = (it.id for it in self.cup.living() if it.id not in (*episode["tokens"], *episode["candidates"]))
        right = next(among)
        correction = {"player": right, "reason": "A slip of the pen."}
        self.cup.did("/episodes/1/token/correct", correction)
        self.post.settle()
        return episode["winners"][0], held, right

    def _appointed(self) -> str:
        """A death match for which a time is proposed, that both accept, and to which both come."""
        settings = {"game": "pyramid_poker", "clocks": None}
        match: str = self.cup.did("/death-matches", settings, by=self.cup.host)[0]["match"]
        self.post.settle()
        soon = (datetime.now(UTC) + timedelta(minutes=40)).isoformat()
        self.cup.did(f"/matches/{match}/times", {"times": [soon]})
        self.post.settle()
        self.cup.did("/options", {"options": {"check_in_minutes": 60}, "reason": "Who comes?"})
        self.post.settle()
        match_row = next(it for it in self.cup.read("/schedule")["results"] if it["id"] == match)
        assert match_row["opens_at"] and len(match_row["check_in"]["present"]) == 2, (
            "both have come as they were called"
        )
        assert self.cup.host.post(f"/matches/{match}/start").status == 200
        self.cup.did("/options", {"options": {"check_in_minutes": 0}, "reason": "Everybody does."})
        return match

    def _counts(self, match: str) -> None:
        assert Match.objects.get(id=match).status == "finished"
        self.cup.did(f"/matches/{match}/approve")
        self.post.settle()


def expected(record: list[dict[str, Any]], account: str, matches: list[UUID]) -> Counter[str]:
    """Return how often a player should be called, except for turns, by the records of season and matches alone."""
    calls: Counter[str] = Counter(invitation=1)
    mine = [it for it in matches if account in repository.load(it).lifecycle.players]
    calls["match_begins"] = calls["result"] = len(mine)
    calls["answer"] = sum(it.player == account for match in mine for it in repository.load(match).lifecycle.appeals)
    seats = {it["match"]: it["players"] for it in record if it["type"] in TIMED[:2]}
    for (actor, _), act in groupby(record, key=lambda it: (it["actor"], it["at"])):
        events = list(act)
        if actor == account:
            calls["decision"] += sum(it["type"] in NAMED and it["by"] == account for it in events)
            continue
        calls["decided"] += any(it["type"] in NAMED and it["player"] == account for it in events)
        calls["appointment"] += len(
            {it["match"] for it in events if it["type"] in TIMED and account in seats[it["match"]]}
        )
    return +calls


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_season_of_thirteen_is_played_in_browsers_by_notices_alone(visitors: Visitors, site: str) -> None:
    Call.objects.all().delete()
    with posting(site) as box, receiving() as service, listening() as hooks:
        cup = Cup(PLAYERS, public=False, best_of=1, bans_each=0)
        watched = Account.objects.get(id=cup.players[0].id)
        notices.set_season_webhook(UUID(cup.id), hooks.url)
        notices.set_webhook(watched, hooks.url)
        hooked_at = store.clock()
        post, people = Post(service, box, site), {}
        for number, player in enumerate(cup.players):
            page = visitors.page(Account.objects.get(id=player.id), service_workers="allow")
            people[player.id] = Person(player, page, site)
            (post.mail_to if number % 2 else post.push_to)(people[player.id])
        script = Script(cup, post, people)
        post.settle()
        for number in range(1, PLAYERS - 1):
            script.episode(number)
            if number == 1:
                corrected = script.correct()
        script.final()
        champion = cup.read()["champion"]

    record = cup.read("/events", limit=500)["results"]
    assert champion and record[-1]["type"] == "season_finished"
    matches = list(Match.objects.filter(season_id=cup.id).values_list("id", flat=True))
    assert len(matches) == PLAYERS - 1
    for account, person in people.items():
        calls = person.count()
        wanted = expected(record, account, matches)
        wanted["correction"] = corrected.count(account)
        wanted["check_in"] = calls["check_in"]
        turns = calls.pop("your_turn", 0)
        assert calls == +wanted, account
        assert turns == sum(person.moves.values()) and calls["decision"] == person.decisions
        prompts = [prompts_of(it)[account] for it in matches if account in repository.load(it).lifecycle.players]
        # What was still asked when the match ended was called for, or not any more.
        assert sum(prompts) - len(prompts) <= turns <= sum(prompts)
    assert sum(person.count()["check_in"] for person in people.values()) == 2
    none_is_missing_or_twice(people)
    nothing_is_told_that_is_a_secret(cup, box)
    webhooks_tell_each_act_once(hooks, cup, record, hooked_at, people[str(watched.id)])


def none_is_missing_or_twice(people: dict[str, Person]) -> None:
    mine = Call.objects.filter(account__in=people)
    assert mine.filter(way__in=("push", "email"), state="sent").count() == sum(len(it.heard) for it in people.values())
    assert not mine.filter(state__in=("waiting", "given_up", "merged")).exists()


def nothing_is_told_that_is_a_secret(cup: Cup, box: Mailbox) -> None:
    names = [it.name for it in (*cup.players, cup.organiser, cup.host, cup.auditor)]
    letters = [words(letter, form) for _, letter in box.letters for form in ("plain", "html")]
    assert letters and not any(name in text for text in letters for name in (*names, "A cup", "Pyramid"))


def webhooks_tell_each_act_once(
    hooks: Receiver, cup: Cup, record: list[dict[str, Any]], since: datetime, watched: Person
) -> None:
    delivered = [it.told["croupier"] for it in hooks.got]
    assert len({it["id"] for it in delivered}) == len(delivered)
    of_season = [it for it in delivered if it["season"] == cup.id and it["kind"] == "season_news"]
    acts = [list(act) for _, act in groupby(record, key=lambda it: (it["actor"], it["at"]))]
    fresh = [act[-1]["version"] for act in acts if datetime.fromisoformat(act[0]["at"]) > since]
    assert [it["version"] for it in of_season] == fresh
    mine = Counter(it["kind"] for it in delivered if it["account"] == watched.guest.id)
    calls = watched.count()
    assert mine["decision_made"] == calls["decided"] and mine["correction"] == calls["correction"]

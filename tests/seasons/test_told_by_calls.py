"""A small season whose players look at nothing unasked: they are told by push and by mail alone, and it ends."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import override_settings

from events import store
from games.kernel import SPECTATOR
from matches.domain.calls import TABLE
from matches.models import Account, Call, MailAddress, Match
from matches.notifications import call_delivery, mail_addresses, match_calls, webhooks
from matches.reads import selectors
from matches.seasons import calls as season_calls
from matches.services import playing
from matches.storage import repository
from tests.api.guests import Guest
from tests.api.seasons import Cup, deliver
from tests.matches.push_service import Browser
from tests.matches.test_letters import HOUSE, Mailbox, mailbox, words  # noqa: F401
from tests.matches.test_notices import Receiver, receiving

MOVES_BEFORE_GIVING_UP = 2


class Player:
    """Does what a call asks for, and nothing else: without a call it asks the house for nothing."""

    def __init__(self, cup: Cup, guest: Guest) -> None:
        self.cup, self.guest = cup, guest
        self.moves: Counter[str] = Counter()
        self.heard: list[tuple[str, str]] = []

    def hears(self, title: str, text: str, page: str) -> None:
        """A call has come: its title and sentence, and the page that it leads to."""
        kind = next(kind for kind, row in TABLE.items() if row.title == title)
        assert text == TABLE[kind].text, "a private season is named to nobody who looks on"
        self.heard.append((kind, page))
        if kind == "your_turn":
            self.moves_at(page.split("/")[2])
        elif kind == "decision":
            self.decides()

    def moves_at(self, match: str) -> None:
        self.moves[match] += 1
        moves = self.guest.get(f"/matches/{match}/legal", {"sample": 1}).json
        command = moves["sample"] if self.moves[match] <= MOVES_BEFORE_GIVING_UP else None
        assert self.guest.send(match, command or {"type": "resign"}).status == 201

    def decides(self) -> None:
        """Whatever the season asks of it, the first choice that there is."""
        episode = self.cup.read("/episodes", by=self.guest)["results"][-1]
        mine = self.guest.id
        others = [it.id for it in self.cup.living() if it.id != mine]
        if episode["giving"] == mine:
            self.cup.did("/tokens", {"player": others[0]}, by=self.guest)
        elif episode["candidate"] is None and mine in episode["winners"]:
            self.cup.did("/candidates", {"player": episode["eligible"][0]}, by=self.guest)
        elif episode["candidate"] == mine and episode["opponent"] is None:
            self.cup.did("/opponents", {"player": episode["eligible"][0]}, by=self.guest)


class Office:
    """The workers, the post on its way, and the people at its ends."""

    def __init__(self, cup: Cup, service: Receiver, box: Mailbox) -> None:
        self.cup, self.service, self.mailbox = cup, service, box
        self.players = {guest.id: Player(cup, guest) for guest in cup.players}
        self.browsers: dict[str, tuple[Player, Browser]] = {}
        self.mailed: dict[str, Player] = {}
        self.pushed = self.lettered = 0
        for number, player in enumerate(self.players.values()):
            self.set_up(number, player)

    def set_up(self, number: int, player: Player) -> None:
        me = player.guest
        if number % 2:
            address = f"player{number}@post.example"
            MailAddress.objects.create(
                account=Account.objects.get(id=me.id), sealed=webhooks.sealed(address),
                digest=mail_addresses.digest_of(address), verified_at=store.clock(),
            )  # fmt: skip
            wanted = b'{"table": {"your_turn": {"email": true}}}'
            assert me.ask("PATCH", "/me/reach", wanted).status == 200
            self.mailed[address] = player
            return
        browser = Browser(f"{self.service.url}/{number}")
        assert me.post("/me/pushes", browser.subscription).status == 201
        self.browsers[me.id] = (player, browser)

    def work(self) -> bool:
        """Do the work of a minute's workers, and return True if anybody received a call."""
        deliver()
        for match in selectors.matches_that_wait_for_the_house():
            playing.attend(match_id=match)
        match_calls.queue_new_calls()
        season_calls.queue_new_calls()
        season_calls.remind()
        call_delivery.send_pending()
        notices = [*self.new_pushes(), *self.new_letters()]
        Call.objects.filter(state="sent").update(done_at=store.clock() - timedelta(seconds=61))
        Call.objects.filter(state="waiting").update(due_at=store.clock())
        for player, title, text, page in notices:
            player.hears(title, text, page)
        return bool(notices)

    def settle(self) -> None:
        """Work until nobody hears anything any more."""
        quiet = 0
        for _ in range(400):
            quiet = 0 if self.work() else quiet + 1
            if quiet == 2:
                return
        raise AssertionError("There is no end to it.")

    def new_pushes(self) -> Iterator[tuple[Player, str, str, str]]:
        fresh, self.pushed = self.service.got[self.pushed :], len(self.service.got)
        for request in fresh:
            (push,) = [it for it in map(_readable(request.body), self.browsers.values()) if it]
            yield push

    def new_letters(self) -> Iterator[tuple[Player, str, str, str]]:
        fresh, self.lettered = self.mailbox.letters[self.lettered :], len(self.mailbox.letters)
        for (address,), letter in fresh:
            for text, page in re.findall(
                rf"^(.+)\n{re.escape(HOUSE)}(\S+)$", words(letter).partition("\n-- ")[0], re.M
            ):
                title = next(row.title for row in TABLE.values() if row.text == text)
                yield self.mailed[address], title, text, page


def _readable(body: bytes) -> Any:
    """Return the push's player and content if its browser can read it, or None."""

    def read(who: tuple[Player, Browser]) -> tuple[Player, str, str, str] | None:
        try:
            push = who[1].read(body)
        except Exception:
            return None
        return who[0], push["title"], push["body"], push["page"]

    return read


def prompts_of(match: UUID) -> Counter[str]:
    """Return how often each account was asked to move in a match, by its record alone: each turn once, except those
    that were still open at its end.
    """
    prompts: set[tuple[str, int, str]] = set()
    last = repository.load(match, SPECTATOR)
    for version in range(1, last.version):
        state = repository.load(match, SPECTATOR, upto=version)
        if state.lifecycle.started:
            prompts |= {(str(state.lifecycle.movers[it.seat]), it.seat, str(it.turn)) for it in state.due.prompts}
    return Counter(account for account, _, _ in prompts)


@pytest.mark.slow
def test_season_is_played_to_its_end_by_notices_alone_and_each_is_sent_once(mailbox: Mailbox) -> None:  # noqa: F811
    with receiving() as service, override_settings(WEBHOOK_PRIVATE=True):
        cup = Cup(4, public=False, best_of=1, bans_each=0)
        office = Office(cup, service, mailbox)
        office.settle()
        for number in range(2):
            first, *_ = cup.living()
            cup.did("/episodes", {"title": f"Episode {number + 1}"})
            others = [it.id for it in cup.living() if it is not first]
            cup.did("/main-matches", {"name": "Dice", "winners": [first.id], "candidates": others})
            office.settle()
            assert cup.read("/episodes")["results"][-1]["opponent"], "the players have decided as they were told"
            match = cup.set("/death-matches", "pyramid_poker")
            office.settle()
            assert Match.objects.get(id=match).status == "finished"
            cup.did(f"/matches/{match}/approve")
            office.settle()
        cup.did("/final", {})
        match = cup.set("/final/matches", "pyramid_poker")
        office.settle()
        cup.did(f"/matches/{match}/approve")
        office.settle()
        assert cup.read()["champion"]

    # None missing, none twice: by the records of season and matches, not by the outbox.
    played = [UUID(str(it)) for it in Match.objects.filter(season_id=cup.id).values_list("id", flat=True)]
    kinds = {account: Counter(kind for kind, _ in player.heard) for account, player in office.players.items()}
    assert len(played) == 3
    for account, player in office.players.items():
        mine = [it for it in played if account in repository.load(it).lifecycle.players]
        assert kinds[account]["match_begins"] == kinds[account]["result"] == len(mine)
        assert kinds[account]["invitation"] == 1
        assert kinds[account]["your_turn"] == sum(player.moves.values())
        assert sum(prompts_of(it)[account] for it in mine) - len(mine) <= kinds[account]["your_turn"]
        assert kinds[account]["your_turn"] <= sum(prompts_of(it)[account] for it in mine)
    sent = Call.objects.filter(account__in=office.players, way__in=("push", "email"), state="sent").count()
    assert sum(len(player.heard) for player in office.players.values()) == sent
    assert not Call.objects.filter(account__in=office.players, state__in=("waiting", "given_up", "merged")).exists()
    # None tells a secret, or a name.
    names = [guest.name for guest in (*cup.players, cup.organiser, cup.host)]
    letters = [words(letter, form) for _, letter in mailbox.letters for form in ("plain", "html")]
    assert letters and not any(name in text for text in letters for name in [*names, "A cup", "Pyramid"])

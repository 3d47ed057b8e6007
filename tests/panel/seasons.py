"""A season as its officials run it from the panel: who they are, what they press, and what is in the record then."""

import json
import re
from html import unescape
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpResponse

from events import store
from matches.models import Account, Match
from matches.seasons import repository
from matches.seasons.domain.state import Season
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.panel.office import Desk, types_of
from tests.table_setting import new_account


def account_of(guest: Guest) -> Account:
    """The account behind a guest."""
    return Account.objects.get(id=guest.id)


class Bureau:
    """An official before a season's room."""

    def __init__(self, season_id: str, official: Account) -> None:
        self.id = UUID(season_id)
        self.official = official
        self.desk = Desk(official)
        self.address = f"/admin/seasons/{season_id}/"

    def page(self) -> str:
        """The room's page, as text."""
        return unescape(self.desk.read(self.address))

    def send(self, act: str, **fields: Any) -> HttpResponse:
        """Post the act's form as previewed at the newest version, whatever comes of it."""
        fields.setdefault("key", f"key-{uuid4()}")
        fields.setdefault("expected", self.version)
        return self.desk.post(f"{self.address}{act}/", **fields)

    def did(self, act: str, **fields: Any) -> list[str]:
        """Post the act's form, and it is accepted; gives the types of what was appended."""
        before = self.version
        answer = self.send(act, **fields)
        assert answer.status_code == 302, faults_in(answer)
        return types_of(self.id, before)

    def foresees(self, act: str, **fields: Any) -> str:
        """The preview of the act's form, as text."""
        fields.setdefault("key", f"key-{uuid4()}")
        answer = self.desk.post(f"{self.address}{act}/foresee/", **fields)
        assert answer.status_code == 200
        return unescape(as_read(answer))

    @property
    def version(self) -> int:
        """The newest version in the log."""
        head = store.head(self.id)
        assert head
        return head.version

    @property
    def season(self) -> Season:
        """The season as it stands."""
        return repository.load(self.id)

    def last_event(self) -> dict[str, Any]:
        """The newest event, as it stands in the log."""
        event: dict[str, Any] = json.loads(store.read(self.id)[-1].public)
        return event

    def match(self) -> Match:
        """The season's newest match."""
        return Match.objects.filter(season_id=self.id).latest("opened_at")

    def due(self) -> str:
        """The step that is due, as its heading."""
        heading = re.search(r'aria-current="step".*?<h3>([^<]*?) <', self.page(), re.DOTALL)
        return heading[1] if heading else ""


def bureau(cup: Cup, by: Guest | None = None) -> Bureau:
    """A season that was set up over REST, with its organiser, or another official, at the panel."""
    return Bureau(cup.id, account_of(by or cup.organiser))


def opened(organiser: Account, title: str = "A cup", **options: Any) -> Bureau:
    """A season that was opened in the panel, with the usual options but for these; None leaves a box unticked."""
    form = Desk(organiser).read("/admin/seasons/open/")
    sent: dict[str, Any] = {"title": title, "key": f"key-{uuid4()}", "template": ""}
    sent |= usual_options(form) | options
    answer = Desk(organiser).post("/admin/seasons/open/", **{name: it for name, it in sent.items() if it is not None})
    assert answer.status_code == 302, faults_in(answer)
    return Bureau(answer.headers["Location"].rstrip("/").rpartition("/")[2], organiser)


def usual_options(form: str) -> dict[str, Any]:
    """Return the values that the opening form sends if nobody changes them."""
    numbers = dict(re.findall(r'<input type="number" name="(\w+)" value="(\d+)"', form))
    ticked: dict[str, Any] = {}
    for name, value in re.findall(r'<input type="checkbox" name="(\w+)"(?: value="(\w+)")?[^>]*\schecked[\s>]', form):
        ticked[name] = [*ticked.get(name, []), value] if value else "on"
    selects = re.findall(r'<select name="(\w+)".*?<option value="(\w+)" selected', form, re.DOTALL)
    return numbers | ticked | dict(selects)


def faults_in(answer: HttpResponse) -> str:
    """The words of the dialog that is open, or of the whole page."""
    page = as_read(answer)
    dialog = re.search(r"data-open>(.*?)</dialog>", page, re.DOTALL)
    text = dialog[1] if dialog else page.partition('<div class="house">')[2]
    return f"{answer.status_code}: {' '.join(unescape(re.sub(r'<[^>]*>', ' ', text)).split())}"


def enrolled(organiser: Account, players: int, **options: Any) -> tuple[Bureau, list[Account]]:
    """A season with players, all by the panel."""
    room = opened(organiser, **options)
    people = [new_account() for _ in range(players)]
    for person in people:
        room.did("enrol", player=person.username)
    return room, people

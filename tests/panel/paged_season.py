"""A season that everybody reads over REST, but acts in by links and forms of the pages alone."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from matches.models import Match
from tests.api.guests import Answer, Guest
from tests.api.seasons import Cup
from tests.forms import Form, Page, Visitor
from tests.table_setting import new_account, new_token

ACCEPTED = Answer(201, {}, b"")
REASON = "As it was."


def code_of(match: str) -> str:
    return str(Match.objects.get(id=match).code)


def inputs_of(form: Form, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a contest's form that stand for these values."""
    kinds = {it.name.partition(":")[0].partition(".")[2]: it.name.partition(".")[0] for it in form.controls}
    inputs: dict[str, Any] = {}
    for name, value in values.items():
        start = f"{kinds[name]}.{name}"
        if isinstance(value, Mapping):
            inputs |= {f"{start}:{item}": amount for item, amount in value.items()}
        elif kinds[name] == "ranking":
            inputs |= {f"{start}:{item}": place for place, item in enumerate(value, start=1)}
        else:
            inputs[start] = value
    return inputs


class PagedPlayer(Guest):
    """A player who submits, resigns and decides by the forms of the pages."""

    def __init__(self) -> None:
        self.account = new_account()
        super().__init__(new_token(self.account), self.account)
        self.visitor = Visitor(self.account)

    def send(self, match: str, command: Any, **_: Any) -> Answer:
        """Fill in the form of the open round, or resign."""
        page = self.visitor.read(f"/m/{code_of(match)}/")
        form = page.form("/commands")
        if command["type"] == "submit":
            assert form.value("round") == str(command["round"])
            form.fill(inputs_of(form, command["values"]))
        self.visitor.leave(page, form, {"submit": "fill"}.get(command["type"], command["type"]))
        return ACCEPTED

    def decide(self, season: str, act: str, player: str) -> None:
        """Choose somebody, read the consequences, and confirm."""
        address = f"/seasons/{season}/desk"
        assert f"{address}/{act}" in self.visitor.read(address).links
        page = self.visitor.read(f"{address}/{act}")
        form = page.form(f"/desk/{act}")
        form.fill({"player": player})
        if form.button().action:
            # The consequences come first, unless there is only one choice.
            page = self.visitor.send(page, form)
            form = page.form(f"/desk/{act}")
        self.visitor.leave(page, form)

    def join(self, address: str) -> None:
        page = self.visitor.read(address)
        self.visitor.send(page, page.form(address))


class Organiser(Guest):
    """An organiser in the panel, who is on one page at a time; `presses` counts the buttons and links pressed."""

    def __init__(self) -> None:
        self.account = new_account(is_organiser=True)
        super().__init__(new_token(self.account), self.account)
        self.presses = 0
        self.season = ""
        self._visitor = Visitor(self.account)
        self._at = self._visitor.read("/admin/")

    def open_season(self, title: str, **options: Any) -> str:
        """Open a season with the usual options but for these; return its id."""
        self._follow("/admin/seasons/")
        self._follow("/admin/seasons/open/")
        self._fill_and_send(self._at.form("/seasons/open/"), {"title": title, **options})
        self.season = self._at.address
        return self.season.rstrip("/").rpartition("/")[2]

    def act(self, name: str, **fields: Any) -> None:
        """Open an act's dialog in the season's room, fill it in, read the preview, and send it."""
        self._go(self.season)
        self._send_dialog(name, fields)

    def link(self, number: int) -> str:
        """Return the address of a joining link."""
        self._go(self.season)
        return urlsplit(self._at.value(f"link-{number}")).path

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """Start a match in its control room."""
        _, _, match, act = path.split("/")
        assert act == "start"
        self._go(self.season)
        self._go(f"/admin/matches/{code_of(match)}/control/")
        self._send_dialog("start", {"reason": REASON})
        return Answer(200, {}, b"")

    def send(self, match: str, command: Any, **_: Any) -> Answer:
        """Judge the round that is over."""
        assert command["type"] == "resolve"
        room = f"/admin/matches/{code_of(match)}/control/"
        if self._at.address != room:
            self._go(self.season)
        self._go(room)
        self._follow(f"{room}judge/")
        points = {f"points-{seat}": number for seat, number in command["points"].items()}
        self._fill_and_send(self._at.form("/judge/"), points)
        self._fill_and_send(self._at.form("/judge/"), {})
        return ACCEPTED

    def _go(self, address: str) -> None:
        """Look at the page again, or follow a link to another one."""
        if self._at.address == address:
            self._at = self._visitor.read(address)
        else:
            self._follow(address)

    def _follow(self, address: str) -> None:
        assert address in self._at.links, f"{self._at.address} has no link to {address}"
        self.presses += 1
        self._at = self._visitor.read(address)

    def _send_dialog(self, name: str, fields: Mapping[str, Any]) -> None:
        assert f"act-{name}" in self._at.opens, f"{self._at.address} has no button for {name}"
        self.presses += 1
        self._fill_and_send(self._at.form(f"/{name}/"), fields)

    def _fill_and_send(self, form: Form, fields: Mapping[str, Any]) -> None:
        form.fill(fields)
        self._visitor.preview(self._at, form)
        self.presses += 1
        self._at: Page = self._visitor.send(self._at, form)


class PagedCup(Cup):
    """A season opened in the panel, whose players come by a joining link; who runs it also hosts its matches.

    `presses` are the organiser's, until the first episode and in each episode and the final.
    """

    def __init__(self, organiser: Organiser, players: Sequence[PagedPlayer], **options: Any) -> None:
        self.organiser: Organiser = organiser
        self.host = organiser
        self.id = organiser.open_season("A cup", **options)
        self.path = f"/seasons/{self.id}"
        organiser.act("open-joining", approval=False)
        address = organiser.link(1)
        self.players: list[PagedPlayer] = list(players)
        for player in players:
            player.join(address)
        self._begun = [0]

    @property
    def presses(self) -> list[int]:
        return [after - before for before, after in pairwise([*self._begun, self.organiser.presses])]

    def did(self, path: str, body: Any = None, by: Guest | None = None) -> list[dict[str, Any]]:
        """Act by a form, the organiser's or that of the player whose decision it is; return the events."""
        before, fields = self.read()["version"], body or {}
        match path.strip("/").split("/"):
            case ["episodes"]:
                self._begun.append(self.organiser.presses)
                self.organiser.act("open-episode", title=fields["title"])
            case ["main-matches", "tables"]:
                rules = fields["results"]
                by_place = " ".join(map(str, rules["by_place"]))
                chosen = {it: fields[it] for it in ("game", "contest", "players")}
                self.organiser.act("table", **chosen, worst=rules["worst"], by_place=by_place)
            case ["death-matches"]:
                self.organiser.act("death-match", game=fields["game"], clocks="none")
            case ["final"]:
                self._begun.append(self.organiser.presses)
                self.organiser.act("final")
            case ["final", "matches"]:
                self.organiser.act("final-match", game=fields["game"], clocks="none")
            case ["matches", match, "approve"]:
                self.organiser.act("approve", match=match)
            case ["episodes", number, "main-match", "correct"]:
                changed = {name: it for name, it in fields.items() if it}
                self.organiser.act("correct-main-match", episode=number, **changed)
            case [("tokens" | "candidates" | "opponents") as role]:
                self._decider(role).decide(self.id, role.removesuffix("s"), fields["player"])
            case _:
                raise AssertionError(f"No page acts for {path}.")
        events: list[dict[str, Any]] = self.read("/events", after=before)["results"]
        return events

    def _decider(self, role: str) -> PagedPlayer:
        """Return the player whose decision it is."""
        now = self.read("/episodes")["results"][-1]
        account = {"tokens": now["giving"], "candidates": now["winners"][0], "opponents": now["candidate"]}[role]
        return next(it for it in self.players if it.id == account)

"""Forms that create something bear a key: sending one again creates nothing more, and leads to the same thing."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.template.loader import get_template
from django.test import Client

from events import store
from matches.models import AccessEntry, Account, Match
from matches.storage import repository
from tests.matches.test_offers import CLOCKS
from tests.panel.office import Desk, room
from tests.table_setting import at_once, new_account, play_on, running_match
from tests.web.test_opening import as_sent, at_home, opened_by

INCLUDED = re.compile(r'\{% include "([^"]+)"')
FORM = re.compile(r'<form\b(?:[^>"]|"[^"]*")*\bmethod="post"(?:[^>"]|"[^"]*")*>.*?</form>', re.DOTALL)
ACTION = re.compile(r'\baction="(?:\{% url \'([^\']+)\'|([^"]*))')
KEY = 'name="key"'

# What each of the other forms does when it is sent twice, by what it is sent to, or by the template.
REPEATABLE = {
    "#trials": "A trial with the same contest, players and number is played once.",
    "/account/password": "The second is refused: the current password is another by then.",
    "/account/settings": "Sets what is so from then on.",
    "/forgotten": "Only sends a letter, as often as the limits allow.",
    "/m/{{ match.code }}/seats/start": "A match starts once.",
    "/sign-in": "Signs in again.",
    "/sign-out": "Signs out once.",
    "/sign-up": "An account's name is unique.",
    "admin:control_look": "A look is recorded once for all that has happened until then.",
    "admin:control_note": "Names what the notes said: the second is refused or changes nothing.",
    "admin:control_remind": "Reminds each player at most once in ten minutes.",
    "admin:dispute_look": "A look is recorded once for all that has happened until then.",
    "panel/new_password.html": "The link works once.",
    "panel/portrait.html": "A picture is taken down once.",
    "panel/reset_link.html": "Only the newest link works.",
    "panel/rewind.html": "Names the version that it was made for: the second is refused.",
    "web/new_password.html": "The link works once.",
    "web/unsubscribe.html": "Sets what is so from then on.",
    "web/verify.html": "Sets what is so from then on.",
    "web:accept": "A seat is accepted once.",
    "web:access_log_seen": "Sets what is so from then on.",
    "web:arrange_calls": "Sets what is so from then on.",
    "web:choose_calls": "Sets what is so from then on.",
    "web:choose_face": "Sets what is so from then on.",
    "web:choose_season_calls": "Sets what is so from then on.",
    "web:contest_delete": "Deleted once.",
    "web:contest_edit": "Names the version that it was made for: the second is refused, or equal to the first.",
    "web:contest_publish": "Names the version that is published.",
    "web:contest_restore": "Names the version that it was made for: the second is refused, or equal to the first.",
    "web:contest_retire": "Retired once.",
    "web:decline": "A match is declined once.",
    "web:make_calendar": "Replaces the one address that there is.",
    "web:match-look": "A look is recorded once for all that has happened until then.",
    "web:match-moderate": "Sets what is so from then on; of several mutes the longest counts.",
    "web:match-note": "Names what the notes said: the second is refused or changes nothing.",
    "web:match-rematch": "A match has one rematch.",
    "web:open_seat": "Sets what is so from then on.",
    "web:remove_browser": "Removed once.",
    "web:remove_email": "Removed once.",
    "web:remove_portrait": "Removed once.",
    "web:remove_webhook": "Removed once.",
    "web:revoke_calendar": "Revoked once.",
    "web:revoke_token": "Revoked once.",
    "web:season_availability": "Sets what is so from then on.",
    "web:season_moderate": "Sets what is so from then on; of several mutes the longest counts.",
    "web:season_report": "The first answer stays, and a remark is hidden once.",
    "web:set_email": "Only sends a letter, as often as the limits allow.",
    "web:set_webhook": "Replaces the one webhook that there is.",
    "web:start": "A match starts once.",
    "web:subscribe": "Sets what is so from then on.",
    "web:take_seat": "A seat is taken once.",
    "web:try_calls": "Only sends a test, as often as the limits allow.",
    "web:try_webhook": "Only sends a test, as often as the limits allow.",
    "web:upload_portrait": "Replaces the one picture that there is.",
    "{{ address }}commands": "A lesson is stored nowhere.",
    "{{ act_address }}": "A room is closed, left or read once; a look is recorded once for all that was said before.",
    "{{ menu_address }}": "Sets what is so from then on; of several mutes the longest counts.",
    "{{ request.path }}": "Joining again gives the same seat.",
}


def posting_forms() -> Iterator[tuple[str, str]]:
    """All forms of all templates that post: what each is sent to, or its template, and its text."""
    for template in sorted((settings.BASE_DIR / "matches").glob("*/templates/**/*.html")):
        text = template.read_text()
        forms = FORM.findall(text)
        assert len(forms) == len(re.findall(r'\bmethod="post"', text)), f"a form of {template} isn't found"
        for form in forms:
            action = ACTION.search(form)
            yield (action[1] or action[2]) if action else "/".join(template.parts[-2:]), form + included_in(form)


def included_in(form: str) -> str:
    """Return the text of the templates that a form includes by name."""
    return "".join(Path(get_template(name).origin.name).read_text() for name in INCLUDED.findall(form))


def test_every_form_bears_a_key_or_may_be_sent_twice_by_nature() -> None:
    without = {sent_to for sent_to, form in posting_forms() if KEY not in form}
    assert without - set(REPEATABLE) == set(), "a form that creates something bears a key: {% form_key %}"
    assert set(REPEATABLE) - without == set(), "a form that is declared is no more, or bears a key"


@pytest.fixture
def me() -> Account:
    return new_account()


def sent_at_once(account: Account, path: str, form: dict, times: int = 3) -> list[HttpResponse]:
    """Send the same form from one browser several times at once."""
    clients = [at_home(account) for _ in range(times)]
    return at_once([lambda client=client: client.post(path, form) for client in clients])


def key_on(client: Client, path: str, form_begins: str) -> str:
    page = client.get(path).content.decode()
    key = re.search(r'name="key" value="([^"]+)"', page[page.index(form_begins) :])
    assert key
    return key[1]


@pytest.mark.parametrize("other", ["bot", "invite"])
def test_open_form_sent_three_times_at_once_opens_one_match(me: Account, other: str) -> None:
    key = key_on(at_home(me), "/open/pyramid_poker", 'action="/open/pyramid_poker"')
    form = as_sent("pyramid_poker") | {"seat-0": "me", "seat-1": other, "key": key}
    answers = sent_at_once(me, "/open/pyramid_poker", form)
    match = opened_by(me)
    place = f"/m/{match.code}/" if other == "bot" else f"/m/{match.code}/seats"
    assert [it.headers["Location"] for it in answers] == [place] * 3
    at_home(me).post("/open/pyramid_poker", form | {"key": uuid4().hex})
    assert Match.objects.filter(opened_by=me).count() == 2


def test_a_changed_open_form_opens_another_match_under_the_same_key(me: Account) -> None:
    form = as_sent("pyramid_poker") | {"seat-0": "me", "seat-1": "invite", "key": "a-key"}
    for more in ({}, {"spectator_delay": "5"}, {}):
        at_home(me).post("/open/pyramid_poker", form | more)
    assert Match.objects.filter(opened_by=me).count() == 2


def test_appeal_sent_three_times_at_once_is_one_appeal(me: Account) -> None:
    match = running_match("pyramid_poker", me, new_account())
    key = key_on(at_home(me), f"/m/{match.code}/", f'action="/m/{match.code}/appeal"')
    form = {"kind": "clock", "text": "It ran.", "key": key}
    answers = sent_at_once(me, f"/m/{match.code}/appeal", form)
    assert {it.status_code for it in answers} == {302}
    assert len(repository.load(match.id).lifecycle.appeals) == 1
    again = at_home(me).post(f"/m/{match.code}/appeal", form, follow=True).content.decode()
    assert "Your appeal is number 1 in the record" in again
    at_home(me).post(f"/m/{match.code}/appeal", form | {"text": "It stood still."})
    assert len(repository.load(match.id).lifecycle.appeals) == 2


def test_token_form_sent_three_times_at_once_makes_one_token_and_shows_it(me: Account) -> None:
    key = key_on(at_home(me), "/account", 'action="/account/tokens"')
    form = {"name": "mine", "scopes": ["match:read"], "key": key}
    secrets = {re.search(r"crp_[\w-]{43}", it.content.decode())[0] for it in sent_at_once(me, "/account/tokens", form)}
    token = me.tokens.get()
    assert len(secrets) == 1 and AccessEntry.objects.filter(account=me.id, kind="token_made").count() == 1
    (secret,) = secrets
    assert at_home().get("/api/v1/me", headers={"authorization": f"Bearer {secret}"}).status_code == 200
    at_home(me).post(f"/account/tokens/{token.id}/revoke")
    assert at_home(me).post("/account/tokens", form).status_code == 409
    assert me.tokens.count() == 1


def test_token_of_a_form_differs_between_accounts(me: Account) -> None:
    form = {"name": "mine", "scopes": ["match:read"], "key": "a-key"}
    pages = [at_home(it).post("/account/tokens", form).content.decode() for it in (me, new_account())]
    assert len({re.search(r"crp_[\w-]{43}", page)[0] for page in pages}) == 2


def test_time_given_three_times_at_once_by_a_seat_is_given_once() -> None:
    players = [new_account(), new_account()]
    match = running_match("pentagram", *players, clocks=CLOCKS)
    play_on(match, 0)
    before = repository.load(match.id)
    giver = players[1 - before.due.prompts[0].seat]
    key = key_on(at_home(giver), f"/m/{match.code}/", '<form id="offer"')
    answers = sent_at_once(giver, f"/m/{match.code}/offers", {"act": "time", "key": key})
    assert {it.status_code for it in answers} == {302}
    types = [row.type for row in store.read(match.id, after=before.version)]
    assert types == ["offer_made", "time_given"]


@pytest.mark.parametrize(
    ("act", "fields"), [("rule", {"reason": "R1 means this."}), ("time", {"reason": "A storm.", "seconds": "5"})]
)
def test_host_act_sent_three_times_at_once_is_done_once(act: str, fields: dict) -> None:
    host = new_account()
    match = running_match("pentagram", new_account(), new_account(), opener=host, clocks=CLOCKS)
    play_on(match, 0)
    before = repository.load(match.id)
    desks = [Desk(host) for _ in range(3)]
    key = re.search(r'name="key" value="([^"]+)"', desks[0].get(room(match)).content.decode())
    assert key
    form = fields | {"seat": str(before.due.prompts[0].seat), "key": key[1]}
    answers = at_once([lambda desk=desk: desk.act(match, act, **form) for desk in desks])
    assert [it.status_code for it in answers] == [302] * 3
    assert repository.version_of(match.id) == before.version + 1

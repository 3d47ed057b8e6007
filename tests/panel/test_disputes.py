"""Each dispute on a page: in order of time, with who knew what when, and nothing sealed without a look on record."""

import re
from html import unescape

import pytest

from events import access, store
from games.kernel import SPECTATOR
from matches.audit import knowledge
from matches.models import Account, Match
from matches.panel.audit.listed_events import match_sentence
from matches.reads.sentences import names_of
from matches.services import appealing, hosting, reopening
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.panel.office import Desk, hosted_match, types_of, version_of
from tests.panel.test_log import rows
from tests.table_setting import new_account, play_on, play_to_the_end


def appealed(moves: int = 6) -> tuple[Match, Account]:
    match, host = hosted_match(moves=moves)
    player = match.seats.get(number=0).account
    appealing.appeal(match_id=match.id, player=player.id, kind="clock", text="My clock ran on.")
    return match, host


def page_of(match: Match, look: str = "") -> str:
    return f"/admin/disputes/{match.code}/1/{look}"


def table(page: str, name: str) -> list[str]:
    return rows(page[page.index(f'aria-label="{name}"') :])


def account_of(guest: object) -> Account:
    return Account.objects.get(id=guest.id)


def test_dispute_lists_all_related_events_in_order_of_time() -> None:
    match, host = appealed()
    about = {"match_id": match.id, "by": host.id}
    hosting.view_truth(**about)
    hosting.rule(text="Clocks run while it rains.", **about)
    places = hosting.rewindable(match.id)
    back = places[len(places) // 2]
    hosting.rewind(to_version=back, expected=version_of(match), reason="Again.", **about)
    hosting.answer_appeal(number=1, decision="approved", reason="It had run on.", **about)
    access.note(match.id, str(host.id), "exported")
    page = Desk(host).read(page_of(match))
    table_rows = table(page, "What happened")
    kinds = [re.search(r"\d\d:\d\d:\d\d (.+?) p[0-9a-f]{20}", row)[1] for row in table_rows]
    assert kinds == ["start", "claim", "look", "ruling", "rewind", "answer", "record taken"]
    assert "My clock ran on." in table_rows[1] and "It had run on." in table_rows[5] and host.username in table_rows[2]
    assert f"/m/{match.code}/replay/" in page
    knowledge_rows = table(page, "When each was told")
    assert any("taken back" in row for row in knowledge_rows) and not any(
        "taken back" in row for row in knowledge_rows[:1]
    )


def test_dispute_shows_secrets_only_after_a_recorded_look() -> None:
    match, host = appealed()
    desk, before = Desk(host), version_of(match)
    plain = desk.read(page_of(match))
    assert "gets a brick from the bag" in plain and " not yet " in f" {' '.join(table(plain, 'When each was told'))} "
    assert desk.read(page_of(match), **{"as": "host"}).count("gets a brick") == plain.count("gets a brick")
    assert version_of(match) == before
    answer = desk.post(page_of(match, "look/"))
    assert types_of(match.id, before) == ["truth_viewed"]
    page = desk.read(answer.headers["Location"])
    assert "gets a brick" not in page and "gets the " in page
    assert "gets a brick" in desk.read(page_of(match)), "It is asked for each time."


def test_look_at_a_dispute_shows_nothing_later() -> None:
    match, host = appealed(moves=2)
    desk = Desk(host)
    desk.post(page_of(match, "look/"))
    looked = version_of(match)
    play_on(match, 4)
    page = desk.read(page_of(match), **{"as": "host", "to": str(version_of(match))})
    later = [row for row in store.read(match.id, after=looked) if row.type == "brick_dealt"]
    assert later and page.count("gets a brick from the bag") == len(later)


def test_dispute_after_the_end_shows_everything_and_records_no_look() -> None:
    match, host = appealed()
    play_to_the_end(match)
    before = version_of(match)
    page = Desk(host).read(page_of(match))
    assert "gets a brick" not in page and "not yet" not in page and "Show what is sealed" not in page
    Desk(host).post(page_of(match, "look/"))
    assert version_of(match) == before


def test_auditor_of_a_season_reads_a_dispute_and_cannot_look() -> None:
    cup = Cup(4)
    match = Match.objects.get(id=cup.death_match())
    player = match.seats.get(number=0).account
    appealing.appeal(match_id=match.id, player=player.id, kind="conduct", text="He whistled.")
    desk, before = Desk(account_of(cup.auditor)), version_of(match)
    assert "He whistled." in desk.read(page_of(match)) and "look/" not in desk.read(page_of(match))
    assert desk.post(page_of(match, "look/")).status_code == 404
    assert desk.post(page_of(match, "look/"), **{"as": "host"}).status_code == 404
    assert version_of(match) == before
    assert f"{match.code}, 1" in as_read(desk.get("/admin/disputes/"))
    assert match.code not in Desk(account_of(Cup(0).auditor)).read("/admin/disputes/")


def test_a_correction_in_the_season_belongs_to_the_dispute() -> None:
    cup = Cup(4)
    match_id = cup.death_match()
    match = Match.objects.get(id=match_id)
    player = match.seats.get(number=0).account
    appealing.appeal(match_id=match.id, player=player.id, kind="other", text="It was mine.")
    cup.loses(match_id, cup.player(cup.read("/episodes")["results"][-1]["candidate"]))
    loser = cup.read("/episodes")["results"][-1]["candidate"]
    cup.did(f"/matches/{match_id}/correct", {"winner": loser, "reason": "A typing error."})
    table_rows = table(Desk(account_of(cup.host)).read(page_of(match)), "What happened")
    assert any("correction" in row and "A typing error." in row and "A cup #" in row for row in table_rows)


@pytest.mark.parametrize("who", ["player", "stranger", "other host"])
def test_dispute_gets_404_for_accounts_that_may_not_audit(who: str) -> None:
    match, _ = appealed(moves=1)
    people = {"player": match.seats.get(number=0).account, "stranger": new_account(), "other host": hosted_match()[1]}
    assert Desk(people[who]).get(page_of(match)).status_code == 404
    assert Desk(people[who]).post(page_of(match, "look/")).status_code == 404
    assert Desk(people[who]).get("/admin/disputes/").status_code == 404


def test_host_who_plays_gets_a_refusal_with_the_reason() -> None:
    match, _ = appealed(moves=1)
    player = match.seats.get(number=0).account
    Account.objects.filter(id=player.id).update(is_organiser=True)
    answer = Desk(Account.objects.get(id=player.id)).get(page_of(match))
    assert answer.status_code == 403 and "You hold, or have held, a seat" in unescape(answer.content.decode())


def test_times_of_knowledge_follow_from_the_record() -> None:
    """Seats at once, each its secret; spectators late; a host by a look; a newcomer with the seat; all in the end."""
    match, host = hosted_match(moves=4, spectator_delay=60)
    hosting.view_truth(match_id=match.id, by=host.id)
    newcomer = new_account()
    hosting.substitute(match_id=match.id, by=host.id, seat=0, player=newcomer.id, reason="Ill.")
    record = store.read(match.id)
    secret = next(row for row in record if row.audience == "seat:0")
    substituted = record[-1].at
    among = knowledge.knowers(record)
    names = [(it.seat, it.who) for it in among]
    assert names[0][0] == 0 and names[1] == (0, str(newcomer.id)) and names[2][0] == 1
    assert names[3:] == [(None, str(host.id)), (None, knowledge.SPECTATORS)]
    (known,) = knowledge.disclosures(record, {secret.version}, among)
    mine, new, other, looked, spectators = known.by_knower
    assert mine.whole == secret.at and other == (secret.at, None) and spectators.whole is None
    assert new.whole == substituted
    look = next(row for row in record if row.type == "truth_viewed")
    assert looked.whole == look.at and (spectators.public - secret.at).seconds == 60
    play_to_the_end(match)
    record = store.read(match.id)
    end = next(row for row in record if row.type == "match_finished")
    (known,) = knowledge.disclosures(record, {secret.version}, knowledge.knowers(record))
    left, _, other, _, spectators = known.by_knower
    assert left.whole == secret.at and other.whole == end.at and (spectators.whole - end.at).seconds == 60


def test_end_undone_during_the_delay_revealed_nothing_to_spectators() -> None:
    match = Match.objects.get(id=Cup(4, spectator_delay=60).death_match())
    play_to_the_end(match)
    before = store.read(match.id)
    end = next(row for row in before if row.type == "match_finished")
    last = max(row.version for row in before if row.at < end.at)
    reopening.reopen(match_id=match.id, number=1, to_version=last, reason="A slip.")
    secret = next(row for row in before if row.audience == "seat:0")
    record = store.read(match.id)
    (known,) = knowledge.disclosures(record, {secret.version}, knowledge.knowers(record))
    _, other, spectators = known.by_knower
    assert spectators.whole is None, "they are told of no end that no longer stands"
    assert other.whole == end.at, "who sat there could look while it stood"


def test_sentences_for_a_witness_contain_only_what_they_may_see() -> None:
    match, _ = hosted_match(moves=3)
    dealt = [row for row in store.read(match.id) if row.type == "brick_dealt"]
    sentences = [match_sentence(match, row, SPECTATOR, names_of(match)) for row in dealt]
    assert sentences and all("a brick" in text for text in sentences)

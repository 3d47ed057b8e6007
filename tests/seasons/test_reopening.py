"""A season's match with a result is played on from an earlier version: with another seed, and reported once an end."""

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache, partial
from random import Random
from typing import Any

import pytest

from events import outbox, projections, store
from games.kernel import HOST, SPECTATOR, Chance
from matches.audit import croupier_verify, export, replay
from matches.audit.croupier_verify import Bad, verify
from matches.domain.clocks import ClockTimes
from matches.html import record
from matches.models import Account, Match, Notice, PlayerResult, Webhook
from matches.notifications import notices
from matches.reads import entitlements, feed
from matches.seasons import process_manager, services
from matches.seasons import repository as season_repository
from matches.seasons.domain import results
from matches.services import hosting, playing
from matches.storage import repository, seeds
from tests.events.staging import owner
from tests.matches.hosted_match import exported, types
from tests.matches.test_audit import Line, parsed, rechain, written
from tests.seasons.test_delivery import Stored, killed, refused
from tests.table_setting import new_account, play_on, play_to_the_end

WHY = "A rule was misread."


def resign(match: Match) -> None:
    """Who is to move gives up."""
    known = repository.load(match.id)
    seat = known.due.prompts[0].seat
    playing.submit(
        match_id=match.id,
        seat=seat,
        player=str(known.lifecycle.players[seat]),
        command=known.game.read_command({"type": "resign"}),
        key=f"resign {known.version}",
        fingerprint=b"",
        expected=known.version,
    )
    match.refresh_from_db()


class Ended(Stored):
    """A season whose death match has ended, and whose result is reported."""

    def __init__(self, **options: Any) -> None:
        super().__init__(clocks={"turn": ClockTimes(base=600)}, **options)
        self.opened()
        self.table = Match.objects.get(id=self.match)
        self.ends()

    def ends(self) -> "Ended":
        """Play until one resigns, and tell the season. Where it is played out to the end, a test says so."""
        play_on(self.table, 12, Random(5))
        resign(self.table)
        return self.told()

    def told(self) -> "Ended":
        """Everything is delivered."""
        projections.catch_up()
        outbox.catch_up()
        self.table.refresh_from_db()
        return self

    def back(self) -> int:
        """A version between two acts, early in the match: bricks are still to be drawn."""
        return hosting.rewindable(self.match)[6]

    def reopens(self, to_version: int | None = None, by: Account | None = None) -> int:
        """The season has it played on; the table isn't told yet."""
        to = self.back() if to_version is None else to_version
        self.act(lambda it, caller: results.reopen(it, caller, str(self.match), to, WHY), by)
        return to

    def refuses(self, to_version: int | None = None, by: Account | None = None) -> str:
        """The code that playing on is refused with, in preview and act."""
        to = self.back() if to_version is None else to_version
        asked = {
            "by": by or self.organiser,
            "decide": lambda it, caller: results.reopen(it, caller, str(self.match), to, WHY),
        }
        foreseen = refused(partial(services.preview, season_id=self.id, **asked))
        assert foreseen == refused(partial(self.act, **asked))
        return foreseen.partition(":")[0]

    def plays_on(self) -> int:
        """The season has it played on, the table is told, and its host lets it go on."""
        to = self.reopens()
        process_manager.settle_tables(self.id)
        hosting.resume(match_id=self.match, by=self.organiser.id, reason="Now.")
        self.table.refresh_from_db()
        return to


@cache
def played_twice() -> tuple[str, ...]:
    """The record of a match that was rewound after its end, with an ordinary rewind behind it."""
    season = Ended()
    season.plays_on()
    play_on(season.table, 4, Random(3))
    to = repository.version_of(season.match)
    play_on(season.table, 2, Random(4))
    hosting.rewind(match_id=season.match, by=season.organiser.id, to_version=to, reason="A slip.")
    season.ends()
    return tuple(exported(season.table))


def test_finished_match_is_reopened_with_another_seed_and_reported_at_its_new_end() -> None:
    season = Ended()
    then, first = repository.load(season.match), season.table.finished_at
    to = season.plays_on()
    now, back = repository.load(season.match), repository.load(season.match, upto=to)
    assert (now.state, now.lifecycle.outcome, now.lifecycle.seed) == (back.state, None, None)
    assert (season.table.status, season.table.finished_at, now.lifecycle.reopened) == ("running", None, 1)
    assert list(season.table.needs), "Somebody is to move."
    assert season_repository.load(season.id).matches[str(season.match)].status == "scheduled"
    season.ends()
    ended = repository.load(season.match).lifecycle
    assert season.types().count("death_match_finished") == 2
    assert season.table.finished_at and first and season.table.finished_at > first
    assert ended.seed and then.lifecycle.seed and seeds.commitment(bytes.fromhex(ended.seed)) == then.lifecycle.seed
    season.act(lambda it, by: results.approve(it, by, str(season.match)))
    assert "player_eliminated" in season.types()


def test_reopened_match_is_paused_until_its_host_resumes_it() -> None:
    season = Ended()
    season.reopens()
    process_manager.settle_tables(season.id)
    season.table.refresh_from_db()
    assert (season.table.status, season.table.deadline.falls_at) == ("paused", None)
    assert types(season.table)[-2:] == ["match_rewound", "match_paused"]
    hosting.resume(match_id=season.match, by=season.organiser.id, reason="Now.")
    season.table.refresh_from_db()
    assert season.table.deadline.falls_at is not None


def test_revealed_seed_does_not_predict_draws_after_the_rewind() -> None:
    """Whoever has the record of the first end computes the draws of the next line with all that stands in it."""
    season = Ended()
    known = repository.load(season.match).lifecycle.seed
    assert known
    season.plays_on()
    now = repository.load(season.match)
    leaked = seeds.of_line(seeds.key_of(bytes.fromhex(known), now.lifecycle), now.lifecycle.rewinds)
    drawn = seeds.chance_of(season.match, now.lifecycle, now.game_version).draws("brick").below(2**64)
    assert Chance(leaked).at(now.game_version).draws("brick").below(2**64) != drawn
    sealed = seeds.seed_of(season.match, 1)
    told = "".join(exported(season.table))
    assert known in told and sealed.hex() not in told
    assert export.standing(season.match).seed_commitment == seeds.commitment(sealed) == known


def test_reopening_a_match_hides_its_revealed_secrets() -> None:
    season = Ended()
    opened = [json.loads(line) for line in exported(season.table)]
    assert any(line.get("secret") for line in opened)
    season.plays_on()
    told = [json.loads(line) for line in exported(season.table)]
    assert not told[0]["finished"] and not any(line.get("secret") for line in told)
    verify(exported(season.table))
    player, story = str(season.players[3].id), entitlements.lifecycle_for(season.match, None)
    assert entitlements.witness_of(story, player, None) == 0
    for asked in ("host", "seat:1"):
        with pytest.raises(entitlements.NotEntitled):
            entitlements.witness_of(story, player, asked)


def test_spectators_told_late_of_the_old_end_see_nothing_of_the_new_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season = Stored(spectator_delay=600).opened()
    table = Match.objects.get(id=season.match)
    play_to_the_end(table, Random(5))
    end = repository.version_of(season.match)
    for reader in (feed, entitlements):
        monkeypatch.setattr(reader, "visible_state", lambda *_: repository.load(season.match, SPECTATOR, upto=end))
    process_manager.MATCH_ENDS.deliver(season.match)
    assert entitlements.lifecycle_for(season.match, None).over
    to = next(row.version for row in store.read(season.match) if row.type == "match_started")
    season.act(lambda it, by: results.reopen(it, by, str(season.match), to, WHY))
    process_manager.settle_tables(season.id)
    assert not entitlements.lifecycle_for(season.match, None).over
    hosting.resume(match_id=season.match, by=season.organiser.id, reason="Now.")
    play_to_the_end(table, Random(6))
    assert not entitlements.lifecycle_for(season.match, None).over, "Of this end they aren't told yet."


def test_delayed_spectators_export_contains_no_secret_of_the_new_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Spectators hear of the rewind as late as of all else: until then they would have the hands that are played on."""
    season = Stored(spectator_delay=600).opened()
    table = Match.objects.get(id=season.match)
    play_to_the_end(table, Random(5))
    end = repository.version_of(season.match)
    monkeypatch.setattr(store, "aged", lambda *_: end)
    process_manager.MATCH_ENDS.deliver(season.match)
    assert any(json.loads(line).get("secret") for line in export.export(season.match, SPECTATOR))
    to = next(row.version for row in store.read(season.match) if row.type == "match_started")
    season.act(lambda it, by: results.reopen(it, by, str(season.match), to, WHY))
    process_manager.settle_tables(season.id)
    taken = [line.decode() for line in export.export(season.match, SPECTATOR)]
    assert not any(json.loads(line).get("secret") for line in taken)
    told = verify(taken)
    assert not json.loads(taken[0])["finished"] and to < told["events"] < end
    monkeypatch.setattr(store, "aged", lambda *_: repository.version_of(season.match))
    taken = [line.decode() for line in export.export(season.match, SPECTATOR)]
    assert verify(taken)["events"] == repository.version_of(season.match)
    assert not any(json.loads(line).get("secret") for line in taken)


def test_a_result_falls_out_of_its_players_records_until_the_new_end() -> None:
    season = Ended()
    assert PlayerResult.objects.filter(match_id=season.match).count() == 2
    season.plays_on()
    season.told()
    assert not PlayerResult.objects.filter(match_id=season.match).exists()
    season.ends()
    assert PlayerResult.objects.filter(match_id=season.match).count() == 2


def test_each_end_of_a_reopened_match_is_notified() -> None:
    season = Ended()
    player = season.players[3]
    notices.set_webhook(player, "https://example.org/told")
    Webhook.objects.filter(account=player).update(made_at=season.table.opened_at)
    told = Notice.objects.filter(webhook__account=player, match_id=season.match)
    notices.queue_new_notices()
    season.plays_on()
    season.ends()
    notices.queue_new_notices()
    assert list(told.filter(kind="match_over").order_by("made_at").values_list("about", flat=True)) == ["end", "end 2"]
    assert "with draws from another seed" in sentences_of(season)


def sentences_of(season: Ended) -> str:
    """The match's record as spectators read it."""
    return " ".join(
        line.text
        for line in record.lines(
            repository.load(season.match, SPECTATOR),
            season.match,
            record.witnessed_events(season.match, SPECTATOR, 0, repository.version_of(season.match)),
            ["Ada", "Bela"],
        )
    )


def test_approval_is_refused_while_the_table_plays_again() -> None:
    season = Ended()
    season.reopens()
    for told in (False, True):
        if told:
            process_manager.settle_tables(season.id)
        approval = refused(lambda: season.act(lambda it, by: results.approve(it, by, str(season.match))))
        assert approval.partition(":")[0] == "not_finished"


def test_rewind_and_each_end_happen_once_despite_killed_consumers() -> None:
    season = Ended()
    season.reopens()
    assert killed("season_tables", season.id) >= 6
    assert types(season.table).count("match_rewound") == 1
    hosting.resume(match_id=season.match, by=season.organiser.id, reason="Now.")
    play_to_the_end(season.table, Random(5))
    assert killed("season_results", season.match) >= 6
    assert season.types().count("death_match_finished") == 2


def test_old_end_delivered_late_is_not_taken_for_the_new_one() -> None:
    season = Ended()
    season.reopens()
    process_manager.MATCH_ENDS.deliver(season.match)
    process_manager.settle_tables(season.id)
    process_manager.MATCH_ENDS.deliver(season.match)
    assert season.types().count("death_match_finished") == 1
    assert season_repository.load(season.id).matches[str(season.match)].status == "scheduled"


def test_a_match_can_be_played_on_again_after_its_next_end_and_be_declared_void() -> None:
    season = Ended()
    season.plays_on()
    season.ends()
    season.plays_on()
    hosting.void(match_id=season.match, by=season.organiser.id, reason="Enough.")
    season.told()
    told = verify(exported(season.table))
    assert (told["seeds"], told["outcome"]) == (3, None)
    replay.judged(exported(season.table))
    assert season_repository.load(season.id).matches[str(season.match)].status == "annulled"


def test_reopening_is_refused_if_the_result_counts_or_the_version_is_invalid() -> None:
    season = Ended()
    end = repository.version_of(season.match)
    hosting.rule(match_id=season.match, by=season.organiser.id, text="So it was.")
    hosting.rule(match_id=season.match, by=season.organiser.id, text="So it stays.")
    for to, code in ((1, "no_such_version"), (end - 2, "amid_an_act"), (end, "no_such_version")):
        assert season.refuses(to) == code, to
    assert (season.refuses(end + 1), season.refuses(end + 9)) == ("no_such_version", "no_such_version")
    season.act(lambda it, by: results.approve(it, by, str(season.match)))
    assert season.refuses() == "already_approved"
    for nobody in (season.players[0], new_account()):
        assert season.refuses(by=nobody) == "forbidden"


def test_match_from_before_further_seeds_cannot_be_reopened() -> None:
    """The previous release opens matches on this schema too, and knows of no root."""
    season = Ended()
    with owner() as hand:
        hand.execute("UPDATE matches_seed SET root = NULL WHERE match_id = %s", [season.match])
    assert season.refuses() == "no_further_seed"
    assert not seeds.faults([season.match])


def test_after_its_last_seed_a_match_can_not_be_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "LAST", 1)
    season = Ended()
    season.plays_on()
    season.ends()
    assert season.refuses() == "no_further_seed"


def test_each_seed_is_the_commitment_of_the_next() -> None:
    root = bytes(range(32))
    assert seeds.seed_from(root, 16) == root
    assert all(seeds.commitment(seeds.seed_from(root, n + 1)) == seeds.seed_from(root, n).hex() for n in range(16))


def test_exchanged_root_is_detected_before_anything_is_drawn_from_it() -> None:
    season = Ended()
    sealed = seeds._box().encrypt(b"x" * 32)
    with owner() as hand:
        hand.execute("UPDATE matches_seed SET root = %s WHERE match_id = %s", [sealed, season.match])
    seeds._unsealed.cache_clear()
    assert "root" in seeds.faults([season.match])[season.match]
    with pytest.raises(repository.BrokenRecord):
        seeds.seed_of(season.match, 1)


def test_no_column_contains_a_further_seed_or_the_root() -> None:
    season = Ended()
    (kept,) = seeds._fetched([season.match])
    root = seeds.decrypted(season.match, kept[3])
    needles = [root, seeds.seed_of(season.match, 1), seeds.seed_of(season.match, 2)]
    told = "".join(exported(season.table)).encode() + b"".join(bytes(it) for it in kept[1:] if it)
    assert not any(form in told for it in needles for form in (it, it.hex().encode()))


def test_preview_of_a_reopening_lists_what_the_end_revealed() -> None:
    season = Ended()
    known = services.preview(
        season_id=season.id,
        by=season.organiser,
        decide=lambda it, by: results.reopen(it, by, str(season.match), season.back(), WHY),
    ).known
    assert known[0].startswith("Known since the end: the seed")
    assert any(line.startswith("Known, and still in the game: seat A's") for line in known)
    assert any(line.startswith("Known, and taken back: seat B's") for line in known)


def test_record_of_a_reopened_match_is_verified_with_both_seeds() -> None:
    lines = list(played_twice())
    told = verify(lines)
    assert (told["seeds"], told["seed"]) == (2, True)
    assert {draw["line"] for draw in parsed(tuple(lines)) if "draw" in draw} == {0, 1, 2}
    export.replay(lines)
    assert replay.judged(lines).draws == [it for it in parsed(tuple(lines)) if "draw" in it]


def another_promise(lines: list[Line]) -> None:
    lines[0]["seed_commitment"] = lines[1]["public"]["seed_commitment"] = "ab" * 32


def another_later_promise(lines: list[Line]) -> None:
    _rewound(lines)["public"]["seed_commitment"] = "ab" * 32


def no_later_promise(lines: list[Line]) -> None:
    _rewound(lines)["public"]["seed_commitment"] = None


def another_later_seed_with_its_own_promise(lines: list[Line]) -> None:
    """The house chooses a seed once it knows the nonces, and promises that one."""
    seed = bytes(range(32))
    _rewound(lines)["public"]["seed_commitment"] = seeds.commitment(seed)
    _revealed(lines)[1]["public"]["seed"] = seed.hex()


def another_later_seed(lines: list[Line]) -> None:
    _revealed(lines)[1]["public"]["seed"] = bytes(range(32)).hex()


def the_first_seed_again(lines: list[Line]) -> None:
    first, second = _revealed(lines)
    second["public"]["seed"] = first["public"]["seed"]


def promised_at_another_rewind(lines: list[Line]) -> None:
    """The promise moves to the later rewind, which isn't one after an end."""
    first, second = (it for it in lines if it.get("type") == "match_rewound")
    moved = {"seed_commitment": first["public"].pop("seed_commitment")}
    second["public"] = dict(sorted((second["public"] | moved).items()))


def _rewound(lines: list[Line]) -> Line:
    return next(it for it in lines if it.get("type") == "match_rewound")


def _revealed(lines: list[Line]) -> list[Line]:
    return [it for it in lines if it.get("type") == "seed_revealed"]


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (another_promise, "the revealed seed is not the one that was promised"),
        (another_later_promise, "the seed before it doesn't promise the one"),
        (another_later_seed_with_its_own_promise, "the seed before it doesn't promise the one"),
        (no_later_promise, "another seed after its end, and only then"),
        (promised_at_another_rewind, "another seed after its end, and only then"),
        (another_later_seed, "the revealed seed is not the one that was promised"),
        (the_first_seed_again, "the revealed seed is not the one that was promised"),
    ],
)
def test_changed_commitment_or_seed_is_detected_in_a_rechained_record(
    tamper: Callable[[list[Line]], None], reason: str
) -> None:
    lines = parsed(played_twice())
    tamper(lines)
    rechain(lines, 1)
    with pytest.raises(Bad, match=reason):
        verify(written(lines))
    with pytest.raises(Bad):
        replay.judged(written(lines))


def test_the_rules_alone_hold_each_seed_against_the_one_before() -> None:
    lines = parsed(played_twice())
    another_later_seed(lines)
    with pytest.raises(Bad, match="the seed before it doesn't promise this one"):
        replay.judged(written(lines))


def test_draws_of_the_new_line_from_the_old_seed_are_detected() -> None:
    lines = parsed(played_twice())
    log = lines[1 : lines[0]["version"] + 1]
    seed = bytes.fromhex(_revealed(lines)[0]["public"]["seed"])
    key = croupier_verify._hmac(seed, croupier_verify._nonces_in(log))
    before = deepcopy(lines)
    for draw in (it for it in lines if it.get("line") == 1):
        stream = croupier_verify.words(seeds.of_line(key, 1), draw["at"], draw["purpose"])
        for step in draw["steps"]:
            step[2] = step[1][croupier_verify.below(stream, len(step[1]))]
        # By chance a draw of few may come out alike.
        if lines != before:
            break
    with pytest.raises(Bad, match="not the draw that the seed gives"):
        verify(written(lines))


def test_archive_that_counts_the_old_result_of_a_reopened_match_is_refused() -> None:
    season = Ended()
    season.plays_on()
    season.ends()
    season.act(lambda it, by: results.approve(it, by, str(season.match)))
    log = [
        {"version": row.version, "type": row.type, "public": json.loads(bytes(row.public))}
        for row in store.read(season.id)
    ]
    matches = {str(season.match): verify(exported(season.table))}
    croupier_verify._check_results(log, str(season.id), matches)
    forgotten = [it for it in log if it["type"] != "match_reopened"]
    with pytest.raises(Bad, match="another"):
        croupier_verify._check_results(forgotten, str(season.id), matches)


def test_earlier_version_of_a_reopened_match_is_loaded_unchanged() -> None:
    season = Ended()
    end = repository.version_of(season.match)
    then = repository.load(season.match, HOST, upto=end)
    season.plays_on()
    repository._cache.clear()
    again = repository.load(season.match, HOST, upto=end)
    assert (again.state, again.lifecycle) == (then.state, then.lifecycle)

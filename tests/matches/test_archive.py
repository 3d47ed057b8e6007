"""The archive of matches that ended long ago: every interface answers as before."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from msgspec.structs import replace

from config.deployment import archive as archive_settings
from events import archived, archiving, store
from events.archived import Segment
from events.records import NewEvent, Recorded
from games.kernel import Event
from matches.audit import verify_all
from matches.domain.events import MatchFinished, MatchOpened, MatchRewound, MatchStarted, MatchVoided, RulingPosted
from matches.models import Match
from matches.seasons import codec as season_codec
from matches.seasons.domain.events import SeasonReopened
from matches.seasons.models import Season
from matches.storage import codec as match_codec
from matches.storage import repository, seeds
from matches.workers import archiving as due_streams
from matches.workers.archiving import Tally
from tests.events.staging import one, owner
from tests.matches.test_audit import exported
from tests.seasons.test_final_corrections import finalists, played
from tests.table_setting import api, new_account, play_to_the_end, running_match


@pytest.fixture(scope="module")
def match() -> Match:
    """A finished friendly."""
    match = running_match("pyramid_poker", new_account(), new_account())
    play_to_the_end(match)
    return Match.objects.get(id=match.id)


def aged(match: Match, days: float) -> None:
    """Let its row say that it has been over for so many days."""
    Match.objects.filter(id=match.id).update(changed_at=store.clock() - timedelta(days=days))


def removed(stream: UUID) -> list[Segment]:
    """The stream put away, out of the log, and out of what this process remembers."""
    segments = archiving.archive(stream)
    with owner() as hand:
        for segment in segments:
            archiving.remove(hand, segment, due_streams.is_over)
    repository._cache.clear()
    seeds._unsealed.cache_clear()
    seeds._chance.cache_clear()
    archived._files = archived._Files(2**20)
    return segments


def pages_of(match: Match) -> list[bytes]:
    """Return the answers that contain the match."""
    reader = api(match.seats.get(number=0).account)
    paths = [f"/matches/{match.id}", f"/matches/{match.id}/events?limit=200", f"/matches/{match.id}/view?at=5",
             f"/matches/{match.id}/board.svg?at=9", f"/matches/{match.id}/history"]  # fmt: skip
    answers = [reader.get(path) for path in paths]
    assert [answer.status_code for answer in answers] == [200] * len(paths)
    return [without_clock(answer.content) for answer in answers]


def without_clock(content: bytes) -> bytes:
    """All but the instant at which it was told."""
    return b",".join(part for part in content.split(b",") if b'"server_now"' not in part)


def test_pages_and_record_of_an_archived_match_stay_the_same(match: Match) -> None:
    pages, record = pages_of(match), exported(match.id)
    assert removed(match.id)
    assert pages_of(match) == pages
    # A newer checkpoint may cover it by now.
    assert exported(match.id)[1:-1] == record[1:-1]
    checked = verify_all.check([match.id], rules=True)
    assert checked.broken == [] and checked.events == match.version and checked.draws > 0


def test_match_is_due_for_archiving_long_after_its_end_and_archived_once() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    aged(match, 40)
    assert match.id not in {it.stream for it in due_streams.due(30)}, "it isn't over"
    play_to_the_end(match)
    assert match.id not in {it.stream for it in due_streams.due(30)}, "it has just ended"
    aged(match, 40)
    assert match.id in {it.stream for it in due_streams.due(30)}
    tally = due_streams.archive_stream(match.id, Tally())
    assert (tally.streams, tally.failed) == (1, 0) and tally.bytes > 0
    assert match.id not in {it.stream for it in due_streams.due(30)}


def test_match_of_a_season_is_not_archived_before_the_season_ends() -> None:
    long_ago = store.clock() - timedelta(days=90)
    season_id, organiser = uuid4(), new_account()
    Season.objects.create(
        id=season_id, title="It goes on", status="running", version=1, public=True, opened_by=organiser,
        opened_at=long_ago, changed_at=long_ago,
    )  # fmt: skip
    played = running_match("pyramid_poker", new_account(), new_account())
    play_to_the_end(played)
    Match.objects.filter(id=played.id).update(season=season_id)
    aged(played, 40)
    both = {played.id, season_id}
    assert not both & {it.stream for it in due_streams.due(30)}
    Season.objects.filter(id=season_id).update(status="finished")
    assert both <= {it.stream for it in due_streams.due(30)}
    Match.objects.filter(id=played.id).update(season=None)
    Season.objects.filter(id=season_id).delete()


def test_archive_task_does_nothing_without_a_configured_age(match: Match) -> None:
    assert settings.ARCHIVE_DAYS == 0
    assert due_streams.archive_old() == Tally()


def test_missing_archive_is_answered_with_503_archive_unavailable(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed(match.id)
    monkeypatch.setattr(archived, "storage", lambda: _Away())
    answer = api(match.seats.get(number=0).account).get(f"/matches/{match.id}")
    assert (answer.status_code, answer.json()["code"]) == (503, "archive_unavailable")
    assert answer.headers["Retry-After"] == "60"


class _Away:
    """A storage whose server doesn't answer."""

    def open(self, name: str) -> Any:
        """Raise what no standard library does."""
        raise RuntimeError("no route to host, with a password in it")


def told_by(*args: str, **options: Any) -> str:
    """Return the command's output."""
    out = StringIO()
    call_command("archive", *args, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_archive_command_reports_a_dry_run_archives_and_removes_after_the_grace() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    play_to_the_end(match)
    aged(match, 400)
    assert "Due: " in told_by("--days", "365", "--dry-run")
    assert match.id in {it.stream for it in due_streams.due(365)}, "a dry run changes nothing"
    assert "Archived: " in told_by("--days", "365")
    assert "Removed from the database: 0 events" in told_by("--remove", "--grace", "1")
    assert "Removable: " in told_by("--remove", "--grace", "0", "--dry-run")
    assert "Due: 0 leaves of checkpoints." in told_by("--days", "365", "--remove", "--grace", "0", "--dry-run")
    with suppress(CommandError):
        # Of other tests' files some are damaged; they hold nothing else up.
        told_by("--remove", "--grace", "0")
    with owner() as hand:
        assert one(hand, "SELECT count(*) FROM events_event WHERE stream = %s", match.id) == 0
    repository._cache.clear()
    assert repository.load(match.id).version == Match.objects.get(id=match.id).version


def test_owner_role_does_not_archive_a_running_match_that_a_row_calls_finished() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    (segment,) = archiving.archive(match.id)
    Match.objects.filter(id=match.id).update(status=Match.Status.FINISHED)
    with owner() as hand, pytest.raises(archiving.NotOver):
        archiving.remove(hand, segment, due_streams.is_over)
    warnings = StringIO()
    with suppress(CommandError):
        call_command("archive", "--remove", "--grace", "0", stdout=StringIO(), stderr=warnings)
    assert f"{match.id} isn't over" in warnings.getvalue()
    with owner() as hand:
        assert one(hand, "SELECT count(*) FROM events_event WHERE stream = %s", match.id) == segment.last
    play_to_the_end(match)
    assert [it.last for it in removed(match.id)] == [Match.objects.get(id=match.id).version]


def stored(pack: Callable[[Event], NewEvent], log: Sequence[Event]) -> list[Recorded]:
    """The rows of such a stream, as far as folding asks for them."""
    return [
        Recorded(number, new.type, new.schema, new.public, new.secret, new.audience, None, "", store.clock(), b"")
        for number, new in enumerate(map(pack, log), start=1)
    ]


def opening_of(match: Match) -> MatchOpened:
    """The first event of a stored match."""
    return match_codec.unpack_opening(store.read(match.id, upto=1)[0])


FINISHED = MatchFinished(winners=(0,), ranking=((0,), (1,)), reason="played", score={})
OUTCOMES: dict[str, tuple[list[Event], bool]] = {
    "waiting": ([], False),
    "running": ([MatchStarted(reason="")], False),
    "finished": ([MatchStarted(reason=""), FINISHED], True),
    "void": ([MatchVoided(reason="")], True),
    "a ruling after the end": ([FINISHED, RulingPosted(text="")], True),
    "played on after the end": ([FINISHED, MatchRewound(1, "", seed_commitment="ab")], False),
}


@pytest.mark.parametrize("story", OUTCOMES)
def test_match_is_over_by_its_own_events(match: Match, story: str) -> None:
    log, over = OUTCOMES[story]
    rows = stored(match_codec.pack, [opening_of(match), *log])
    assert due_streams.is_over(match.id, {match.id: rows}.__getitem__) is over


@pytest.mark.parametrize("champions", [0, 1, 2])
def test_match_of_a_season_is_over_once_its_season_is(match: Match, champions: int) -> None:
    paper, season = played(finalists(), 0), uuid4()
    if champions:
        played(paper, 0)
    if champions == 2:
        paper.happen([SeasonReopened(reason="")])
    of_it = replace(opening_of(match), season=str(season))
    streams = {match.id: stored(match_codec.pack, [of_it, FINISHED]), season: stored(season_codec.pack, paper.log)}
    for stream in streams:
        assert due_streams.is_over(stream, streams.__getitem__) is (champions == 1)


def test_unreadable_stream_is_not_taken_for_over(match: Match) -> None:
    named_as_season = stored(match_codec.pack, [replace(opening_of(match), season=str(match.id)), FINISHED])
    cut = stored(match_codec.pack, [FINISHED])
    unknown = [opening._replace(public=b"{}") for opening in named_as_season]
    for rows in (named_as_season, cut, unknown, []):
        assert not due_streams.is_over(match.id, {match.id: rows}.__getitem__)


@pytest.mark.parametrize("args", [(), ("--days", "-1"), ("--days", "soon"), ("--remove", "--grace", "nan")])
def test_archive_command_refuses_invalid_arguments(args: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        told_by(*args)


@pytest.mark.parametrize("address", ["s3://", "s3://bucket?key=1", "s3://bucket?endpoint=minio:9000", "ftp://host/x"])
def test_invalid_archive_address_is_refused_with_the_expected_form(address: str, tmp_path: Any) -> None:
    with pytest.raises(archive_settings.ImproperlyConfigured, match="CROUPIER_ARCHIVE is a folder"):
        archive_settings.storage(address, tmp_path)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[None]:
    """The archive in a bucket of a server that speaks S3."""
    import boto3
    from django.core.files.storage.handler import StorageHandler
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    endpoint = f"http://127.0.0.1:{port}"
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "archivist")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a key of the test's own")
    boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1").create_bucket(Bucket="records")
    entry = archive_settings.storage(f"s3://records/croupier?endpoint={endpoint}&region=us-east-1", tmp_path)
    monkeypatch.setattr(archived, "storage", lambda: StorageHandler({"archive": entry})["archive"])
    yield
    server.stop()


@pytest.mark.slow
def test_bucket_stores_records_as_a_folder_does(bucket: None) -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    play_to_the_end(match)
    archiving.archive(match.id)
    (segment,) = archived.segments(store.raw_connection(), match.id, 0, match.version)
    assert archived.read(segment) == store.read(match.id)
    archived.storage().delete(segment.name)
    with pytest.raises(archived.ArchiveUnavailable):
        archived.fetched(segment)

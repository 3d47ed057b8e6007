"""Uploaded portraits: what is kept of a file, what is refused, who takes one down, and that erasure leaves nothing."""

import pytest

from matches.accounts import access_log, erasure, picture_program, portraits
from matches.accounts.access_log import Actor, Door
from matches.accounts.picture_program import Refused, redrawn
from matches.domain.portraits import FACES, address, nobody_address
from matches.models import AccessEntry, UploadedPicture
from tests.matches import uploads
from tests.table_setting import new_account


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_upload_is_cropped_to_four_by_five_and_stored_as_jpeg(kind: str) -> None:
    portrait = uploads.opened(redrawn(uploads.picture(kind, (900, 300))))
    assert (portrait.format, portrait.size, portrait.mode) == ("JPEG", (400, 500), "RGB")
    assert all(abs(a - b) < 8 for a, b in zip(portrait.getpixel((200, 250)), (200, 30, 60), strict=True))


def test_upload_loses_its_metadata() -> None:
    sent = uploads.located()
    assert b"Camera of Ada" in sent and b"at home" in sent
    jpeg = redrawn(sent)
    assert not any(word in jpeg for word in (b"Exif", b"Camera", b"at home", b"ICC_PROFILE", b"xpacket"))
    assert not uploads.opened(jpeg).getexif()


@pytest.mark.parametrize(("turn", "white"), [(1, (200, 40)), (3, (200, 460)), (6, (360, 250)), (8, (40, 250))])
def test_upload_is_rotated_as_its_metadata_says(turn: int, white: tuple[int, int]) -> None:
    portrait = uploads.opened(redrawn(uploads.located((400, 400), turn)))
    assert min(portrait.getpixel(white)) > 230


def test_animation_is_stored_as_its_first_frame() -> None:
    red, _, blue = uploads.opened(redrawn(uploads.moving())).getpixel((200, 250))
    assert red > 200 and blue < 60


def test_transparent_pixels_become_paper() -> None:
    assert min(uploads.opened(redrawn(uploads.picture(colour=(0, 0, 0, 0)))).getpixel((200, 250))) > 230


@pytest.mark.parametrize(
    ("sent", "rule"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "no PNG, JPEG or WebP"),
        (b"GIF89a" + bytes(40), "no PNG, JPEG or WebP"),
        (uploads.picture("GIF"), "no PNG, JPEG or WebP"),
        (uploads.picture("TIFF"), "no PNG, JPEG or WebP"),
        (uploads.picture("JPEG", (1000, 1000), quality=95)[:3000], "read to its end"),
        (uploads.picture(size=(79, 500)), "at least 80 x 100"),
        (uploads.picture(size=(500, 99)), "at least 80 x 100"),
        (uploads.bomb(50_000, 50_000), "at most 30 million pixels"),
        (uploads.bomb(2**31 - 1, 2**31 - 1), "at most 30 million pixels"),
        (b"", "no PNG, JPEG or WebP"),
    ],
    ids=["svg", "half a gif", "gif", "tiff", "cut off", "narrow", "flat", "bomb", "largest", "nothing"],
)  # fmt: skip
def test_refused_picture_names_the_rule(sent: bytes, rule: str) -> None:
    with pytest.raises(Refused, match=rule):
        redrawn(sent)


def test_decompression_bomb_is_refused_by_its_header_within_little_memory() -> None:
    """In the process that serves nobody else: it may take one gigabyte at most, and says so in the house's words."""
    with pytest.raises(portraits.BadPicture, match="million pixels"):
        portraits.redrawn(uploads.bomb(60_000, 60_000))
    assert uploads.opened(portraits.redrawn(uploads.picture("JPEG", (6000, 5000)))).size == picture_program.SIZE


def test_crash_of_the_image_process_refuses_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portraits, "_PROGRAM", "/nowhere.py")
    with pytest.raises(portraits.BadPicture, match="save it anew"):
        portraits.redrawn(uploads.picture())


def test_two_accounts_never_have_the_same_face() -> None:
    one, other = new_account(), new_account()
    assert one.portrait == address(one.id, 0) and one.portrait.startswith("/portraits/1-person-")
    theirs = {address(one.id, number) for number in range(FACES)}
    assert len(theirs) == FACES and theirs.isdisjoint(address(other.id, number) for number in range(FACES))


def test_same_picture_of_two_accounts_is_stored_and_removed_separately() -> None:
    one, other = new_account(), new_account()
    for account in (one, other):
        portraits.upload(account.id, uploads.picture())
        account.refresh_from_db()
    assert one.portrait != other.portrait
    assert portraits.remove(one.id) and not portraits.remove(one.id)
    assert UploadedPicture.objects.filter(account=other).exists()


def test_second_upload_replaces_the_first() -> None:
    account = new_account()
    for colour in ((1, 2, 3), (200, 100, 50), (200, 100, 50)):
        portraits.upload(account.id, uploads.picture(colour=colour))
    account.refresh_from_db()
    assert [it.name for it in UploadedPicture.objects.filter(account=account)] == [account.portrait_picture]


def test_picture_taken_down_by_an_official_is_logged_with_its_reason() -> None:
    official, account = new_account(is_staff=True), new_account()
    actor = Actor(official.id, Door.PANEL)
    assert not portraits.take_down(account.id, "Nothing there.", actor)
    assert not AccessEntry.objects.filter(account=account.id).exists()
    portraits.upload(account.id, uploads.picture())
    assert portraits.take_down(account.id, "It shows another person.", actor)
    account.refresh_from_db()
    assert account.portrait == address(account.id, 0) and not UploadedPicture.objects.filter(account=account).exists()
    (entry,) = access_log.unseen(account.id)
    assert entry.who == official.username and entry.what == "took down the uploaded portrait: It shows another person."


def test_upload_that_ends_after_an_erasure_stores_nothing() -> None:
    """Its request came in before; the picture took its time."""
    account = new_account()
    erasure.erase(account.id)
    with pytest.raises(portraits.BadPicture, match="account"):
        portraits.upload(account.id, uploads.picture())
    portraits.choose_face(account.id, 3)
    account.refresh_from_db()
    assert account.portrait == nobody_address()
    assert not UploadedPicture.objects.filter(account=account).exists()


def test_erasure_deletes_picture_and_face() -> None:
    account = new_account()
    portraits.choose_face(account.id, 7)
    portraits.upload(account.id, uploads.picture())
    erasure.erase(account.id)
    account.refresh_from_db()
    assert account.portrait == nobody_address()
    assert (account.portrait_face, account.portrait_picture) == (None, "")
    assert not UploadedPicture.objects.filter(account=account.id).exists()

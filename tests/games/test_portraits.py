"""Portraits: the same seed gives the same picture for ever, and what stands in one is harmless wherever it is shown."""

from hashlib import sha256
from xml.etree import ElementTree

import pytest

from games.drawing.portraits import KINDS, NOBODY, draw, seed_of
from games.drawing.portraits.palette import GROUNDS, SKINS, apart, distance

SEEDS = [seed_of(kind, f"{kind} {number}") for kind in KINDS for number in range(60)]
DRAWN = {
    "1-person-db51eb6b847574c9": "eef4c61f884c47c4c11875c3e1a56ef0",
    "1-person-6eaebaeb747e5d5f": "1d3d25118959cf5f91b75b6218fe7d6c",
    "1-person-b2f960572a2f4e8a": "81e61735de17ab04ec294ad93419b099",
    "1-person-693884150adfe874": "0580b658c1f578e2cb3612e566b2aca1",
    "1-person-794335293202dbdd": "32db1bd41365bd1506a59f507846554a",
    "1-person-641e63757c800b49": "778a4f05094b214e296fe6a1d5fc212a",
    "1-bot-db51eb6b847574c9": "98f76a3d82a0d340d660a5a8cfcdcd2e",
    "1-bot-6eaebaeb747e5d5f": "6ba301886d897593726e7f90abb5332a",
    "1-guest-db51eb6b847574c9": "e870be40ff3fc8e75451a4fc5a301833",
    "1-guest-6eaebaeb747e5d5f": "eecbdc8dbdb1dd045eb53e1a8c41896c",
    "1-nobody-0000000000000000": "0c83bf9a941b76fde8206d703274737a",
}


@pytest.mark.parametrize("seed", DRAWN)
def test_a_face_that_somebody_has_is_drawn_the_same_for_ever(seed: str) -> None:
    """Fail if the grammar has changed: then keep version 1 as it is, and give the new grammar its own version."""
    assert sha256(draw(seed).encode()).hexdigest()[:32] == DRAWN[seed]


def test_a_portrait_is_small_well_formed_and_holds_nothing_but_shapes() -> None:
    for seed in SEEDS:
        drawn = draw(seed)
        assert len(drawn.encode()) < 4096, seed
        for element in ElementTree.fromstring(drawn).iter():  # noqa: S314  our own
            assert element.tag.rpartition("}")[2] in ("svg", "g", "path", "circle", "ellipse"), seed
            assert not {"id", "class", "style", "href"} & element.attrib.keys(), seed


def test_seeds_give_many_faces() -> None:
    people = {draw(seed_of("person", str(number))) for number in range(300)}
    assert len(people) == 300


def test_every_hair_cover_and_collar_can_be_drawn() -> None:
    """Each name in the grammar's lists has its shape: no seed is without a picture."""
    for number in range(600):
        draw(seed_of("person", f"any {number}"))


@pytest.mark.parametrize(
    "wrong", ["", "1-person-", "2-person-0000000000000000", "1-cat-0000000000000000", "1-person-000000000000000G",
              f"{NOBODY}\n", "1-person-0000000000000000<", "1-person-٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠"],
)  # fmt: skip
def test_invalid_seed_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="no seed"):
        draw(wrong)


def test_a_seed_does_not_tell_the_words_it_was_made_of() -> None:
    assert "Mira" not in seed_of("person", "Mira") and seed_of("person", "Mira") != seed_of("person", "mira")


def test_background_differs_clearly_from_each_skin() -> None:
    for skin in SKINS:
        for ground in apart(GROUNDS, skin.light, skin.shade, least=100):
            assert min(distance(a, b) for a in ground for b in (skin.light, skin.shade)) >= 100

"""The portrait of a person. Each feature depends on the seed alone, never on a name."""

from dataclasses import dataclass
from typing import Final, Literal

from games.drawing.portraits import clothes, hair, heads, palette
from games.drawing.portraits.chance import Chance
from games.drawing.portraits.grounds import PATTERNS, ground
from games.drawing.portraits.palette import Pair, Skin
from games.drawing.portraits.strokes import document, line, transformed

Age = Literal["young", "grown", "old"]
_AGES: Final[tuple[Age, ...]] = ("young", "young", "grown", "grown", "grown", "old")
_WIDTHS: Final = ((".96", "1.92"), (".98", ".96"), ("1", "0"), ("1.02", "-.96"), ("1.04", "-1.92"))
_HANGING: Final = frozenset(("bob", "braids", "hime", "long", "shag", "swept", "tail", "wavy"))
_STANDING: Final = frozenset(("afro", "bun", "buns", "cloud", "curls", "flat", "topknot"))
_BROW_WEIGHTS: Final = ("1.8", "2.2", "2.6", "3")


@dataclass(frozen=True)
class Looks:
    """The features that are chosen first, as others depend on them."""

    skin: Skin
    age: Age
    colour: str
    style: str
    cover: str
    worn: Pair
    covering: Pair

    @property
    def hides_hair(self) -> bool:
        """True if the headwear hides the hair, except hair that hangs down."""
        return self.cover in clothes.WHOLE


def person(chance: Chance) -> str:
    """Return the SVG document."""
    looks = _looks(chance)
    width, shift = chance.pick("width", _WIDTHS)
    scale = f"matrix({width} 0 0 1 {shift} 0)"
    cover = clothes.cover_before(looks.cover, looks.covering) if looks.cover else ""
    return document(
        _ground(chance, looks),
        transformed(_behind(looks), scale),
        clothes.dressed(chance.pick("collar", clothes.COLLARS), looks.worn, looks.skin),
        transformed(_head(chance, looks) + cover, scale),
    )


def _looks(chance: Chance) -> Looks:
    skin, age = chance.pick("skin", palette.SKINS), chance.pick("age", _AGES)
    fair = palette.SKINS.index(skin) < palette.DEEP
    colours = palette.HAIR if fair else palette.DARK_HAIR
    colour = chance.pick("hair colour", palette.unlike(colours, skin.light, skin.shade, least=70))
    if age == "old" or (age == "grown" and chance.one_in("greying", 8)):
        colour = chance.pick("grey", palette.GREY)
    style = chance.pick("hair", hair.STYLES)
    if style == "thin" and age == "young":
        style = "buzz"
    cover = chance.pick("cover", clothes.COVERS) if chance.one_in("covered", 4) else ""
    if cover and cover not in clothes.WHOLE and style in (*_STANDING, "bald", "thin"):
        cover = "" if cover == "band" else "hat"
    worn = chance.pick("clothes", palette.apart(palette.CLOTHES, skin.shade, least=110))
    covering = chance.pick("covering", palette.apart(palette.CLOTHES, skin.light, skin.shade, worn.main, least=90))
    return Looks(skin, age, colour, style, cover, worn, covering)


def _ground(chance: Chance, looks: Looks) -> str:
    """Draw a background that differs in colour from the hair, the face and the clothes."""
    top = looks.covering.main if looks.hides_hair else looks.skin.light if looks.style == "bald" else looks.colour
    choices = palette.apart(palette.GROUNDS, top, looks.skin.light, looks.skin.shade, looks.worn.main, least=100)
    return ground(chance.pick("pattern", tuple(PATTERNS)), chance.pick("ground", choices))


def _behind(looks: Looks) -> str:
    if looks.cover == "headscarf":
        return clothes.scarf_behind(looks.covering)
    if looks.cover == "turban" or (looks.hides_hair and looks.style not in _HANGING):
        return ""
    return hair.behind(looks.style, looks.colour)


def _head(chance: Chance, looks: Looks) -> str:
    skin, hangs = looks.skin, looks.style in _HANGING
    ears = looks.style in hair.SHORT and looks.cover not in ("headscarf",)
    old = looks.age == "old"
    brow = looks.colour if looks.style != "bald" or old else palette.DARK_HAIR[2]
    drawn = [
        heads.head(chance.pick("head", tuple(heads.HEADS)), skin, ears=ears),
        heads.wrinkles(skin) if old else "",
        heads.freckles(skin) if not old and not skin.lid and chance.one_in("freckles", 6) else "",
        heads.blush(skin) if chance.one_in("blush", 3) else "",
        heads.eyes(chance.pick("eyes", tuple(heads.EYES)), skin),
        line(chance.pick("brows", heads.BROWS), _visible_on(skin, brow), chance.pick("brow weight", _BROW_WEIGHTS)),
        line(chance.pick("nose", heads.NOSES), skin.shade, "1.8"),
        heads.mouth(chance.pick("mouth", heads.MOUTHS), skin),
    ]
    if looks.cover != "headscarf" and chance.one_in("bearded", 6 if hangs else 3):
        drawn.append(heads.beard(chance.pick("beard", heads.BEARDS), _visible_on(skin, looks.colour), skin))
    if not looks.hides_hair:
        drawn.append(hair.before(looks.style, looks.colour))
    if chance.one_in("glasses", 5):
        drawn.append(heads.glasses(chance.pick("frame", heads.GLASSES), skin))
    if looks.cover != "headscarf" and chance.one_in("jewels", 4):
        drawn.append(chance.pick("jewel", (heads.earrings(), heads.rings())))
    return "".join(drawn)


def _visible_on(skin: Skin, colour: str) -> str:
    """Return the colour, or a near-black one if it is too similar to the skin."""
    return colour if palette.distance(colour, skin.light) > 45 else palette.DARK_HAIR[0]

"""Boards kept as pictures that a person can look at; a change of a picture shows itself.

They are written anew, to be looked at before they are kept, by

    WRITE_BOARDS=1 python -m pytest --noconftest tests/games -k golden_board
"""

import os
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).parent


def check_golden_board(slug: str, name: str, picture: str) -> None:
    """The picture is the one kept in `<slug>/boards/<name>.svg`, and is well-formed."""
    path = HERE / slug / "boards" / f"{name}.svg"
    ElementTree.fromstring(picture)  # noqa: S314
    if os.environ.get("WRITE_BOARDS") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    assert path.exists(), f"{path.name} isn't there yet; {__doc__}"
    assert picture == path.read_text(encoding="utf-8"), f"{slug} looks otherwise than in boards/{name}.svg. {__doc__}"

"""The aids of the game. All information is public, so aids only compute."""

from typing import Final

from games.kernel import Aid

AIDS: Final = {
    "fillings": Aid("all", "how many spaces a piece would fill and the points then, and at first where it fills most")
}

"""What the house shows a player beyond what lies open: everything does, so only what it computes."""

from typing import Final

from games.kernel import Aid

AIDS: Final = {
    "fillings": Aid("all", "how many spaces a piece would fill and the points then, and at first where it fills most")
}

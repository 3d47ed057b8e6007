"""How dates and times are written in English."""

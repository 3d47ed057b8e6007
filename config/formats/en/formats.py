"""The panel's lists are read in disputes: a day can't be mistaken, and the second and the zone are told."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i:s"
DATETIME_FORMAT = "j M Y, H:i:s e"

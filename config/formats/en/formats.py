"""Formats that can't be misread, with seconds and time zone, because the panel's lists are evidence in disputes."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i:s"
DATETIME_FORMAT = "j M Y, H:i:s e"

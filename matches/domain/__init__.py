"""The rules of a match around its game: events, lifecycle, host acts, clocks. Pure."""

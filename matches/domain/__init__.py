"""What a match is around its game: events, lifecycle, host acts, clocks. Pure."""

"""A stored match: its log read, checked, folded and cached; its seed, outages and read models."""

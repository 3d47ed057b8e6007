"""Storage of a match: reads, checks, folds and caches its log; its seed, outages and read models."""

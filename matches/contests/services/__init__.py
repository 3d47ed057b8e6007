"""Acts on contests, each in one transaction, and the slices in which trials are played."""

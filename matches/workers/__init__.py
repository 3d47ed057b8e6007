"""The worker's tasks: threads that play waiting matches in turn, flags, archiving and pruning."""

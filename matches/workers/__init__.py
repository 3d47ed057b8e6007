"""Code of the tasks: threads that serve waiting matches in turn, flags, archiving and pruning."""

"""What a season is: its events, its state, and the acts that lead from one to the next. Pure."""

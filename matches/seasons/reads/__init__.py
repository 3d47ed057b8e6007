"""What leaves about seasons: the gate, its documents and sentences, and which seasons there are for whom."""

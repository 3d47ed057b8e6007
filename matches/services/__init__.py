"""Acts on a match. Each is one transaction on the match's stream; nothing else appends to it."""

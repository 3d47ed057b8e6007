"""The live door: sockets and streams that tell what happens at a match as it happens."""

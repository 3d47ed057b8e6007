"""What the host and the games measure up to."""

"""What tasks run: threads that serve waiting matches in turn, and the flags that fall."""

"""Reading matches: the feed through which all views leave, made from a witness; lists and documents."""

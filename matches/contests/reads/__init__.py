"""Reading contests: who may see which, lists and documents."""

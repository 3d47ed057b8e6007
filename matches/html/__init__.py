"""What the doors that answer with pages share: who may come in, the match as a page shows it, form fields."""

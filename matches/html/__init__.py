"""Code that pages and panel share: access, the match as a page shows it, form fields."""

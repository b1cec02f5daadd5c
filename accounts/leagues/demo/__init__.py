"""A league to look at: people who are none, and matches that were really played (`manage.py demo`)."""

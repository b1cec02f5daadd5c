"""Every write about tables and games: one transaction a verb, keyword-only, time as an argument."""

"""The servers of `make run`: PostgreSQL and Valkey from wheels, the web, the worker and the beat, under one supervisor.

`python -m remi_site.local run` serves; `python -m remi_site.local manage …` runs a Django command on the same database.
Nothing here is used in production, where DATABASE_URL and BROKER_URL name servers that others keep.
"""

"""The history of the database, run when a server opens one (store.py)."""

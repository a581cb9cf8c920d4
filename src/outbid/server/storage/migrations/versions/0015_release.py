"""The database of the first release. Its tables are in schema.py; what later releases change in them follows here."""

revision = "0015"
down_revision = None

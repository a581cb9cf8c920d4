"""The database: tables, moves, people; SQLite and PostgreSQL."""

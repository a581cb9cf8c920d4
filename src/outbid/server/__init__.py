"""The table server: tables of all games over HTTP and WebSockets, kept in one database (docs/server.md)."""

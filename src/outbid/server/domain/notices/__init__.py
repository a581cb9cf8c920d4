"""What tells people that it is their turn: who is told when, and how it leaves the server."""

"""What an operator does, and what goes to people, is kept in the database."""

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add it."""

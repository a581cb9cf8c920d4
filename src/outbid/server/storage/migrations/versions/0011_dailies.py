"""The deal of the day: which tables have it, and what bots made of it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """The day of a table, and the results of bots."""
    op.add_column("tables", sa.Column("day", sa.String(10)))
    op.create_table(
        "dailies",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("bot", sa.String(64), primary_key=True),
        sa.Column("format", sa.String(80), nullable=False),
        sa.Column("results", sa.JSON, nullable=False),
    )

"""Clocks whose deadlines survive the server, and automatic moves."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Clocks and automatic moves."""
    op.add_column("tables", sa.Column("clock", sa.String(16), nullable=False, server_default=""))
    op.create_table(
        "clocks",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("rest", sa.Float, nullable=False),
        sa.Column("due", sa.Float),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("missed", sa.Integer, nullable=False),
        sa.Column("votes", sa.Integer, nullable=False),
    )
    op.create_index("clocks_due", "clocks", ["due"])
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "standing",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("about", sa.String(64), primary_key=True),
        sa.Column("wants", sa.JSON, nullable=False),
    )

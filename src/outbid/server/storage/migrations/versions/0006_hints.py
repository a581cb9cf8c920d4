"""Hints that were taken, and the ladder."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Hints and ratings."""
    op.add_column("tables", sa.Column("hints", sa.String(8), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("hints", sa.Integer, nullable=False, server_default="0"))
    op.add_column("names", sa.Column("ladder", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "ratings",
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("player", sa.String(500), primary_key=True),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
    )

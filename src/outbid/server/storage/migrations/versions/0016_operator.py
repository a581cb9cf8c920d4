"""What an operator does, and what goes to people, is kept in the database."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the tables and columns of this revision."""
    op.create_table(
        "known_devices",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), nullable=False, index=True),
        sa.Column("left_at", sa.Float, nullable=False),
    )
    op.create_table(
        "erasures",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("mark", sa.String(32), nullable=False),
    )
    op.create_table(
        "orders",
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("subject", sa.String(300), primary_key=True),
        sa.Column("until", sa.Float),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("who", sa.String(8), nullable=False),
        sa.Column("act", sa.String(16), nullable=False),
        sa.Column("subject", sa.String(500), nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
    )
    op.create_table(
        "recoveries",
        sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.add_column("notices", sa.Column("keys", sa.String(200)))
    op.create_table(
        "push_keys",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
    )
    op.create_table(
        "vacations",
        sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), primary_key=True),
        sa.Column("begins", sa.Float, primary_key=True),
        sa.Column("ends", sa.Float, nullable=False),
    )
    op.add_column("tables", sa.Column("weekends", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("clocks", sa.Column("vacation", sa.Float, nullable=False, server_default="0"))

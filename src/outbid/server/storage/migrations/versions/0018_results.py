"""What people made of deals of the day is kept beside their tables."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Create the table of this revision."""
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("day", sa.String(10), nullable=False, index=True),
        sa.Column("code", sa.String(32), nullable=False, unique=True),
        sa.Column("came_by", sa.String(32)),
        sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("stood_in", sa.Integer, nullable=False),
    )

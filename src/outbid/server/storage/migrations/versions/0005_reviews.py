"""Reviews of finished matches."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Reviews."""
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("format", sa.String(32), nullable=False),
        sa.Column("review", sa.JSON, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )

"""Which seats a browser has."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """The seats of browsers."""
    op.create_table(
        "held",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("sealed", sa.String(128), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("held_of_table", "held", ["table_id"])

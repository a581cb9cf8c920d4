"""People who play together have a code to come by, colours of their own and a tally."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create the tables and columns of this revision."""
    op.create_table(
        "codes",
        sa.Column("code", sa.String(4), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.add_column("tables", sa.Column("evening", sa.String(32)))
    op.create_index("ix_tables_evening", "tables", ["evening"])
    op.add_column("seats", sa.Column("colour", sa.Integer))
    op.add_column("seats", sa.Column("won", sa.Boolean))

"""How many days in a row somebody has played the deal of the day is a number, which outlives the results before it."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the column of this revision."""
    op.add_column("results", sa.Column("streak", sa.Integer, nullable=False, server_default="1"))

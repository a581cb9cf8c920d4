"""What an operator does, and what goes to people, is kept in the database."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add it."""
    op.create_table(
        "erasures",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("mark", sa.String(32), nullable=False),
    )

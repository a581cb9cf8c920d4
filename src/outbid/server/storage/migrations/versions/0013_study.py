"""Whether the players of a table let the laboratory read their match."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Tables say so; those that are there do not."""
    op.add_column("tables", sa.Column("study", sa.Boolean, nullable=False, server_default=sa.false()))

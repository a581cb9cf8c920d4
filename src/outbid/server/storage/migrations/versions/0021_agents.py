"""Agents sit at tables, and people may talk with them: in the record of the match, and to one alone."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the columns of this revision."""
    op.add_column("seats", sa.Column("agent", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("talk", sa.String(8), nullable=False, server_default="none"))
    op.add_column("chat", sa.Column("to", sa.Integer))
    op.add_column("chat", sa.Column("after", sa.Integer))

"""Whose a message is, also of those who watch."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Messages say so; those that are there are whose the seat is."""
    op.add_column("chat", sa.Column("owner", sa.String(500)))
    op.create_index("chat_of_owner", "chat", ["owner"])

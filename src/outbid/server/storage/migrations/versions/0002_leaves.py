"""When a finished table will be deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Tables know when they leave."""
    op.add_column("tables", sa.Column("leaves", sa.Float))

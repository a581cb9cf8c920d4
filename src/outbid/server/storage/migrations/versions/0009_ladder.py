"""Who is rated is known from the beginning of a match."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Seats that are rated. In matches that are being played: of names on the ladder, unless a hint was taken there."""
    op.add_column("seats", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(
        "UPDATE seats SET rated = true WHERE owner IN (SELECT key FROM names WHERE ladder)"
        " AND table_id IN (SELECT id FROM tables WHERE status = 'playing')"
        " AND table_id NOT IN (SELECT table_id FROM seats WHERE hints > 0)"
    )

"""Who wants to be told when it is their turn, what they were told, and what is still to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Notices, turns that were told, and letters."""
    op.create_table(
        "notices",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(500), index=True),
        sa.Column("browser", sa.String(64), index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.String(500), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("confirmed", sa.Float),
        sa.Column("sent", sa.Float),
        sa.Column("trouble", sa.String(16)),
    )
    op.create_table(
        "told",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_table(
        "letters",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("notice", sa.String(32), sa.ForeignKey("notices.id"), nullable=False),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id")),
        sa.Column("seat", sa.Integer),
        sa.Column("number", sa.Integer),
        sa.Column("due", sa.Float, nullable=False, index=True),
        sa.Column("tries", sa.Integer, nullable=False),
    )

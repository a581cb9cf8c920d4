"""Kept names; what the host decides; agreements; chat; the next table of the same people."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """People."""
    op.add_column("tables", sa.Column("host", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("starts", sa.String(8), nullable=False, server_default="full"))
    op.add_column("tables", sa.Column("chat", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("next", sa.String(32)))
    op.add_column("seats", sa.Column("owner", sa.String(500)))
    op.create_index("seats_of_owner", "seats", ["owner"])
    op.create_table(
        "names",
        sa.Column("key", sa.String(500), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "wishes",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("what", sa.String(16), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("room", sa.String(8), nullable=False),
        sa.Column("who", sa.String(32), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("chat_of_table", "chat", ["table_id", "id"])

"""Playtests draw a variant for each of their tables, and ask its people three questions."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the tables of this revision, and add its columns."""
    op.create_table(
        "playtests",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("players", sa.JSON, nullable=False),
        sa.Column("variants", sa.JSON, nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("ended", sa.Float),
    )
    op.create_table(
        "opinions",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("about", sa.String(8), primary_key=True),
        sa.Column("answer", sa.Integer, nullable=False),
    )
    op.add_column("tables", sa.Column("playtest", sa.String(40)))
    op.add_column("tables", sa.Column("variant", sa.String(64)))
    op.create_index("ix_tables_playtest", "tables", ["playtest"])

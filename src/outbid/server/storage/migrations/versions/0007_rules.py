"""Tables of older rules are tables of the newest, with the options that make these play the same match."""

import sqlalchemy as sa
from alembic import op

from outbid.core.errors import OutbidError
from outbid.core.rulebook import by_id

revision = "0007"
down_revision = "0006"

tables = sa.table("tables", *(sa.column(name, sa.String) for name in ("id", "game", "rules")), sa.column("options", sa.JSON))
seats = sa.table("seats", sa.column("table_id", sa.String))


def upgrade() -> None:
    """The options of the older rules; a table whose rules or game this program does not know stays as it is."""
    db = op.get_bind()
    players = sa.select(sa.func.count()).select_from(seats).where(seats.c.table_id == tables.c.id).scalar_subquery()
    for row in db.execute(sa.select(tables, players.label("players"))).all():
        try:
            book = by_id(row.game)
            if row.rules != book.rules_id:
                options = book.brought_up(row.rules, row.options, row.players)
                new = {"rules": book.rules_id, "options": options}
                db.execute(sa.update(tables).where(tables.c.id == row.id).values(new))
        except OutbidError:
            continue

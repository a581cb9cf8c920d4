"""The history of the database, run when a server opens one (opening.py).

Each file of `versions` begins with its revision, which is counted: a database that has the last one is up to date, and
Alembic, which takes long to load, is not needed.
"""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

import sqlalchemy as sa

HERE = Path(__file__).parent


@cache
def known() -> frozenset[str]:
    """All revisions; the greatest is the last."""
    return frozenset(path.name[:4] for path in (HERE / "versions").glob("[0-9]*.py"))


def revision(db: sa.Connection) -> str | None:
    """The revision of a database; none: it has none."""
    if not sa.inspect(db).has_table("alembic_version"):
        return None
    found = db.execute(sa.text("SELECT version_num FROM alembic_version")).first()
    return str(found[0]) if found else None


def upgrade(db: sa.Connection) -> None:
    """Bring a database up to date."""
    logging.getLogger("alembic").setLevel(logging.WARNING)  # before it is loaded, which it tells of, too
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["connection"] = db
    command.upgrade(config, "head")

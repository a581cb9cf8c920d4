"""Revisions of the database. A new one is made from schema.py and has the newest; an older one is brought up to date by the
files of versions/, each named after its revision. Alembic, which runs them and takes long to load, is not needed otherwise.
"""

import logging
from functools import cache
from pathlib import Path

import sqlalchemy as sa

from outbid.server.storage.schema import metadata

HERE = Path(__file__).parent
RELEASE = "0015"  # the revision of the first release
BEFORE = "Outbid 0.1.0 of 28 November 2026 (3ea7c8c7)"  # brings older databases there
VERSION = sa.Table("alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True))


@cache
def known() -> frozenset[str]:
    """All revisions; the greatest is the last."""
    return frozenset(path.name[:4] for path in (HERE / "versions").glob("[0-9]*.py"))


def revision(db: sa.Connection) -> str | None:
    """The revision of a database; none: it has none."""
    return db.scalar(sa.select(VERSION.c.version_num)) if sa.inspect(db).has_table(VERSION.name) else None


def make(db: sa.Connection) -> None:
    """Make the tables of a new database, all or none."""
    if db.dialect.name == "sqlite":
        db.exec_driver_sql("BEGIN IMMEDIATE")
    metadata.create_all(db)
    VERSION.create(db)
    db.execute(sa.insert(VERSION).values(version_num=max(known())))


def upgrade(db: sa.Connection) -> None:
    """Bring the database of an earlier release up to date."""
    logging.getLogger("alembic").setLevel(logging.WARNING)  # before it is loaded, which it tells of, too
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["connection"] = db
    command.upgrade(config, "head")

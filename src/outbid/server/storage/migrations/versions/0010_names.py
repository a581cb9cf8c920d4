"""What kept names look like, so that nobody sits down under one that looks the same."""

import sqlalchemy as sa
from alembic import op

from outbid.core.language.names import forms_of

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Forms of kept names."""
    for name in ("form", "small"):
        op.add_column("names", sa.Column(name, sa.String(500), nullable=False, server_default=""))
        op.create_index(f"ix_names_{name}", "names", [name])
    names = sa.table("names", *map(sa.column, ("key", "name", "form", "small")))
    db = op.get_bind()
    for key, name in db.execute(sa.select(names.c.key, names.c.name)).all():
        form, small = forms_of(name)
        db.execute(sa.update(names).where(names.c.key == key).values(form=form, small=small))

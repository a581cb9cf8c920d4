"""The tables of the database, column by column. A new database is made from them; older ones follow in migrations/."""

import sqlalchemy as sa

SERVERS, BREATH, SHIPPED = 1, 2, 3  # rows of `pulse`
NOBODY = ""  # owner of a message that is no kept name's

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("rules", sa.String(80), nullable=False),  # "kuhhandel/1": which rules the moves were played by
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("deal", sa.JSON, nullable=False),  # secret until the match is over
    sa.Column("status", sa.String(8), nullable=False),  # open, playing, over
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("paused", sa.Boolean, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("leaves", sa.Float),  # when it will be deleted, once its people were warned (retention.py)
    sa.Column("host", sa.Integer, nullable=False, server_default="0"),  # the seat of the host
    sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false()),  # on the front page while seats are open
    sa.Column("starts", sa.String(8), nullable=False, server_default="full"),  # full: by itself; host: by the host's button
    sa.Column("chat", sa.Boolean, nullable=False, server_default=sa.true()),  # the host has not switched it off
    sa.Column("next", sa.String(32)),  # where the same people play again
    sa.Column("clock", sa.String(16), nullable=False, server_default=""),  # as clocks.py writes it
    sa.Column("hints", sa.String(8), nullable=False, server_default=""),  # on, off, or as usual (hints.py)
    sa.Column("day", sa.String(10)),  # it is the deal of this day: "2026-11-26" (daily.py)
    sa.Column("study", sa.Boolean, nullable=False, server_default=sa.false()),  # the laboratory may read the match
    sa.Column("weekends", sa.Boolean, nullable=False, server_default=sa.false()),  # they are off the clock (days_off.py)
    sa.Column("evening", sa.String(32), index=True),  # the first table of these people's evening; none: this one
    sa.Column("playtest", sa.String(40), index=True),  # in which it counts (playtests.py)
    sa.Column("variant", sa.String(64)),  # which one of it was drawn
    sa.Column("talk", sa.String(8), nullable=False, server_default="none"),  # as in core/talk.py
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),  # human, bot, open
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("bot", sa.String(64)),
    sa.Column("seed", sa.BigInteger, nullable=False),  # the bot's random stream; secret
    sa.Column("token", sa.String(64)),  # SHA-256 of the seat's token, in hexadecimal
    sa.Column("owner", sa.String(500)),  # the kept name of the player (names.py)
    sa.Column("hints", sa.Integer, nullable=False, server_default="0"),  # taken so far
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),  # stood on the ladder when the match began
    sa.Column("colour", sa.Integer),  # 0 to 5, with a shape; none: that of the seat's number
    sa.Column("agent", sa.Boolean, nullable=False, server_default=sa.false()),  # a program plays that is no bot of ours
    sa.Column("won", sa.Boolean),  # none: the match is not over, or an older server wrote its end
    sa.Index("seats_of_owner", "owner"),
)

codes = sa.Table(
    "codes",
    metadata,
    sa.Column("code", sa.String(4), primary_key=True),  # opens the waiting room of a table (codes.py)
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("until", sa.Float, nullable=False),
)

moves = sa.Table(
    "moves",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer),  # none: the clock
    sa.Column("move", sa.JSON, nullable=False),  # as in a record, with `by` but without the seat
    sa.Column("command", sa.String(64)),
    sa.Column("public", sa.Text),  # a bot's reason, for everybody
    sa.Column("private", sa.Text),  # and for after the match
    sa.Column("at", sa.Float, nullable=False),
    sa.UniqueConstraint("table_id", "seat", "command"),
)

names = sa.Table(
    "names",
    metadata,
    sa.Column("key", sa.String(500), primary_key=True),  # the name as it was compared when it was first kept
    sa.Column("form", sa.String(500), nullable=False, index=True, server_default=""),  # what it looks like (names.py)
    sa.Column("small", sa.String(500), nullable=False, index=True, server_default=""),  # … in small letters
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("password", sa.String(200), nullable=False),  # Argon2id
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("ladder", sa.Boolean, nullable=False, server_default=sa.false()),  # its owner wants to be rated
)

vacations = sa.Table(
    "vacations",
    metadata,
    sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), primary_key=True),
    sa.Column("begins", sa.Float, primary_key=True),
    sa.Column("ends", sa.Float, nullable=False),
)

devices = sa.Table(
    "devices",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),  # SHA-256 of the secret of a browser that is signed in
    sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
)

known_devices = sa.Table(
    "known_devices",  # browsers that were signed in: guesses from elsewhere do not keep them from it
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),  # SHA-256 of the secret that it was signed in with
    sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), nullable=False, index=True),
    sa.Column("left_at", sa.Float, nullable=False),
)

held = sa.Table(
    "held",
    metadata,
    sa.Column("browser", sa.String(64), primary_key=True),  # SHA-256 of the secret of a browser
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("token", sa.String(64), nullable=False),  # SHA-256 of the token of its seat there
    sa.Column("sealed", sa.String(128), nullable=False),  # the token itself, which only the browser's secret opens
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("held_of_table", "table_id"),
)

wishes = sa.Table(
    "wishes",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("what", sa.String(16), primary_key=True),  # what is to be agreed on (votes.py)
    sa.Column("seat", sa.Integer, primary_key=True),  # who agrees
)

chat = sa.Table(
    "chat",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("room", sa.String(8), nullable=False),
    sa.Column("who", sa.String(32), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("owner", sa.String(500)),  # the kept name whose message it is, or NOBODY; none: whose the seat is
    sa.Column("to", sa.Integer),  # the seat that alone heard it
    sa.Column("after", sa.Integer),  # after how many moves it was said; none: it is no part of the match
    sa.Index("chat_of_table", "table_id", "id"),
    sa.Index("chat_of_owner", "owner"),
)

clocks = sa.Table(
    "clocks",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),  # -1: an auction by outcry; -2: bots are to act
    sa.Column("rest", sa.Float, nullable=False),  # seconds, while it does not run
    sa.Column("due", sa.Float),  # when it is up, while it runs
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("missed", sa.Integer, nullable=False),
    sa.Column("votes", sa.Integer, nullable=False),  # bit mask: who agrees that a bot takes the seat
    sa.Column("vacation", sa.Float, nullable=False, server_default="0"),  # the end of the one that `due` leaves out
    sa.Index("clocks_due", "due"),
)

pulse = sa.Table(
    "pulse",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),  # SERVERS: when one was there (deadlines.py); BREATH: when one was well
    sa.Column("at", sa.Float, nullable=False),
)

automatic_moves = sa.Table(
    "standing",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("about", sa.String(64), primary_key=True),
    sa.Column("wants", sa.JSON, nullable=False),  # secret: an order of this seat (automatic_moves.py)
)

notes = sa.Table(
    "notes",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),  # secret: what this seat noted for itself
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("format", sa.String(32), nullable=False),  # one of an older format is made again
    sa.Column("review", sa.JSON, nullable=False),  # review/review.py
    sa.Column("at", sa.Float, nullable=False),
)

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("kind", sa.String(8), primary_key=True),  # human or bot (ladder.py)
    sa.Column("player", sa.String(500), primary_key=True),  # a kept name as it is compared, or a bot's name
    sa.Column("game", sa.String(64), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
)

results = sa.Table(
    "results",  # of people's deals of the day (results.py)
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("day", sa.String(10), nullable=False, index=True),
    sa.Column("code", sa.String(32), nullable=False, unique=True),  # of its link
    sa.Column("came_by", sa.String(32)),  # the code by whose link its person came
    sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.false()),  # its person shows it to others
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("stood_in", sa.Integer, nullable=False),  # moves that a bot made for the person
    sa.Column("streak", sa.Integer, nullable=False, server_default="1"),  # days in a row up to this one
)

playtests = sa.Table(
    "playtests",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("players", sa.JSON, nullable=False),
    sa.Column("variants", sa.JSON, nullable=False),  # with name and options; the first is compared with
    sa.Column("began", sa.Float, nullable=False),
    sa.Column("ended", sa.Float),  # none: tables are made for it
)

opinions = sa.Table(
    "opinions",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("about", sa.String(8), primary_key=True),  # what the person of the seat was asked (playtests.py)
    sa.Column("answer", sa.Integer, nullable=False),  # 0 no, 1 somewhat, 2 yes
)

dailies = sa.Table(
    "dailies",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("bot", sa.String(64), primary_key=True),
    sa.Column("format", sa.String(80), nullable=False),  # those of another format are made again
    sa.Column("results", sa.JSON, nullable=False),  # how the bot did in the seat of the deal of the day (daily.py)
)

notices = sa.Table(
    "notices",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(500), index=True),  # the kept name that wants it …
    sa.Column("browser", sa.String(64), index=True),  # … or the SHA-256 of the secret of a browser
    sa.Column("kind", sa.String(8), nullable=False),  # mail, hook or push (notices.py)
    sa.Column("address", sa.String(500), nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),  # of which its links are made
    sa.Column("quiet_from", sa.Integer),  # hours in the zone
    sa.Column("quiet_until", sa.Integer),
    sa.Column("zone", sa.String(64), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("confirmed", sa.Float),  # before that nothing is sent but the question
    sa.Column("sent", sa.Float),
    sa.Column("trouble", sa.String(16)),
    sa.Column("keys", sa.String(200)),  # of a browser: what its messages are encrypted with
)

push_keys = sa.Table(
    "push_keys",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),  # 1: there is one
    sa.Column("key", sa.String(64), nullable=False),  # secret: by which push services know this server (push.py)
)

told = sa.Table(
    "told",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # the newest turn that was told: how many moves there were
    sa.Column("seen", sa.Float, nullable=False),  # when a process last saw the person there
)

letters = sa.Table(
    "letters",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("notice", sa.String(32), sa.ForeignKey("notices.id"), nullable=False),
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id")),  # none: it asks for the confirmation
    sa.Column("seat", sa.Integer),
    sa.Column("number", sa.Integer),
    sa.Column("due", sa.Float, nullable=False, index=True),
    sa.Column("tries", sa.Integer, nullable=False),
)

erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False, index=True),
    sa.Column("kind", sa.String(8), nullable=False),  # table, name, person, notice, line (erasures.py)
    sa.Column("mark", sa.String(32), nullable=False),
)

orders = sa.Table(
    "orders",
    metadata,
    sa.Column("kind", sa.String(8), primary_key=True),  # address or name (it is shut out), say, drain (storage/desk.py)
    sa.Column("subject", sa.String(300), primary_key=True),  # a network, a name, or what is said
    sa.Column("until", sa.Float),  # none: until it is lifted
)

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("who", sa.String(8), nullable=False),  # cli or page
    sa.Column("act", sa.String(16), nullable=False),
    sa.Column("subject", sa.String(500), nullable=False),  # blotted out when the person is erased
    sa.Column("about", sa.JSON, nullable=False),  # tables that every process reads again
)

recoveries = sa.Table(
    "recoveries",
    metadata,
    sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), primary_key=True),  # the newest of each name is good
    sa.Column("token", sa.String(64), nullable=False, unique=True),  # SHA-256 of what stands in the link
    sa.Column("until", sa.Float, nullable=False),
)

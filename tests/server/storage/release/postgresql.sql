SET check_function_bodies = false;
CREATE FUNCTION public.outbid_chat() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    one chat%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN one := OLD; ELSE one := NEW; END IF;
    PERFORM pg_notify('outbid', one.table_id);
    RETURN NULL;
END $$;
CREATE FUNCTION public.outbid_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    one moves%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN one := OLD; ELSE one := NEW; END IF;
    PERFORM pg_notify('outbid', one.table_id || CASE TG_OP WHEN 'INSERT' THEN ' ' || (one.number + 1) ELSE '' END);
    RETURN NULL;
END $$;
CREATE FUNCTION public.outbid_reviews() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    one reviews%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN one := OLD; ELSE one := NEW; END IF;
    PERFORM pg_notify('outbid', one.table_id);
    RETURN NULL;
END $$;
CREATE FUNCTION public.outbid_seats() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    one seats%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN one := OLD; ELSE one := NEW; END IF;
    PERFORM pg_notify('outbid', one.table_id);
    RETURN NULL;
END $$;
CREATE FUNCTION public.outbid_standing() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    one standing%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN one := OLD; ELSE one := NEW; END IF;
    PERFORM pg_notify('outbid', one.table_id);
    RETURN NULL;
END $$;
CREATE FUNCTION public.outbid_tables() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    one tables%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN one := OLD; ELSE one := NEW; END IF;
    PERFORM pg_notify('outbid', one.id);
    RETURN NULL;
END $$;
CREATE FUNCTION public.outbid_wishes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    one wishes%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN one := OLD; ELSE one := NEW; END IF;
    PERFORM pg_notify('outbid', one.table_id);
    RETURN NULL;
END $$;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.chat (
    id integer NOT NULL,
    table_id character varying(32) NOT NULL,
    room character varying(8) NOT NULL,
    who character varying(32) NOT NULL,
    name character varying(64) NOT NULL,
    text text NOT NULL,
    at double precision NOT NULL,
    owner character varying(500)
);
CREATE SEQUENCE public.chat_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.chat_id_seq OWNED BY public.chat.id;
CREATE TABLE public.clocks (
    table_id character varying(32) NOT NULL,
    seat integer NOT NULL,
    rest double precision NOT NULL,
    due double precision,
    since double precision NOT NULL,
    missed integer NOT NULL,
    votes integer NOT NULL
);
CREATE TABLE public.dailies (
    day character varying(10) NOT NULL,
    bot character varying(64) NOT NULL,
    format character varying(80) NOT NULL,
    results json NOT NULL
);
CREATE TABLE public.devices (
    token character varying(64) NOT NULL,
    key character varying(500) NOT NULL,
    made double precision NOT NULL
);
CREATE TABLE public.held (
    browser character varying(64) NOT NULL,
    table_id character varying(32) NOT NULL,
    token character varying(64) NOT NULL,
    sealed character varying(128) NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE public.letters (
    id integer NOT NULL,
    notice character varying(32) NOT NULL,
    table_id character varying(32),
    seat integer,
    number integer,
    due double precision NOT NULL,
    tries integer NOT NULL
);
CREATE SEQUENCE public.letters_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.letters_id_seq OWNED BY public.letters.id;
CREATE TABLE public.moves (
    table_id character varying(32) NOT NULL,
    number integer NOT NULL,
    seat integer,
    move json NOT NULL,
    command character varying(64),
    public text,
    private text,
    at double precision NOT NULL
);
CREATE TABLE public.names (
    key character varying(500) NOT NULL,
    name character varying(64) NOT NULL,
    password character varying(200) NOT NULL,
    made double precision NOT NULL,
    ladder boolean DEFAULT false NOT NULL,
    form character varying(500) DEFAULT ''::character varying NOT NULL,
    small character varying(500) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.notes (
    table_id character varying(32) NOT NULL,
    seat integer NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.notices (
    id character varying(32) NOT NULL,
    name character varying(500),
    browser character varying(64),
    kind character varying(8) NOT NULL,
    address character varying(500) NOT NULL,
    secret character varying(64) NOT NULL,
    quiet_from integer,
    quiet_until integer,
    zone character varying(64) NOT NULL,
    language character varying(8) NOT NULL,
    made double precision NOT NULL,
    confirmed double precision,
    sent double precision,
    trouble character varying(16)
);
CREATE TABLE public.pulse (
    id integer NOT NULL,
    at double precision NOT NULL
);
CREATE SEQUENCE public.pulse_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.pulse_id_seq OWNED BY public.pulse.id;
CREATE TABLE public.ratings (
    kind character varying(8) NOT NULL,
    player character varying(500) NOT NULL,
    game character varying(64) NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    matches integer NOT NULL
);
CREATE TABLE public.reviews (
    table_id character varying(32) NOT NULL,
    format character varying(32) NOT NULL,
    review json NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE public.seats (
    table_id character varying(32) NOT NULL,
    seat integer NOT NULL,
    kind character varying(8) NOT NULL,
    name character varying(64) NOT NULL,
    bot character varying(64),
    seed bigint NOT NULL,
    token character varying(64),
    owner character varying(500),
    hints integer DEFAULT 0 NOT NULL,
    rated boolean DEFAULT false NOT NULL
);
CREATE TABLE public.standing (
    table_id character varying(32) NOT NULL,
    seat integer NOT NULL,
    about character varying(64) NOT NULL,
    wants json NOT NULL
);
CREATE TABLE public.tables (
    id character varying(32) NOT NULL,
    game character varying(64) NOT NULL,
    rules character varying(80) NOT NULL,
    options json NOT NULL,
    deal json NOT NULL,
    status character varying(8) NOT NULL,
    pace character varying(8) NOT NULL,
    paused boolean NOT NULL,
    made double precision NOT NULL,
    leaves double precision,
    host integer DEFAULT 0 NOT NULL,
    listed boolean DEFAULT false NOT NULL,
    starts character varying(8) DEFAULT 'full'::character varying NOT NULL,
    chat boolean DEFAULT true NOT NULL,
    next character varying(32),
    clock character varying(16) DEFAULT ''::character varying NOT NULL,
    hints character varying(8) DEFAULT ''::character varying NOT NULL,
    day character varying(10),
    study boolean DEFAULT false NOT NULL
);
CREATE TABLE public.told (
    table_id character varying(32) NOT NULL,
    seat integer NOT NULL,
    number integer NOT NULL,
    seen double precision NOT NULL
);
CREATE TABLE public.wishes (
    table_id character varying(32) NOT NULL,
    what character varying(16) NOT NULL,
    seat integer NOT NULL
);
ALTER TABLE ONLY public.chat ALTER COLUMN id SET DEFAULT nextval('public.chat_id_seq'::regclass);
ALTER TABLE ONLY public.letters ALTER COLUMN id SET DEFAULT nextval('public.letters_id_seq'::regclass);
ALTER TABLE ONLY public.pulse ALTER COLUMN id SET DEFAULT nextval('public.pulse_id_seq'::regclass);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.chat
    ADD CONSTRAINT chat_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clocks
    ADD CONSTRAINT clocks_pkey PRIMARY KEY (table_id, seat);
ALTER TABLE ONLY public.dailies
    ADD CONSTRAINT dailies_pkey PRIMARY KEY (day, bot);
ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (token);
ALTER TABLE ONLY public.held
    ADD CONSTRAINT held_pkey PRIMARY KEY (browser, table_id);
ALTER TABLE ONLY public.letters
    ADD CONSTRAINT letters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.moves
    ADD CONSTRAINT moves_pkey PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.moves
    ADD CONSTRAINT moves_table_id_seat_command_key UNIQUE (table_id, seat, command);
ALTER TABLE ONLY public.names
    ADD CONSTRAINT names_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_pkey PRIMARY KEY (table_id, seat);
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.pulse
    ADD CONSTRAINT pulse_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_pkey PRIMARY KEY (kind, player, game);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (table_id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (table_id, seat);
ALTER TABLE ONLY public.standing
    ADD CONSTRAINT standing_pkey PRIMARY KEY (table_id, seat, about);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.told
    ADD CONSTRAINT told_pkey PRIMARY KEY (table_id, seat);
ALTER TABLE ONLY public.wishes
    ADD CONSTRAINT wishes_pkey PRIMARY KEY (table_id, what, seat);
CREATE INDEX chat_of_owner ON public.chat USING btree (owner);
CREATE INDEX chat_of_table ON public.chat USING btree (table_id, id);
CREATE INDEX clocks_due ON public.clocks USING btree (due);
CREATE INDEX held_of_table ON public.held USING btree (table_id);
CREATE INDEX ix_letters_due ON public.letters USING btree (due);
CREATE INDEX ix_names_form ON public.names USING btree (form);
CREATE INDEX ix_names_small ON public.names USING btree (small);
CREATE INDEX ix_notices_browser ON public.notices USING btree (browser);
CREATE INDEX ix_notices_name ON public.notices USING btree (name);
CREATE INDEX seats_of_owner ON public.seats USING btree (owner);
CREATE TRIGGER outbid_chat AFTER INSERT OR DELETE OR UPDATE ON public.chat FOR EACH ROW EXECUTE FUNCTION public.outbid_chat();
CREATE TRIGGER outbid_moves AFTER INSERT OR DELETE OR UPDATE ON public.moves FOR EACH ROW EXECUTE FUNCTION public.outbid_moves();
CREATE TRIGGER outbid_reviews AFTER INSERT OR DELETE OR UPDATE ON public.reviews FOR EACH ROW EXECUTE FUNCTION public.outbid_reviews();
CREATE TRIGGER outbid_seats AFTER INSERT OR DELETE OR UPDATE ON public.seats FOR EACH ROW EXECUTE FUNCTION public.outbid_seats();
CREATE TRIGGER outbid_standing AFTER INSERT OR DELETE OR UPDATE ON public.standing FOR EACH ROW EXECUTE FUNCTION public.outbid_standing();
CREATE TRIGGER outbid_tables AFTER INSERT OR DELETE OR UPDATE ON public.tables FOR EACH ROW EXECUTE FUNCTION public.outbid_tables();
CREATE TRIGGER outbid_wishes AFTER INSERT OR DELETE OR UPDATE ON public.wishes FOR EACH ROW EXECUTE FUNCTION public.outbid_wishes();
ALTER TABLE ONLY public.chat
    ADD CONSTRAINT chat_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.clocks
    ADD CONSTRAINT clocks_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_key_fkey FOREIGN KEY (key) REFERENCES public.names(key);
ALTER TABLE ONLY public.held
    ADD CONSTRAINT held_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.letters
    ADD CONSTRAINT letters_notice_fkey FOREIGN KEY (notice) REFERENCES public.notices(id);
ALTER TABLE ONLY public.letters
    ADD CONSTRAINT letters_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.moves
    ADD CONSTRAINT moves_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.standing
    ADD CONSTRAINT standing_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.told
    ADD CONSTRAINT told_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.wishes
    ADD CONSTRAINT wishes_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

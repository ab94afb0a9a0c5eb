-- Tickets: questions of customers, answers of operators, what is attached to them, and mail that becomes either.
--
-- The conventions of 0001 hold.

CREATE TABLE tickets (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id uuid NOT NULL REFERENCES accounts,
  -- Who asked; null: nobody of the account's people.
  requester_id uuid REFERENCES users,
  subject text NOT NULL,
  -- As the catalogue named it.
  department text NOT NULL,
  priority text NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
  state text NOT NULL CHECK (state IN ('open', 'answered', 'on_hold', 'closed')),
  resource_type text CHECK (resource_type IN ('server', 'domain', 'webspace', 'license', 'invoice')),
  resource_id uuid,
  assigned_to uuid REFERENCES users,
  -- The last number given to a message, and how many of them the customer sees.
  messages_seq integer NOT NULL DEFAULT 0,
  messages_count integer NOT NULL DEFAULT 0,
  -- Up to which message either side has read, and how many of the other's came since.
  customer_read_seq integer NOT NULL DEFAULT 0,
  staff_read_seq integer NOT NULL DEFAULT 0,
  customer_unread integer NOT NULL DEFAULT 0 CHECK (customer_unread >= 0),
  staff_unread integer NOT NULL DEFAULT 0 CHECK (staff_unread >= 0),
  last_message_at timestamptz NOT NULL,
  last_author_type text NOT NULL CHECK (last_author_type IN ('customer', 'staff', 'system')),
  last_excerpt text NOT NULL,
  -- Since when it waits for staff, and by when an answer is due; null: it does not, or no time was promised.
  waiting_since timestamptz,
  due_at timestamptz,
  first_response_due_at timestamptz,
  first_response_at timestamptz,
  rating smallint CHECK (rating BETWEEN 1 AND 5),
  -- SHA-256 of the first message, and the ticket that said the same shortly before.
  text_hash bytea NOT NULL CHECK (length(text_hash) = 32),
  duplicate_of uuid REFERENCES tickets,
  -- Where its messages went.
  merged_into uuid REFERENCES tickets CHECK (merged_into <> id),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  reopened_at timestamptz,
  closed_at timestamptz,
  reopenable_until timestamptz,
  CONSTRAINT tickets_resource CHECK ((resource_type IS NULL) = (resource_id IS NULL)),
  CONSTRAINT tickets_closed CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CONSTRAINT tickets_waiting CHECK ((state = 'open') = (waiting_since IS NOT NULL)),
  CONSTRAINT tickets_due CHECK (due_at IS NULL OR state = 'open')
) WITH (fillfactor = 80);
CREATE INDEX tickets_account_updated ON tickets (account_id, updated_at, id);
CREATE INDEX tickets_account_created ON tickets (account_id, created_at, id);
CREATE INDEX tickets_account_state ON tickets (account_id, state, updated_at, id);
CREATE INDEX tickets_account_resource ON tickets (account_id, resource_id) WHERE resource_id IS NOT NULL;
-- What operators look at: what waits for them, what they wait for, what nobody has read, and everything.
CREATE INDEX tickets_queue ON tickets (due_at, id) INCLUDE (assigned_to) WHERE state = 'open';
CREATE INDEX tickets_held ON tickets (updated_at, id) WHERE state = 'on_hold';
CREATE INDEX tickets_unread ON tickets (updated_at, id) WHERE staff_unread > 0;
CREATE INDEX tickets_state ON tickets (state, updated_at, id);
CREATE INDEX tickets_updated ON tickets (updated_at, id);
CREATE INDEX tickets_assigned ON tickets (assigned_to, updated_at) WHERE assigned_to IS NOT NULL;

-- How many tickets an account has in each state: counted as they change, because one customer may have very many.
CREATE TABLE ticket_counts (
  account_id uuid NOT NULL,
  state text NOT NULL,
  tickets bigint NOT NULL CHECK (tickets >= 0),
  PRIMARY KEY (account_id, state)
) WITH (fillfactor = 70);
CREATE FUNCTION tickets_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.state = NEW.state THEN
      RETURN NULL;
    END IF;
    UPDATE ticket_counts SET tickets = tickets - 1 WHERE account_id = OLD.account_id AND state = OLD.state;
  END IF;
  INSERT INTO ticket_counts AS c (account_id, state, tickets) VALUES (NEW.account_id, NEW.state, 1)
    ON CONFLICT (account_id, state) DO UPDATE SET tickets = c.tickets + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER tickets_counted AFTER INSERT OR UPDATE OF state ON tickets
  FOR EACH ROW EXECUTE FUNCTION tickets_count();

CREATE TABLE ticket_messages (
  ticket_id uuid NOT NULL REFERENCES tickets,
  seq integer NOT NULL CHECK (seq > 0),
  id uuid NOT NULL UNIQUE,
  account_id uuid NOT NULL,
  author_type text NOT NULL CHECK (author_type IN ('customer', 'staff', 'system')),
  author_id uuid,
  -- As it was then.
  author_name text NOT NULL,
  -- A note between operators.
  internal boolean NOT NULL,
  -- Markdown.
  body text NOT NULL,
  -- Of the first message: found together with it.
  subject text,
  -- Of one that came by mail: its Message-ID.
  mail_id text,
  created_at timestamptz NOT NULL,
  -- The words, as they are and as English and German stems. Whose it is is a word too, which no text can hold: so one
  -- look into the index finds a customer's own, however many others have the same word.
  search tsvector NOT NULL GENERATED ALWAYS AS (
    strip(to_tsvector('simple', coalesce(subject, '') || ' ' || body))
    || strip(to_tsvector('english', coalesce(subject, '') || ' ' || body))
    || strip(to_tsvector('german', coalesce(subject, '') || ' ' || body))
    || array_to_tsvector(CASE WHEN internal THEN '{}'::text[] ELSE ARRAY['account ' || account_id::text] END)) STORED,
  PRIMARY KEY (ticket_id, seq),
  CONSTRAINT ticket_messages_internal CHECK (NOT internal OR author_type <> 'customer')
);
-- Not in fast update mode: what waits there would be read through by every search.
CREATE INDEX ticket_messages_search ON ticket_messages USING gin (search) WITH (fastupdate = off);
-- Words that very many messages hold are looked for back through time.
CREATE INDEX ticket_messages_account ON ticket_messages (account_id, created_at);
CREATE INDEX ticket_messages_time ON ticket_messages (created_at);
CREATE INDEX ticket_messages_shown ON ticket_messages (ticket_id, created_at, seq) WHERE NOT internal;
CREATE INDEX ticket_messages_mail ON ticket_messages (ticket_id, mail_id) WHERE mail_id IS NOT NULL;

CREATE TABLE ticket_attachments (
  id uuid PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES ticket_messages (id),
  account_id uuid NOT NULL,
  position smallint NOT NULL,
  filename text NOT NULL,
  -- As its content says.
  content_type text NOT NULL,
  size integer NOT NULL CHECK (size > 0),
  sha256 bytea NOT NULL CHECK (length(sha256) = 32),
  -- Until the storage has it.
  content bytea,
  created_at timestamptz NOT NULL,
  UNIQUE (message_id, position)
);
ALTER TABLE ticket_attachments ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE canned_replies (
  id uuid PRIMARY KEY,
  title text NOT NULL UNIQUE,
  -- {en, de}, Markdown
  body jsonb NOT NULL,
  -- Only for this one; null: for all.
  department text,
  created_by uuid,
  created_at timestamptz NOT NULL
);

-- Mail that came for tickets. It is acknowledged when it is here, and then looked at.
CREATE TABLE incoming_mails (
  id uuid PRIMARY KEY,
  -- SHA-256 of the whole: delivered twice, it is here once.
  digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  -- The envelope; an empty sender is nobody to answer to (RFC 5321 4.5.5).
  sender text NOT NULL,
  recipient text NOT NULL,
  size integer NOT NULL,
  -- The domain of its author, where our own mail server says that DMARC found it to be his; null: it does not.
  authenticated_domain text,
  -- As long as somebody may have to look at it; only its beginning when it was too large.
  content bytea,
  state text NOT NULL CHECK (state IN ('received', 'appended', 'quarantined', 'dropped', 'discarded')),
  reason text,
  -- What its header says, for whoever looks.
  from_address text NOT NULL DEFAULT '',
  from_name text NOT NULL DEFAULT '',
  subject text NOT NULL DEFAULT '',
  excerpt text NOT NULL DEFAULT '',
  -- The ticket and the person that its address was made for.
  ticket_id uuid REFERENCES tickets,
  user_id uuid REFERENCES users,
  message_id uuid,
  received_at timestamptz NOT NULL,
  handled_at timestamptz,
  handled_by uuid,
  CONSTRAINT incoming_mails_handled CHECK ((state IN ('received', 'quarantined')) = (handled_at IS NULL))
);
ALTER TABLE incoming_mails ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX incoming_mails_waiting ON incoming_mails (received_at) WHERE state = 'received';
CREATE INDEX incoming_mails_quarantine ON incoming_mails (received_at, id) WHERE state = 'quarantined';

-- How a mail belongs to others: {root, references, reply}.
ALTER TABLE mails ADD COLUMN thread jsonb;

GRANT SELECT, INSERT, UPDATE ON tickets, ticket_counts, ticket_attachments, incoming_mails TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE (ticket_id, seq) ON ticket_messages TO hostkeep_app;
GRANT SELECT, INSERT, DELETE ON canned_replies TO hostkeep_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO hostkeep_app;

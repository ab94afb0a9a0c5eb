-- Where the sandbox's name server answers: the process that serves says it, and all that publish zones ask there.
CREATE TABLE sandbox.name_server (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  address text NOT NULL,
  port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
  seen_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON sandbox.name_server TO hostkeep_app;

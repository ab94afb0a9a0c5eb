-- What keeps a node from running machines, in words, since it was last tried; while there is something, it takes no servers.
ALTER TABLE nodes ADD COLUMN problem text;
-- null: it was never tried.
ALTER TABLE nodes ADD COLUMN probed_at timestamptz;
GRANT UPDATE (problem, probed_at) ON nodes TO hostkeep_app;

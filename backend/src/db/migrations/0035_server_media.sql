-- What servers start from beside their own disks.

ALTER TABLE servers
  -- The medium of the catalogue in its drive, and whether the server starts from that before it does from its disk.
  ADD COLUMN iso text,
  ADD COLUMN iso_first boolean NOT NULL DEFAULT false,
  -- Since when it runs the rescue system; null: it runs its own.
  ADD COLUMN rescue_since timestamptz,
  ADD CONSTRAINT servers_iso_first CHECK (iso IS NOT NULL OR NOT iso_first);

ALTER TABLE sandbox.machines
  ADD COLUMN medium text,
  ADD COLUMN medium_first boolean NOT NULL DEFAULT false,
  -- The system that it runs instead of its own, with a disk and a login for itself; null: it runs its own.
  ADD COLUMN rescue_id uuid,
  ADD COLUMN rescue_image text,
  ADD COLUMN rescue_ssh_keys text[] NOT NULL DEFAULT '{}',
  ADD COLUMN rescue_login_hash bytea,
  ADD COLUMN rescue_files text[] NOT NULL DEFAULT '{}';

-- Work on a server that an operator has given up: its hypervisor is not asked again.
ALTER TABLE server_changes ADD COLUMN given_up_at timestamptz;
GRANT UPDATE (given_up_at) ON server_changes TO hostkeep_app;

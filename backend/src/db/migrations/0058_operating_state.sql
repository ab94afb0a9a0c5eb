-- Health tells whether a worker lives.
GRANT SELECT ON worker_heartbeats TO hostkeep_app;

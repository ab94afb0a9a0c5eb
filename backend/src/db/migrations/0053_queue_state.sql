-- Who works is shown to the operators.
GRANT SELECT ON worker_heartbeats TO hostkeep_app;

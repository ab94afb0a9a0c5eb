-- Machines that run keep the filter that they were started with: each gets today's, as when what it reaches changes. The job
-- `server.network_due` does that, a thousand in five minutes. Whoever changes the filter's rules does this again.
UPDATE servers SET reach_due = true WHERE removed_at IS NULL;

-- What of a service is ordered and not there yet, found by the service: it is asked of each one that is due, and of all that
-- an account renews. The index by time has everybody's.
CREATE INDEX orders_open ON orders (service_id) WHERE state = 'pending';

-- What was paid for a service beside its terms, found by the service: the unique index is of terms only, and a refund
-- looked through every order there is.
CREATE INDEX orders_extra ON orders (service_id) WHERE action = 'extra';

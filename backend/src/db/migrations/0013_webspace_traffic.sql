-- A webspace that has used up the traffic of its month is off until the next one begins.
ALTER TABLE suspensions
  DROP CONSTRAINT suspensions_reason_check,
  ADD CONSTRAINT suspensions_reason_check
    CHECK (reason IN ('unpaid', 'abuse', 'legal', 'operator', 'verification', 'quota'));

-- Months by their first day, UTC: the one of whose traffic its customer was warned, and the one for which it was
-- switched off. An operator who switches it on again is not overruled in the same month.
ALTER TABLE webspaces
  ADD COLUMN traffic_warned date,
  ADD COLUMN traffic_stopped date;

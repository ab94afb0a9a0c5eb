-- What the application may drop is what is beyond its time: with the application's role alone, none of the last two years'
-- events and audit rows can be made to disappear.
CREATE OR REPLACE FUNCTION drop_month_partition(parent text, month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  partition text := format('%s_%s', parent, to_char(month, 'YYYYMM'));
BEGIN
  IF parent NOT IN ('events', 'audit') OR to_regclass(partition) IS NULL THEN
    RETURN false;
  END IF;
  IF date_trunc('month', month) + interval '24 months' > now() THEN
    RAISE EXCEPTION 'the rows of % are younger than two years', partition;
  END IF;
  EXECUTE format('DROP TABLE %I', partition);
  RETURN true;
END $$;

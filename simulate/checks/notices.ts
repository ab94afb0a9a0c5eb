import { sqlCheck } from '../check.ts';

const TOLD = `mails m, jsonb_array_elements(m.variables -> 'services') s`;

export default [
  sqlCheck(
    'no reminder comes twice',
    `SELECT m.template || ' of ' || (s ->> 'name') || ' until ' || (s ->> 'expire_at') AS problem FROM ${TOLD}
     WHERE m.account_id IN (SELECT account_id FROM mails WHERE created_at >= $1) AND m.template IN
       ('service.expiring', 'service.unpaid', 'service.not-renewable', 'service.switched-off', 'service.ended', 'service.deleted')
     GROUP BY m.account_id, m.template, s ->> 'name', s ->> 'expire_at'
     HAVING count(*) > CASE m.template WHEN 'service.expiring' THEN 2 ELSE 1 END`,
  ),
  sqlCheck(
    'no event tells the same of one end twice',
    `SELECT e.type || ' of ' || e.resource_id AS problem FROM events e
     WHERE e.type ~ '\\.(expiring|unpaid|expired|deleted)$' AND e.account_id IN
       (SELECT account_id FROM events WHERE created_at >= $1 AND type ~ '\\.(expiring|unpaid|expired|deleted)$')
     GROUP BY e.type, e.resource_id, e.body ->> 'expire_at', e.body ->> 'days' HAVING count(*) > 1`,
  ),
  // By the hour, or after a stand-still, the worker comes too late to say it before: who renewed nothing stood still.
  sqlCheck(
    'who is switched off for want of money was told before',
    `SELECT 'service ' || s.id AS problem FROM services s JOIN suspensions p ON p.service_id = s.id AND p.reason = 'unpaid'
     WHERE p.since >= $1 AND s.duration_unit <> 'hour' AND EXISTS (SELECT FROM orders o
       WHERE o.automatic AND o.created_at BETWEEN p.since - interval '3 days' AND p.since - interval '5 hours') AND NOT EXISTS (SELECT FROM service_notices n
       WHERE n.service_id = s.id AND n.expire_at = s.expire_at AND n.kind = 'unpaid' AND n.created_at <= p.since)`,
  ),
  sqlCheck(
    'what is off is kept for as long as its product says',
    `SELECT type || ' of ' || resource_id AS problem FROM events WHERE created_at >= $1 AND type ~ '\\.expired$'
       AND (body ->> 'delete_at')::timestamp AT TIME ZONE 'UTC' - date_trunc('second', created_at)
         <> CASE WHEN resource_type IN ('server', 'domain') THEN interval '14 days' ELSE interval '20 days' END`,
  ),
];

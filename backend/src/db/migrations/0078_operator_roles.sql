-- What operators may do, by their work. Those who are there could do everything, and still can.
ALTER TABLE users ADD COLUMN staff_role text CHECK (staff_role IN ('support', 'billing', 'technical', 'admin')),
  ADD CONSTRAINT users_staff_role CHECK (staff_role IS NULL OR role = 'staff');
UPDATE users SET staff_role = 'admin' WHERE role = 'staff';

-- What `staff:write` allowed has names of its own.
UPDATE tokens SET scopes = array_cat(array_remove(scopes, 'staff:write'),
    ARRAY['staff:tickets', 'staff:impersonate', 'staff:suspend', 'staff:billing', 'staff:technical'])
  WHERE 'staff:write' = ANY (scopes);

-- Operators' sessions end after twelve hours.
UPDATE tokens t SET expires_at = least(t.expires_at, t.created_at + interval '12 hours')
  FROM users u WHERE u.id = t.user_id AND u.role = 'staff' AND t.kind = 'session' AND t.revoked_at IS NULL;

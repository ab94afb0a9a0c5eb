import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasScope } from '../../../base/scope.ts';
import { IMPERSONATION_SCOPES, ROLE_SCOPES, SCOPES } from './scope.ts';

test('what a role may do are scopes that there are', () => {
  for (const [role, scopes] of Object.entries(ROLE_SCOPES)) {
    for (const scope of scopes) assert.ok(SCOPES.includes(scope), `${role}: ${scope}`);
  }
});

test('each role does what its name says, and no more', () => {
  const single = SCOPES.filter((scope) => !scope.endsWith('*'));
  const allowed = (role: keyof typeof ROLE_SCOPES) =>
    single.filter((scope) => hasScope(ROLE_SCOPES[role], scope));
  assert.deepEqual(allowed('owner'), single);
  assert.deepEqual(allowed('admin'), single);
  const own = 'account:security';
  assert.ok(allowed('readonly').every((scope) => scope.endsWith(':read') || scope === own));
  assert.ok(allowed('technical').every((scope) => !scope.endsWith(':order') && scope !== 'account:write'));
  assert.ok(allowed('billing').every((scope) => scope.endsWith(':read') || scope.startsWith('account:')));
  for (const role of ['billing', 'technical', 'readonly'] as const) {
    assert.ok(hasScope(ROLE_SCOPES[role], own), `${role} looks after their own password`);
    assert.ok(!hasScope(ROLE_SCOPES[role], 'account:users'), `${role} admits nobody`);
  }
  for (const secret of ['server:read_password', 'panel:read_key']) {
    const seeing = (['owner', 'admin', 'technical', 'billing', 'readonly'] as const).filter((role) =>
      hasScope(ROLE_SCOPES[role], secret),
    );
    assert.deepEqual(seeing, ['owner', 'admin', 'technical']);
    assert.ok(!IMPERSONATION_SCOPES.includes(secret));
  }
  assert.ok(
    hasScope(ROLE_SCOPES.technical, 'server:write') && hasScope(ROLE_SCOPES.billing, 'account:write'),
  );
});

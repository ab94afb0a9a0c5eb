import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';
import { renderMail } from '../../business/notifications/mail/render.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const people = openPeople(fixture, requests);

test('no stranger’s mailbox gets a link that whoever invites has typed as their name', async () => {
  for (const first_name of ['https://evil.example/prize', 'www.evil.example', 'evil.example']) {
    const email = `spam-${Math.random().toString(36).slice(2)}@example.com`;
    const names = { first_name, last_name: 'has paid you 500 EUR', tos: true };
    await requests.data('account/register', { email, password: PASSWORD, ...names });
    const { cookie, csrf } = await people.logIn({ email, password: PASSWORD });
    const stranger = `stranger-${Math.random().toString(36).slice(2)}@example.net`;
    await requests.data('account/user-invite', { email: stranger, role: 'readonly' }, { cookie, csrf });
    const { rows } = await fixture.pool.pg.query('SELECT variables FROM mails WHERE recipient = $1', [
      stranger,
    ]);
    const values = { ...rows[0].variables, link: 'https://hostkeep.example/accept-invitation#x' };
    const reader = { locale: 'en', timeZone: 'UTC', name: '' } as const;
    const { text, html } = renderMail('account.invitation', values, reader, null);
    assert.doesNotMatch(text, /evil\.example/);
    assert.doesNotMatch(html, /evil\.example/);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallDocument } from '../../../../test/small-catalog.ts';
import type { Locale } from '../../../operation.ts';
import { Seller } from '../../core/catalog/schema/seller.ts';
import { type MailReader, type RenderedMail, renderMail } from './render.ts';
import type { ListedService, MailTemplate } from './template.ts';
import type { MailValues } from './text.ts';

const SELLER = Seller.parse({
  ...smallDocument().seller,
  name: 'Müller & Söhne <Hosting>',
  legal: ['Amtsgericht Frankfurt, HRB 12345'],
});
const titleOf = (method: string) => (method === 'bank' ? { en: 'bank transfer', de: 'Überweisung' } : null);
const reader = (locale: Locale, change: Partial<MailReader> = {}): MailReader => ({
  locale,
  timeZone: 'Europe/Berlin',
  name: 'Zoë Größer',
  ...change,
});

const HOSTILE = '<b>"O\'Neil" & Co</b>';
const LINK = 'https://hosting.example/confirm?token=abc&next=%2F';
const SERVICES: readonly ListedService[] = [
  { name: 'web.example.com', product: 'server', expire_at: '2027-07-01 10:30:00', renewal: '1234.50 EUR' },
  { name: HOSTILE, product: 'Cloud <S>', expire_at: '2027-12-31 23:30:00', renewal: null },
];
const LISTED = {
  en: [
    'web.example.com',
    'Server',
    '1 July 2027 at 12:30 CEST',
    HOSTILE,
    'Cloud <S>',
    '1 January 2028 at 00:30 CET',
  ],
  de: [
    'web.example.com',
    'Server',
    '1. Juli 2027 um 12:30 MESZ',
    HOSTILE,
    'Cloud <S>',
    '1. Januar 2028 um 00:30 MEZ',
  ],
};
const RENEWED = {
  en: [...LISTED.en, '1,234.50 EUR', 'not renewed'],
  de: [...LISTED.de, '1.234,50 EUR', 'wird nicht verlängert'],
};

interface Sample<T extends MailTemplate> {
  readonly values: MailValues<T>;
  /** What must be read of the values, in each language. */
  readonly says: Readonly<Record<Locale, readonly string[]>>;
}

function says(...texts: readonly string[]): Record<Locale, readonly string[]> {
  return { en: texts, de: texts };
}

const SAMPLES: { readonly [T in MailTemplate]: readonly Sample<T>[] } = {
  'account.email-verification': [{ values: { link: LINK }, says: says(LINK) }],
  'account.password-reset': [{ values: { link: LINK }, says: says(LINK) }],
  'account.invitation': [
    {
      values: { invited_by: HOSTILE, role: 'billing', link: LINK },
      says: { en: [HOSTILE, 'billing', LINK], de: [HOSTILE, 'Buchhaltung', LINK] },
    },
  ],
  'account.email-changed': [
    { values: { email: 'neu@example.com', ip: '2001:db8::1' }, says: says('neu@example.com', '2001:db8::1') },
  ],
  'account.already-registered': [{ values: { ip: '192.0.2.7' }, says: says('192.0.2.7') }],
  'account.password-changed': [{ values: { ip: '192.0.2.7' }, says: says('192.0.2.7') }],
  'account.two-factor-changed': [
    {
      values: { enabled: true, ip: '192.0.2.7' },
      says: { en: ['turned on', '192.0.2.7'], de: ['eingeschaltet', '192.0.2.7'] },
    },
    {
      values: { enabled: false, ip: '192.0.2.7' },
      says: { en: ['turned off', '192.0.2.7'], de: ['ausgeschaltet', '192.0.2.7'] },
    },
  ],
  'account.suspended': [
    {
      values: { reason: 'verification' },
      says: { en: ['suspended', 'verify your details'], de: ['gesperrt', 'Ihre Angaben prüfen'] },
    },
    { values: { reason: HOSTILE }, says: says(HOSTILE) },
  ],
  'account.unsuspended': [{ values: {}, says: { en: ['no longer suspended'], de: ['nicht mehr gesperrt'] } }],
  'account.closed': [
    {
      values: { payout: '1234.50 EUR', kept_until: '2037' },
      says: { en: ['1,234.50 EUR', 'end of 2037'], de: ['1.234,50 EUR', 'Ende 2037'] },
    },
    { values: { payout: null, kept_until: '2037' }, says: says('2037') },
  ],
  'account.accessed-by-operator': [
    { values: { operator: 'Ola Nord', reason: HOSTILE }, says: says('Ola Nord', HOSTILE) },
  ],
  'account.webhook-disabled': [
    {
      values: { host: 'hooks.example.com:8443', since: '2027-03-01 11:00:00', error: HOSTILE },
      says: {
        en: ['hooks.example.com:8443', '1 March 2027 at 12:00 CET', HOSTILE],
        de: ['hooks.example.com:8443', '1. März 2027 um 12:00 MEZ', HOSTILE],
      },
    },
  ],
  'account.balance-low': [
    {
      values: { balance: '-1.05 EUR', threshold: '20.00 EUR' },
      says: { en: ['-1.05 EUR', '20.00 EUR'], de: ['-1,05 EUR', '20,00 EUR'] },
    },
  ],
  'payment.received': [
    {
      values: { amount: '50.00 EUR', method: 'bank', balance: '50.00 EUR' },
      says: { en: ['50.00 EUR', 'bank transfer'], de: ['50,00 EUR', 'Überweisung'] },
    },
    {
      values: { amount: '1234567.89 EUR', method: HOSTILE, balance: '0.10 EUR' },
      says: { en: ['1,234,567.89 EUR', HOSTILE, '0.10 EUR'], de: ['1.234.567,89 EUR', HOSTILE, '0,10 EUR'] },
    },
  ],
  'payment.failed': [
    {
      values: { amount: '50.00 EUR', reason: '' },
      says: { en: ['50.00 EUR'], de: ['50,00 EUR'] },
    },
    {
      values: { amount: '50.00 EUR', reason: HOSTILE },
      says: { en: ['50.00 EUR', HOSTILE], de: ['50,00 EUR', HOSTILE] },
    },
  ],
  'payment.charged-back': [
    {
      values: { amount: '50.00 EUR', balance: '-49.99 EUR' },
      says: { en: ['50.00 EUR', '-49.99 EUR'], de: ['50,00 EUR', '-49,99 EUR'] },
    },
  ],
  'invoice.issued': [
    {
      values: { number: 'INV-2027-000001', gross: '3.99 EUR', kind: 'invoice' },
      says: {
        en: ['Your invoice INV-2027-000001', '3.99 EUR'],
        de: ['Ihre Rechnung INV-2027-000001', '3,99 EUR'],
      },
    },
    {
      values: { number: 'CN-2027-000001', gross: '3.99 EUR', kind: 'credit_note' },
      says: {
        en: ['Your credit note CN-2027-000001', '3.99 EUR'],
        de: ['Ihre Rechnungskorrektur CN-2027-000001', '3,99 EUR'],
      },
    },
  ],
  'statement.monthly': [
    {
      values: {
        month: '2027-03',
        opening: '1.00 EUR',
        credit: '20.00 EUR',
        debit: '3.00 EUR',
        closing: '18.00 EUR',
      },
      says: {
        en: ['March 2027', '1.00 EUR', '20.00 EUR', '3.00 EUR', '18.00 EUR'],
        de: ['März 2027', '1,00 EUR', '20,00 EUR', '3,00 EUR', '18,00 EUR'],
      },
    },
  ],
  'service.expiring': [{ values: { services: SERVICES }, says: RENEWED }],
  'service.unpaid': [
    {
      values: { services: SERVICES, missing: '7.00 EUR' },
      says: { en: [...RENEWED.en, '7.00 EUR'], de: [...RENEWED.de, '7,00 EUR'] },
    },
  ],
  'service.not-renewable': [{ values: { services: SERVICES }, says: LISTED }],
  'service.switched-off': [
    {
      values: { services: SERVICES, deleted_at: '2027-08-01 00:00:00' },
      says: {
        en: [...LISTED.en, '1 August 2027 at 02:00 CEST'],
        de: [...LISTED.de, '1. August 2027 um 02:00 MESZ'],
      },
    },
  ],
  'service.ended': [
    {
      values: { services: SERVICES, deleted_at: '2027-08-01 00:00:00' },
      says: {
        en: [...LISTED.en, '1 August 2027 at 02:00 CEST'],
        de: [...LISTED.de, '1. August 2027 um 02:00 MESZ'],
      },
    },
  ],
  'service.deleted': [{ values: { services: SERVICES }, says: LISTED }],
  'ticket.created': [
    { values: { number: 'T-000123', by_mail: true }, says: says('T-000123') },
    { values: { number: 'T-000123', by_mail: false }, says: says('T-000123') },
  ],
  'ticket.answered': [
    {
      values: {
        number: 'T-000123',
        subject: HOSTILE,
        author: 'Ola Nord',
        message: ['Please look here:', '', LINK, `1. ${HOSTILE}`],
        files: ['a.log', HOSTILE],
        closed: false,
        by_mail: true,
      },
      says: says('T-000123', HOSTILE, 'Ola Nord', 'Please look here:', LINK, `1. ${HOSTILE}`, 'a.log'),
    },
    {
      values: {
        number: 'T-000123',
        subject: 'Server',
        author: 'Ola Nord',
        message: ['Done.'],
        files: [],
        closed: true,
        by_mail: false,
      },
      says: { en: ['Done.', 'is closed'], de: ['Done.', 'geschlossen'] },
    },
  ],
  'ticket.closed': [
    {
      values: {
        number: 'T-000123',
        subject: HOSTILE,
        reopenable_until: '2027-08-01 00:00:00',
        silent_days: null,
        by_mail: true,
      },
      says: {
        en: ['T-000123', HOSTILE, '1 August 2027 at 02:00 CEST'],
        de: ['T-000123', HOSTILE, '1. August 2027 um 02:00 MESZ'],
      },
    },
    {
      values: {
        number: 'T-000123',
        subject: 'Server',
        reopenable_until: '2027-08-01 00:00:00',
        silent_days: 1,
        by_mail: false,
      },
      says: { en: ['no more for 1 day since'], de: ['1 Tag nichts mehr gehört'] },
    },
  ],
  'domain.contact-verification': [
    {
      values: { domain: 'xn--bcher-kva.com', link: LINK },
      says: { en: ['bücher.com', '15 days', LINK], de: ['bücher.com', '15 Tagen', LINK] },
    },
  ],
  'domain.verification-failed': [
    {
      values: { domain: 'xn--bcher-kva.com', email: 'erika@example.com' },
      says: {
        en: ['bücher.com', 'erika@example.com', 'not reachable'],
        de: ['bücher.com', 'erika@example.com', 'nicht erreichbar'],
      },
    },
  ],
  'domain.owner-change': [
    {
      values: {
        domain: 'xn--bcher-kva.com',
        side: 'present',
        new_owner: HOSTILE,
        until: '2027-07-01 10:30:00',
        link: LINK,
      },
      says: {
        en: ['bücher.com', HOSTILE, '1 July 2027 at 12:30 CEST', 'another owner', LINK],
        de: ['bücher.com', HOSTILE, '1. Juli 2027 um 12:30 MESZ', 'anderen Inhaber', LINK],
      },
    },
    {
      values: {
        domain: 'example.com',
        side: 'new',
        new_owner: 'Grace Hopper',
        until: '2027-07-01 10:30:00',
        link: LINK,
      },
      says: { en: ['confirm this e-mail address'], de: ['bestätigen Sie auch diese E-Mail-Adresse'] },
    },
  ],
  'domain.owner-changed': [
    {
      values: { domain: 'xn--bcher-kva.com', new_owner: HOSTILE, ip: '192.0.2.1' },
      says: { en: ['bücher.com', HOSTILE, '192.0.2.1'], de: ['bücher.com', HOSTILE, '192.0.2.1'] },
    },
  ],
  'domain.authcode-issued': [
    {
      values: { domain: 'xn--bcher-kva.com', ip: '192.0.2.1', expires_at: '2027-07-01 10:30:00' },
      says: {
        en: ['bücher.com', '192.0.2.1', '1 July 2027 at 12:30 CEST'],
        de: ['bücher.com', '192.0.2.1', '1. Juli 2027 um 12:30 MESZ'],
      },
    },
  ],
  'domain.authcode': [
    {
      values: { domain: 'xn--bcher-kva.com', authcode: 'aB3-xyz', expires_at: '2027-07-01 10:30:00' },
      says: { en: ['bücher.com', 'aB3-xyz'], de: ['bücher.com', 'aB3-xyz'] },
    },
  ],
  'domain.transfer-requested': [
    {
      values: { domain: 'xn--bcher-kva.de', answer_until: '2027-07-01 10:30:00', silence: 'approves' },
      says: {
        en: ['bücher.de', '1 July 2027 at 12:30 CEST', 'handed over'],
        de: ['bücher.de', '1. Juli 2027 um 12:30 MESZ', 'übergeben'],
      },
    },
    {
      values: { domain: 'example.com', answer_until: '2027-07-01 10:30:00', silence: 'rejects' },
      says: { en: ['stays with you'], de: ['bleibt die Domain bei Ihnen'] },
    },
  ],
  'domain.unlocked': [
    { values: { domain: 'example.com', ip: '192.0.2.7' }, says: says('example.com', '192.0.2.7') },
  ],
  'domain.transferred-in': [{ values: { domain: 'example.com' }, says: says('example.com') }],
  'domain.transferred-out': [{ values: { domain: 'example.com' }, says: says('example.com') }],
  'domain.renewal-failed': [
    {
      values: { domain: 'example.com', expire_at: '2027-07-01 10:30:00' },
      says: {
        en: ['example.com', '1 July 2027 at 12:30 CEST'],
        de: ['example.com', '1. Juli 2027 um 12:30 MESZ'],
      },
    },
  ],
  'domain.price-changed': [
    {
      values: { domain: 'example.com', expire_at: '2027-07-01 10:30:00', renewal: '1234.50 EUR' },
      says: {
        en: ['example.com', '1 July 2027 at 12:30 CEST', '1,234.50 EUR'],
        de: ['example.com', '1. Juli 2027 um 12:30 MESZ', '1.234,50 EUR'],
      },
    },
  ],
  'domain.redemption': [
    {
      values: { domain: 'example.com', restorable_until: '2027-07-01 10:30:00' },
      says: {
        en: ['example.com', '1 July 2027 at 12:30 CEST'],
        de: ['example.com', '1. Juli 2027 um 12:30 MESZ'],
      },
    },
  ],
  'service.cancelled': [
    {
      values: {
        services: SERVICES,
        effective_at: '2027-08-01 00:00:00',
        revocable_until: '2027-08-01 00:00:00',
      },
      says: {
        en: [...LISTED.en, 'in your account until 1 August 2027 at 02:00 CEST'],
        de: [...LISTED.de, 'bis zum 1. August 2027 um 02:00 MESZ'],
      },
    },
    {
      values: { services: SERVICES, effective_at: '2027-08-01 00:00:00', revocable_until: null },
      says: {
        en: [...LISTED.en, '1 August 2027 at 02:00 CEST', 'final'],
        de: [...LISTED.de, '1. August 2027 um 02:00 MESZ', 'endgültig'],
      },
    },
  ],
};

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function assertWhole({ subject, text, html }: RenderedMail): void {
  for (const form of [subject, text, html]) {
    assert.doesNotMatch(form, /undefined|\[object|\bnull\b|NaN|\$\{/);
    for (const line of form.split('\n'))
      assert.ok(Buffer.byteLength(line) <= 998, `a line of ${Buffer.byteLength(line)} octets`);
  }
  assert.doesNotMatch(subject, /[\r\n]/);
  assert.doesNotMatch(html, /<img|<script|<link|url\(|@import/i);
}

function eachSample(check: (template: MailTemplate, locale: Locale, index: number) => void): void {
  for (const [template, samples] of Object.entries(SAMPLES))
    for (const index of samples.keys())
      for (const locale of ['en', 'de'] as const) check(template as MailTemplate, locale, index);
}

function rendered<T extends MailTemplate>(template: T, index: number, who: MailReader) {
  const sample: Sample<T> | undefined = SAMPLES[template][index];
  if (sample === undefined) assert.fail('there is no such sample');
  return { ...renderMail(template, sample.values, who, SELLER, titleOf), says: sample.says[who.locale] };
}

eachSample((template, locale, index) =>
  test(`${template} (${index}) in ${locale} says all its values, in text and in HTML, and nothing else by mistake`, () => {
    const { says: expected, ...mail } = rendered(template, index, reader(locale));
    assertWhole(mail);
    for (const value of expected) {
      assert.ok(`${mail.subject}\n${mail.text}`.includes(value), `text without ${value}:\n${mail.text}`);
      assert.ok(mail.html.includes(escaped(value)), `HTML without ${escaped(value)}`);
    }
    for (const line of [
      'Müller & Söhne <Hosting>',
      'Beispielweg 1, 60311 Frankfurt am Main',
      'HRB 12345',
      'Zoë Größer',
    ]) {
      assert.ok(mail.text.includes(line), line);
      assert.ok(mail.html.includes(escaped(line)), line);
    }
    assert.ok(!mail.html.includes(HOSTILE));
    assert.match(mail.html, new RegExp(`<html lang="${locale}">`));
  }),
);

test('the languages differ, in everything that is said', () => {
  eachSample((template, locale, index) => {
    if (locale === 'de') return;
    const [en, de] = [rendered(template, index, reader('en')), rendered(template, index, reader('de'))];
    assert.notEqual(en.subject, de.subject, template);
    const german = new Set(de.text.split('\n').filter((line) => line.length > 40));
    const same = en.text.split('\n').filter((line) => german.has(line) && !/^ *https:|Frankfurt/.test(line));
    assert.deepEqual(same, [], template);
  });
});

test('values cannot break a line, turn the direction of the text, or grow without end', () => {
  const reason = `bad\r\nSubject: x\u202e\u0000${'y'.repeat(5_000)}`;
  const mail = renderMail('payment.failed', { amount: '1.00 EUR', reason }, reader('en'), SELLER);
  assertWhole(mail);
  assert.match(mail.text, /Reason: bad Subject: x y+…\n/);
  const invoice = { number: 'INV\r\nBcc: a@b.example', gross: '1.00 EUR', kind: 'invoice' } as const;
  assert.equal(
    renderMail('invoice.issued', invoice, reader('en'), SELLER).subject,
    'Your invoice INV Bcc: a@b.example',
  );
});

test('a name that would become a link is not greeted; an empty one neither', () => {
  const greeting = (name: string) =>
    renderMail('account.password-changed', { ip: '192.0.2.7' }, reader('en', { name }), SELLER).text.split(
      '\n',
    )[0];
  assert.equal(greeting('Zoë Größer'), 'Hello Zoë Größer,');
  assert.equal(greeting('Jean-Luc O’Neil Jr.'), 'Hello Jean-Luc O’Neil Jr.,');
  for (const name of ['', 'win.example.com', 'https://evil', 'mail me@evil', 'a\r\n\r\nb.example'])
    assert.equal(greeting(name), 'Hello,', name);
});

test('a link that is none is not sent', () => {
  for (const link of ['javascript:alert(1)', 'https://a.example/ x', ''])
    assert.throws(() => renderMail('account.password-reset', { link }, reader('en'), SELLER), link);
});

test('what is not in the form that is printed for people, is printed as it is', () => {
  const values = { services: [{ ...SERVICES[0], expire_at: 'soon', renewal: 'free' } as ListedService] };
  const { text } = renderMail('service.expiring', values, reader('de', { timeZone: 'Mars/Base' }), null);
  assert.match(text, /Laufzeitende: soon\n {2}Verlängerung: free/);
  assert.match(text, /-- \nDiese E-Mail wurde automatisch versendet\.\n$/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../../test/cpu-time.ts';
import { replyText } from './reply-text.ts';

const QUOTED = '> Hello Ada,\n>\n> have you tried it?\n> -- \n> Support';

for (const header of [
  'On Fri, 20 Nov 2026 at 10:00, Example Support <support@hosting.example> wrote:',
  'On Fri, 20 Nov 2026 at 10:00, Example Support\n<support@hosting.example> wrote:',
  'Am 20.11.2026 um 10:00 schrieb Example Support <support@hosting.example>:',
  'Am Fr., 20. Nov. 2026 um 10:00 Uhr schrieb Example Support\n<support@hosting.example>:',
  'Le ven. 20 nov. 2026 à 10:00, Support <s@hosting.example> a écrit :',
  'El vie, 20 nov 2026 a las 10:00, Support <s@hosting.example> escribió:',
  'Il giorno ven 20 nov 2026 alle ore 10:00 Support <s@hosting.example> ha scritto:',
  'Op vr 20 nov 2026 om 10:00 schreef Support <s@hosting.example>:',
  'Example Support <support@hosting.example> schrieb am Fr., 20. Nov. 2026, 10:00:',
])
  test(`the mail that is answered is cut off, with: ${header.replace('\n', '⏎')}`, () => {
    assert.equal(
      replyText(`Yes, it works.\n\nThank you\n\n${header}\n\n${QUOTED}\n\n`),
      'Yes, it works.\n\nThank you',
    );
    assert.equal(replyText(`Yes.\r\n${header}\r\n${QUOTED.replaceAll('\n', '\r\n')}`), 'Yes.');
  });

test('a quotation without a line that says whose it is, is cut off too', () => {
  assert.equal(replyText(`Yes.\n\n${QUOTED}`), 'Yes.');
});

for (const original of [
  '-----Original Message-----\nFrom: Support\nSent: Friday\nTo: Ada\nSubject: x\n\nHello',
  '-----Ursprüngliche Nachricht-----\nVon: Support\n\nHallo',
  '________________________________\nVon: Support <s@hosting.example>\nGesendet: Freitag, 20. November 2026\nAn: Ada\nBetreff: AW: x\n\nHallo',
  'From: Support <s@hosting.example>\nDate: Friday\nTo: Ada\nSubject: x\n\nHello',
  '*Von:* Support\n*Gesendet:* Freitag\n*An:* Ada\n\nHallo',
])
  test(`so it is as other programs write it: ${original.split('\n')[0]}`, () => {
    assert.equal(replyText(`Yes.\n\n${original}`), 'Yes.');
  });

test('signatures are cut off', () => {
  assert.equal(replyText('Yes.\n-- \nAda Lovelace\nAnalytical Engines'), 'Yes.');
  assert.equal(replyText('Yes.\n\nSent from my iPhone'), 'Yes.');
  assert.equal(replyText('Ja.\n\nVon meinem iPhone gesendet\n\n'), 'Ja.');
});

test('what is written between quotations stays, with them', () => {
  const text = '> Is it on?\n\nYes.\n\n> And the network?\n\nNo.';
  assert.equal(replyText(text), text);
  const after = `On Friday, Support <s@hosting.example> wrote:\n${QUOTED}\n\nYes, I have.`;
  assert.match(replyText(after), /Yes, I have\.$/);
});

test('what only looks a little like either stays', () => {
  for (const text of [
    'On Friday it worked, as I wrote:',
    'From: the log\nerror 42',
    'a -- b',
    'Resource: x\nTo: y',
    'I was sent from my office to you.',
    '5 > 3\nand that is all',
  ])
    assert.equal(replyText(text), text);
});

test('a mail of nothing else is kept whole', () => {
  assert.equal(replyText(QUOTED), QUOTED);
  assert.equal(replyText('-- \nAda'), '-- \nAda');
  assert.equal(replyText('\n \n'), '');
});

test('hostile mails cost no more than long ones', async () => {
  for (const text of [
    'On '.repeat(200_000),
    `${'> '.repeat(100_000)}`,
    'On x\n'.repeat(100_000),
    '>\n'.repeat(300_000),
    `${'On a <b@c> '.repeat(20)}\n`.repeat(3_000),
    `From: a\n${'To: b\n'.repeat(200_000)}`,
    'From: a\n'.repeat(200_000),
    `${' '.repeat(500_000)}x`,
    `${'_'.repeat(500_000)}x`,
  ]) {
    const cost = await cpuMs(() => replyText(text));
    assert.ok(cost < 3_000, `${text.slice(0, 20)}: ${cost} ms`);
  }
});

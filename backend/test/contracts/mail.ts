import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { MailConnection, MailMessage } from '../../src/drivers/mail/port.ts';
import { BackendUnavailable } from '../../src/drivers/outcome.ts';

export interface ArrivedMail {
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * A driver under test. What its server does with a mail follows from the address: before the @ or a `+`,
 * `refused` is refused, `unavailable` gets no answer, `lost` is taken and the connection breaks before that is said.
 */
export interface ContractSubject {
  readonly driver: MailConnection;
  /** Everything that arrived for an address, in the order of arrival; line ends as \n. */
  arrived(to: string): Promise<readonly ArrivedMail[]>;
  close(): Promise<void>;
}

/** What every driver of the mail port keeps. */
export function mailContract(name: string, open: () => Promise<ContractSubject>): void {
  describe(`the mail contract: ${name}`, () => {
    let subject: ContractSubject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());

    const mail = (change: Partial<MailMessage> = {}): MailMessage => ({
      messageId: `${randomUUID()}@hosting.example`,
      to: `to+${randomUUID()}@example.com`,
      subject: 'A subject',
      text: 'A text.\n',
      html: '<p>A text.</p>',
      ...change,
    });
    const to = (who: string) => `${who}+${randomUUID()}@example.com`;

    test('a mail arrives as it was given, under its message id', async () => {
      const { messageId, to, subject: line, text } = mail();
      assert.deepEqual(await subject.driver.send(mail({ messageId, to })), { kind: 'done', result: null });
      assert.deepEqual(await subject.arrived(to), [{ messageId, to, subject: line, text }]);
    });

    test('text of any language, with long lines and lines of a single dot, arrives unchanged', async () => {
      const text = `Grüße, 你好 🎉\n.\n..\n${'ä'.repeat(2000)}\nFrom here\n\nlast = line\n`;
      const given = mail({ subject: 'Rechnung für Müller & Söhne 你好 🎉', text });
      await subject.driver.send(given);
      const [found] = await subject.arrived(given.to);
      assert.equal(found?.text, text);
      assert.equal(found?.subject, given.subject);
    });

    test('a line break in a subject makes no header and no second recipient', async () => {
      const other = to('victim');
      const given = mail({ subject: `Hello\r\nBcc: ${other}\r\n\r\nBody\nX-Injected: 1` });
      await subject.driver.send(given);
      assert.equal((await subject.arrived(given.to)).length, 1);
      assert.deepEqual(await subject.arrived(other), []);
    });

    for (const bad of [
      '',
      'nobody',
      'a@b.example, c@d.example',
      'a@b.example\r\nRCPT TO:<c@d.example>',
      '<a@b.example>',
    ])
      test(`${JSON.stringify(bad)} is refused, because it is not one address`, async () => {
        assert.equal((await subject.driver.send(mail({ to: bad }))).kind, 'refused');
        assert.deepEqual(await subject.arrived('c@d.example'), []);
      });

    test('a recipient who does not exist is a refusal with a reason', async () => {
      const given = mail({ to: to('refused') });
      const outcome = await subject.driver.send(given);
      assert.ok(outcome.kind === 'refused' && outcome.reason !== '', JSON.stringify(outcome));
      assert.deepEqual(await subject.arrived(given.to), []);
    });

    test('no answer is no outcome: nothing has arrived', async () => {
      const given = mail({ to: to('unavailable') });
      await assert.rejects(subject.driver.send(given), BackendUnavailable);
      assert.deepEqual(await subject.arrived(given.to), []);
    });

    test('an answer that was lost is no outcome either; whatever arrives of repetitions has one message id', async () => {
      const given = mail({ to: to('lost') });
      await assert.rejects(subject.driver.send(given), BackendUnavailable);
      await assert.rejects(subject.driver.send(given), BackendUnavailable);
      const ids = (await subject.arrived(given.to)).map(({ messageId }) => messageId);
      assert.deepEqual([...new Set(ids)], [given.messageId]);
    });

    test('after failures, and many at once, each mail arrives once', async () => {
      const many = Array.from({ length: 30 }, () => mail());
      await Promise.all(many.map((one) => subject.driver.send(one)));
      for (const { to, messageId } of many)
        assert.deepEqual(
          (await subject.arrived(to)).map((found) => found.messageId),
          [messageId],
        );
    });

    test('a server that can be used has no problem', async () => {
      assert.equal(await subject.driver.problem(), null);
    });
  });
}

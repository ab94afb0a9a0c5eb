import { type ArrivedMail, mailContract } from '../../../../test/contracts/mail.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { systemClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { SandboxMailer } from './mail.ts';

mailContract('sandbox', async () => {
  const database = await createTestDatabase();
  const db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  return {
    driver: new SandboxMailer({ db, clock: systemClock }),
    async arrived(to) {
      const { rows } = await db.pg.query<ArrivedMail>(
        `SELECT message_id AS "messageId", recipient AS to, subject, body AS text FROM sandbox.mails
         WHERE recipient = $1`,
        [to],
      );
      return rows;
    },
    async close() {
      await db.end();
      await database.drop();
    },
  };
});

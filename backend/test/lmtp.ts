import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Speaks LMTP as a mail server does; answers the codes of everything that was said, in order. */
export async function speakLmtp(
  port: number,
  sender: string,
  recipients: readonly string[],
  mail: string,
): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const codes: string[] = [];
  const reply = async () => {
    for (;;) {
      const { value = '' } = await lines.next();
      if (/^\d{3}-/.test(value)) continue;
      codes.push(value.slice(0, 3));
      return;
    }
  };
  const say = async (text: string) => {
    socket.write(`${text}\r\n`);
    await reply();
  };
  try {
    await reply();
    await say('LHLO mx.hosting.example');
    await say(`MAIL FROM:<${sender}>`);
    for (const recipient of recipients) await say(`RCPT TO:<${recipient}>`);
    const taken = codes.slice(-recipients.length).filter((code) => code === '250').length;
    await say('DATA');
    if (codes.at(-1) !== '354') return codes;
    await say(`${mail.replace(/^\./gm, '..')}\r\n.`);
    for (let more = 1; more < taken; more += 1) await reply();
    return codes;
  } finally {
    socket.destroy();
  }
}

/**
 * Visits a page again and again until its input ends, half of the visitors over connections of their own each time,
 * and prints how often it got what it should, and what else it got. A program of its own, so that what it measures
 * is not held up by what the test does. Arguments: port, host name, expected body.
 */
import { Agent, request } from 'node:http';

const [port = '', hostname = '', expected = ''] = process.argv.slice(2);
const PAUSE_MS = 4;
const came = { requests: 0, failures: [] as string[] };
let going = true;
process.stdin.on('end', () => {
  going = false;
});
process.stdin.resume();

function visit(agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(
      { host: '127.0.0.1', port, path: '/', headers: { host: hostname }, agent },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          body += text;
        });
        answer.on('end', () => resolve(`${answer.statusCode} ${body}`));
        answer.on('error', (error) => resolve(error.message));
      },
    );
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // A kept connection may be closed by either side while it is idle: then clients ask again (RFC 9112 §9.3.1).
      if (asked.reusedSocket && error.code === 'ECONNRESET') resolve(visit(agent));
      else resolve(String(error.code ?? error.message));
    });
    asked.end();
  });
}

async function visitor(keepAlive: boolean): Promise<void> {
  const agent = new Agent({ keepAlive });
  while (going) {
    const got = await visit(agent);
    came.requests += 1;
    if (got !== `200 ${expected}`) came.failures.push(got);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  agent.destroy();
}

await Promise.all([visitor(true), visitor(true), visitor(false), visitor(false)]);
process.stdout.write(JSON.stringify(came));

// Loaded ahead of Hostkeep by hostkeep.js, which holds the other end of this pipe. The pipe closes when that process
// ends, however it ends: Hostkeep must not go on unnoticed after a `kill -9` of the process that a supervisor knows.
import { Socket } from 'node:net';

const LIFELINE = 3;

new Socket({ fd: LIFELINE, readable: true, writable: false })
  .on('error', () => {})
  .on('close', () => process.kill(process.pid, 'SIGTERM'))
  .resume()
  .unref();

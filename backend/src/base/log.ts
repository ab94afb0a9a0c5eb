import pino, { type Logger } from 'pino';

/** Members that must not reach a log whatever logs them: secrets are masked by name. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'license_key',
  '*.password',
  '*.token',
  '*.authorization',
  '*.cookie',
];

/** Structured lines on standard error; standard output belongs to what commands print. Buffered, so a line costs no system call. */
export function createLog(level: string): Logger {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4096 });
  const timer = setInterval(() => destination.flush(), 500);
  timer.unref();
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
}

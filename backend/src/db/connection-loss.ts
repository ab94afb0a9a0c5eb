/**
 * Of SQLSTATE: connection exceptions (08); what an operator, a crash or a shutdown does to sessions (57P); a server that
 * has no room (53); one that only reads because it was, or has become, a standby (25006); one that ended a transaction
 * which stood still, as a frozen machine's does (25P03, 25P04); and one that gave a statement up (57014), which was too
 * slow for it.
 */
const STATES = /^(08|57P|53|25006|25P03|25P04|57014)/;
const NETWORK = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);
// What the driver itself says of a connection: these errors have no code.
const MESSAGES =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Query read timeout|(connection error|was closed) and is not queryable|server closed the connection|error establishing an SSL connection/;

/**
 * Whether the database is away or went away, rather than having refused a statement. An error that says nothing by
 * itself is what its cause is, and one of several is what all of them are.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message, errors, routine, cause } = (error ?? {}) as {
    code?: unknown;
    message?: unknown;
    errors?: unknown;
    routine?: unknown;
    cause?: unknown;
  };
  if (typeof code === 'string' && (STATES.test(code) || NETWORK.has(code))) return true;
  // A standby has no tables that are not logged: it refuses to plan what reads or changes their rows.
  if (code === '0A000' && routine === 'get_relation_info') return true;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isConnectionLoss);
  if (typeof message === 'string' && MESSAGES.test(message)) return true;
  return cause !== undefined && cause !== null && isConnectionLoss(cause);
}

/**
 * Every error that the interface can answer with: its HTTP status, whether the same request may succeed
 * later unchanged, and its texts. `{name}` in a text stands for an extension member of the same name, `{name:money}` for an amount.
 * Clients decide on the code alone; the texts are for people.
 */
interface ErrorText {
  readonly status: number;
  readonly retryable?: true;
  readonly title: string;
  readonly en: string;
  readonly de: string;
}

const error = <const E extends Record<string, ErrorText>>(
  table: E,
): { readonly [Code in keyof E]: ErrorText } => table;

export const ERRORS = error({
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    en: 'The request body is not valid JSON: {reason}.',
    de: 'Der Inhalt der Anfrage ist kein gültiges JSON: {reason}.',
  },
  parameter_conflict: {
    status: 400,
    title: 'Parameter conflict',
    en: 'The parameter {parameter} has one value in the query and another in the body.',
    de: 'Der Parameter {parameter} hat in der Adresse einen anderen Wert als im Inhalt.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Idempotency key invalid',
    en: 'Idempotency-Key takes 1 to 255 visible ASCII characters, on operations that accept it.',
    de: 'Idempotency-Key nimmt 1 bis 255 sichtbare ASCII-Zeichen, bei Operationen, die ihn annehmen.',
  },
  token_missing: {
    status: 401,
    title: 'Token missing',
    en: 'This operation needs an access token: Authorization: Bearer <token>.',
    de: 'Diese Operation braucht ein Zugriffstoken: Authorization: Bearer <Token>.',
  },
  token_invalid: {
    status: 401,
    title: 'Token invalid',
    en: 'The access token is not valid.',
    de: 'Das Zugriffstoken ist ungültig.',
  },
  token_expired: {
    status: 401,
    title: 'Token expired',
    en: 'The access token has expired.',
    de: 'Das Zugriffstoken ist abgelaufen.',
  },
  token_revoked: {
    status: 401,
    title: 'Token revoked',
    en: 'The access token was revoked.',
    de: 'Das Zugriffstoken wurde widerrufen.',
  },
  credentials_invalid: {
    status: 401,
    title: 'Credentials invalid',
    en: 'The e-mail address or the password is wrong.',
    de: 'E-Mail-Adresse oder Passwort ist falsch.',
  },
  insufficient_funds: {
    status: 402,
    title: 'Insufficient funds',
    en: 'Your balance is {shortfall:money} {currency} short for this order.',
    de: 'Ihrem Guthaben fehlen {shortfall:money} {currency} für diese Bestellung.',
  },
  scope_missing: {
    status: 403,
    title: 'Scope missing',
    en: 'The access token lacks the scope {required_scope}.',
    de: 'Dem Zugriffstoken fehlt das Recht {required_scope}.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    en: 'The access token may not be used from your address.',
    de: 'Das Zugriffstoken darf von Ihrer Adresse nicht verwendet werden.',
  },
  csrf_token_invalid: {
    status: 403,
    title: 'CSRF token invalid',
    en: 'A request with a session cookie must carry the X-CSRF-Token that came with the log-in.',
    de: 'Eine Anfrage mit Sitzungs-Cookie muss das X-CSRF-Token der Anmeldung tragen.',
  },
  dry_run_only: {
    status: 403,
    title: 'Dry run only',
    en: 'The access token may only be used with dry_run.',
    de: 'Das Zugriffstoken darf nur mit dry_run verwendet werden.',
  },
  account_suspended: {
    status: 403,
    title: 'Account suspended',
    en: 'The account is suspended.',
    de: 'Das Konto ist gesperrt.',
  },
  token_restricted: {
    status: 403,
    title: 'Token restricted',
    en: 'A token that is limited to addresses, things or a budget cannot make tokens.',
    de: 'Ein Token, das auf Adressen, Dinge oder ein Budget beschränkt ist, kann keine Tokens anlegen.',
  },
  spending_limit_exceeded: {
    status: 403,
    title: 'Spending limit exceeded',
    en: 'The order exceeds what the access token may still spend today ({remaining:money} {currency}).',
    de: 'Die Bestellung übersteigt, was das Zugriffstoken heute noch ausgeben darf ({remaining:money} {currency}).',
  },
  registration_restricted: {
    status: 403,
    title: 'Registration restricted',
    en: 'New accounts are opened by the operator only.',
    de: 'Neue Konten eröffnet nur der Betreiber.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    en: 'Nothing of yours has this identifier.',
    de: 'Nichts von Ihnen hat diese Kennung.',
  },
  operation_not_found: {
    status: 404,
    title: 'Operation not found',
    en: 'There is no such operation.',
    de: 'Diese Operation gibt es nicht.',
  },
  ip_not_assigned: {
    status: 404,
    title: 'Address not assigned',
    en: 'This address is not assigned here.',
    de: 'Diese Adresse ist hier nicht zugewiesen.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    en: 'This operation takes {allowed}.',
    de: 'Diese Operation nimmt {allowed}.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    en: 'Answers come as application/json only.',
    de: 'Antworten gibt es nur als application/json.',
  },
  conflict: {
    status: 409,
    retryable: true,
    title: 'Conflict',
    en: 'Something else changed this at the same moment.',
    de: 'Etwas anderes hat dies im selben Augenblick geändert.',
  },
  state_conflict: {
    status: 409,
    title: 'State conflict',
    en: 'Its state is {current_state}, which does not allow this.',
    de: 'Der Zustand {current_state} lässt das nicht zu.',
  },
  resource_locked: {
    status: 409,
    retryable: true,
    title: 'Resource locked',
    en: 'Other work on this account is under way.',
    de: 'Andere Arbeit an diesem Konto ist noch im Gange.',
  },
  version_mismatch: {
    status: 409,
    title: 'Version mismatch',
    en: 'It was changed meanwhile: its version is {current_version}.',
    de: 'Es wurde inzwischen geändert: die Version ist {current_version}.',
  },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    title: 'Idempotency in progress',
    en: 'A request with this Idempotency-Key is still running.',
    de: 'Eine Anfrage mit diesem Idempotency-Key läuft noch.',
  },
  already_exists: {
    status: 409,
    title: 'Already exists',
    en: 'It exists already.',
    de: 'Das gibt es schon.',
  },
  out_of_stock: {
    status: 409,
    title: 'Out of stock',
    en: 'There is no room left for this.',
    de: 'Dafür ist kein Platz mehr.',
  },
  price_changed: {
    status: 409,
    title: 'Price changed',
    en: 'The price is now {price:money} {currency}, which is above the limit that was given.',
    de: 'Der Preis ist nun {price:money} {currency} und liegt über der angegebenen Grenze.',
  },
  ip_limit_reached: {
    status: 409,
    title: 'Address limit reached',
    en: 'The package allows {limit} addresses, and all are bound.',
    de: 'Das Paket erlaubt {limit} Adressen, und alle sind gebunden.',
  },
  quote_expired: {
    status: 410,
    title: 'Quote expired',
    en: 'The quote is no longer valid.',
    de: 'Das Angebot gilt nicht mehr.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    en: 'The request body may have at most {limit} bytes.',
    de: 'Der Inhalt der Anfrage darf höchstens {limit} Bytes haben.',
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    en: 'The request address may have at most {limit} bytes.',
    de: 'Die Adresse der Anfrage darf höchstens {limit} Bytes haben.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    en: 'Request bodies must be application/json in UTF-8, without content encoding.',
    de: 'Inhalte müssen application/json in UTF-8 sein, ohne Content-Encoding.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    en: 'Some values cannot be used: {fields}.',
    de: 'Einige Werte sind nicht verwendbar: {fields}.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    en: 'This Idempotency-Key was used for another request.',
    de: 'Dieser Idempotency-Key gehört zu einer anderen Anfrage.',
  },
  terms_not_accepted: {
    status: 422,
    title: 'Terms not accepted',
    en: 'tos must be true: the terms of service have to be accepted.',
    de: 'tos muss true sein: die Geschäftsbedingungen sind anzunehmen.',
  },
  cancellation_not_acknowledged: {
    status: 422,
    title: 'Cancellation terms not acknowledged',
    en: 'cancellation must be true: the cancellation terms have to be acknowledged.',
    de: 'cancellation muss true sein: die Widerrufsbelehrung ist zur Kenntnis zu nehmen.',
  },
  discount_code_invalid: {
    status: 422,
    title: 'Discount code invalid',
    en: 'The discount code cannot be used for this order.',
    de: 'Der Rabattcode gilt für diese Bestellung nicht.',
  },
  unsupported_tld: {
    status: 422,
    title: 'Unsupported TLD',
    en: 'Domains under .{tld} are not sold here.',
    de: 'Domains unter .{tld} gibt es hier nicht.',
  },
  os_requirements_not_met: {
    status: 422,
    title: 'Requirements of the operating system not met',
    en: 'This operating system needs at least {min_cores} cores, {min_memory} MiB of memory and {min_disk} GiB of disk.',
    de: 'Dieses Betriebssystem braucht mindestens {min_cores} Kerne, {min_memory} MiB Speicher und {min_disk} GiB Platte.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    title: 'Rate limited',
    en: 'Too many requests: try again in {retry_after} seconds.',
    de: 'Zu viele Anfragen: erneut versuchen in {retry_after} Sekunden.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    en: 'The request headers are too large.',
    de: 'Die Kopfzeilen der Anfrage sind zu groß.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    en: 'This is a fault of ours. Nothing was done and nothing was charged.',
    de: 'Das ist unser Fehler. Es wurde nichts getan und nichts berechnet.',
  },
  not_supported_by_backend: {
    status: 501,
    title: 'Not supported by the back end',
    en: 'The back end of this service cannot do this: {capability}.',
    de: 'Das Backend dieses Dienstes kann das nicht: {capability}.',
  },
  backend_error: {
    status: 502,
    title: 'Back end error',
    en: 'The back end {backend} refused.',
    de: 'Das Backend {backend} hat abgelehnt.',
  },
  backend_unavailable: {
    status: 503,
    retryable: true,
    title: 'Back end unavailable',
    en: 'The back end {backend} does not answer at the moment.',
    de: 'Das Backend {backend} antwortet zurzeit nicht.',
  },
  maintenance: {
    status: 503,
    retryable: true,
    title: 'Maintenance',
    en: 'The service is under maintenance.',
    de: 'Der Dienst wird gewartet.',
  },
  outcome_unknown: {
    status: 504,
    title: 'Outcome unknown',
    en: 'The outcome could not be found out in time. Repeat only with the same Idempotency-Key.',
    de: 'Das Ergebnis war nicht rechtzeitig zu ermitteln. Nur mit demselben Idempotency-Key wiederholen.',
  },
});

export type ErrorCode = keyof typeof ERRORS;

/** One thing that is wrong with the input: where (JSON Pointer, RFC 6901) and what. */
export interface InputProblem {
  readonly pointer: string;
  readonly error:
    | 'required'
    | 'unknown_field'
    | 'invalid_type'
    | 'invalid_format'
    | 'out_of_range'
    | 'too_long'
    | 'not_allowed';
  readonly message: string;
  readonly allowed?: readonly unknown[];
  readonly limit?: number;
}

export interface RefusalDetail {
  /** Extension members of the error body; they also fill the texts. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly InputProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is an error. Thrown only by operations and by the wire; nothing of the request stays done. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly detail: RefusalDetail;

  constructor(code: ErrorCode, detail: RefusalDetail = {}) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}

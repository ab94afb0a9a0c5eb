import { problemText } from './problem-text.ts';

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
    en: 'The request cannot be read: {reason}.',
    de: 'Die Anfrage ist nicht lesbar: {reason}.',
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
  signature_invalid: {
    status: 400,
    title: 'Signature invalid',
    en: 'The signature does not fit: {reason}.',
    de: 'Die Signatur passt nicht: {reason}.',
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
  password_invalid: {
    status: 403,
    title: 'Password invalid',
    en: 'The password is wrong.',
    de: 'Das Passwort ist falsch.',
  },
  password_required: {
    status: 403,
    title: 'Password required',
    en: 'Your password is needed as well.',
    de: 'Dazu ist Ihr Passwort nötig.',
  },
  two_factor_required: {
    status: 403,
    title: 'Two-factor code required',
    en: 'A code of the authenticator app, or a recovery code, is needed as well.',
    de: 'Dazu ist ein Code der Authenticator-App oder ein Wiederherstellungscode nötig.',
  },
  two_factor_setup_required: {
    status: 403,
    title: 'Two-factor authentication required',
    en: 'Set up two-factor authentication first: operators need it.',
    de: 'Richten Sie zuerst die Zwei-Faktor-Anmeldung ein: Mitarbeiter brauchen sie.',
  },
  two_factor_invalid: {
    status: 403,
    title: 'Two-factor code invalid',
    en: 'The code is wrong, is over, or was used before.',
    de: 'Der Code ist falsch, abgelaufen oder schon verwendet.',
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
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    en: 'Pages of this origin may not open consoles.',
    de: 'Seiten dieser Herkunft dürfen keine Konsolen öffnen.',
  },
  console_ticket_invalid: {
    status: 403,
    title: 'Console ticket invalid',
    en: 'This ticket was used already, has expired, or was never given out.',
    de: 'Dieses Ticket ist schon benutzt, abgelaufen oder wurde nie ausgegeben.',
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
    en: 'A token that is limited to addresses, things or a budget cannot do this.',
    de: 'Ein Token, das auf Adressen, Dinge oder ein Budget beschränkt ist, kann das nicht.',
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
  owner_only: {
    status: 403,
    title: 'Owner only',
    en: 'Only the owner of the account can do this.',
    de: 'Das kann nur der Inhaber des Kundenkontos.',
  },
  person_protected: {
    status: 403,
    title: 'Person protected',
    en: 'Neither the owner nor you yourself can be changed here.',
    de: 'Weder der Inhaber noch Sie selbst lassen sich hier ändern.',
  },
  impersonation_restricted: {
    status: 403,
    title: 'Not in the place of a customer',
    en: "An operator in the customer's place may not do this.",
    de: 'In Vertretung eines Kunden darf ein Betreiber das nicht.',
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
  voucher_not_found: {
    status: 404,
    title: 'Voucher not found',
    en: 'There is no voucher with this code.',
    de: 'Einen Gutschein mit diesem Code gibt es nicht.',
  },
  ip_not_assigned: {
    status: 404,
    title: 'Address not assigned',
    en: 'This address is not assigned here.',
    de: 'Diese Adresse ist hier nicht zugewiesen.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    title: 'Request timeout',
    en: 'The request did not arrive in time. It was not carried out.',
    de: 'Die Anfrage ist nicht rechtzeitig angekommen. Sie wurde nicht ausgeführt.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    en: 'Expect takes 100-continue only.',
    de: 'Expect nimmt nur 100-continue.',
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
  closing_blocked: {
    status: 409,
    title: 'Closing blocked',
    en: 'The account cannot be closed yet: obstacles says what stands against it.',
    de: 'Das Kundenkonto kann noch nicht geschlossen werden: obstacles sagt, was dagegen steht.',
  },
  resource_locked: {
    status: 409,
    retryable: true,
    title: 'Resource locked',
    en: 'Other work on this is under way.',
    de: 'Andere Arbeit daran ist noch im Gange.',
  },
  resource_protected: {
    status: 409,
    title: 'Resource protected',
    en: 'This is protected by its settings: switch the protection off first.',
    de: 'Das ist durch seine Einstellungen geschützt: Schalten Sie den Schutz erst aus.',
  },
  version_mismatch: {
    status: 409,
    title: 'Version mismatch',
    en: 'It was changed meanwhile: its version is {current_version}.',
    de: 'Es wurde inzwischen geändert: die Version ist {current_version}.',
  },
  zone_not_hosted: {
    status: 409,
    title: 'Zone not hosted',
    en: 'The zone of this domain is not kept here.',
    de: 'Die Zone dieser Domain liegt nicht hier.',
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
  snapshots_in_the_way: {
    status: 409,
    title: 'Snapshots in the way',
    en: 'A disk with snapshots cannot be enlarged: delete them first.',
    de: 'Eine Platte mit Schnappschüssen kann nicht vergrößert werden: Löschen Sie diese erst.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    en: 'The package allows {limit} {limited}, and they are all used.',
    de: 'Das Paket erlaubt {limit} {limited}, und alle sind belegt.',
  },
  hostname_taken: {
    status: 409,
    title: 'Host name taken',
    en: 'This host name belongs to somebody else here.',
    de: 'Dieser Hostname gehört hier schon jemand anderem.',
  },
  hostname_not_proven: {
    status: 409,
    retryable: true,
    title: 'Host name not proven',
    en: 'There is no TXT record {record} with the expected text yet.',
    de: 'Es gibt noch keinen TXT-Eintrag {record} mit dem erwarteten Text.',
  },
  server_not_running: {
    status: 409,
    title: 'Server not running',
    en: 'The server is not running.',
    de: 'Der Server läuft nicht.',
  },
  console_limit_reached: {
    status: 409,
    title: 'Console limit reached',
    en: 'At most {limit} consoles can be open at once, and as many are.',
    de: 'Höchstens {limit} Konsolen können gleichzeitig offen sein, und so viele sind es.',
  },
  webhook_limit_reached: {
    status: 409,
    title: 'Webhook limit reached',
    en: 'An account can have {limit} webhooks, and has as many.',
    de: 'Ein Konto kann {limit} Webhooks haben, und so viele hat es schon.',
  },
  withdrawal_not_available: {
    status: 409,
    title: 'Withdrawal not available',
    en: 'There is no right of withdrawal from this service, or no longer. It can be cancelled.',
    de: 'Ein Widerrufsrecht besteht für diesen Dienst nicht oder nicht mehr. Er kann gekündigt werden.',
  },
  refund_exceeds_order: {
    status: 409,
    title: 'Refund exceeds order',
    en: 'Only {left:money} {currency} of this order can still be refunded.',
    de: 'Von dieser Bestellung sind nur noch {left:money} {currency} erstattbar.',
  },
  ticket_closed: {
    status: 409,
    title: 'Ticket closed',
    en: 'The ticket is closed. It can be opened again, or a new one created.',
    de: 'Das Ticket ist geschlossen. Es lässt sich wieder öffnen, oder ein neues anlegen.',
  },
  reopen_window_expired: {
    status: 409,
    title: 'Reopen window expired',
    en: 'The ticket was closed too long ago to be opened again: create a new one.',
    de: 'Das Ticket ist zu lange geschlossen, um es wieder zu öffnen: bitte ein neues anlegen.',
  },
  voucher_already_redeemed: {
    status: 409,
    title: 'Voucher already redeemed',
    en: 'This voucher has been redeemed already.',
    de: 'Dieser Gutschein ist schon eingelöst.',
  },
  quote_expired: {
    status: 410,
    title: 'Quote expired',
    en: 'The quote is no longer valid.',
    de: 'Das Angebot gilt nicht mehr.',
  },
  link_invalid: {
    status: 410,
    title: 'Link invalid',
    en: 'This link is wrong, is over, or was used before.',
    de: 'Dieser Link ist falsch, abgelaufen oder schon verwendet.',
  },
  voucher_expired: {
    status: 410,
    title: 'Voucher expired',
    en: 'This voucher has expired.',
    de: 'Dieser Gutschein ist abgelaufen.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    en: 'The request body may have at most {limit} bytes.',
    de: 'Der Inhalt der Anfrage darf höchstens {limit} Bytes haben.',
  },
  export_too_large: {
    status: 413,
    title: 'Export too large',
    en: 'The archive would be larger than 512 MiB. Read it page by page instead: ledger, orders, invoices, events.',
    de: 'Das Archiv wäre größer als 512 MiB. Bitte seitenweise lesen: Kassenbuch, Bestellungen, Rechnungen, Ereignisse.',
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
  confirmation_mismatch: {
    status: 422,
    title: 'Confirmation mismatch',
    en: 'confirm must be the name of what this is about, so that nothing is lost by mistake.',
    de: 'confirm muss der Name dessen sein, worum es geht, damit nichts versehentlich verloren geht.',
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
  voucher_not_applicable: {
    status: 422,
    title: 'Voucher not applicable',
    en: 'This voucher is in another currency than your account.',
    de: 'Dieser Gutschein lautet auf eine andere Währung als Ihr Konto.',
  },
  domain_not_available: {
    status: 409,
    title: 'Domain not available',
    en: 'The domain is not to be had like this: it is taken, reserved or, for a transfer, not registered.',
    de: 'Die Domain ist so nicht zu haben: Sie ist vergeben, reserviert oder, für einen Transfer, nicht registriert.',
  },
  transfer_locked: {
    status: 409,
    title: 'Transfer locked',
    en: 'The domain is locked against transfers.',
    de: 'Die Domain ist gegen Transfers gesperrt.',
  },
  transfer_rejected: {
    status: 409,
    title: 'Transfer rejected',
    en: 'Whoever has the domain did not agree to the transfer.',
    de: 'Der bisherige Inhaber hat dem Transfer nicht zugestimmt.',
  },
  order_items_refused: {
    status: 409,
    title: 'Order items refused',
    en: 'Nothing was ordered: {refused} of {total} names cannot be had like this, as errors says of each.',
    de: 'Es wurde nichts bestellt: {refused} von {total} Namen sind so nicht zu haben, wie errors zu jedem sagt.',
  },
  order_incomplete: {
    status: 409,
    title: 'Order incomplete',
    en: 'Not everything that was ordered together came about; what did not costs nothing.',
    de: 'Nicht alles, was zusammen bestellt wurde, kam zustande; was nicht, kostet nichts.',
  },
  abandoned: {
    status: 409,
    title: 'Given up',
    en: 'We gave this up, because the back end {backend} did not do it. You are not charged for it.',
    de: 'Wir haben dies aufgegeben, weil das Backend {backend} es nicht ausgeführt hat. Es wird Ihnen nicht berechnet.',
  },
  zone_not_published: {
    status: 409,
    title: 'Zone not published',
    en: 'Our name servers do not serve the zone of this domain, so it was not registered.',
    de: 'Unsere Nameserver bedienen die Zone dieser Domain nicht; sie wurde deshalb nicht registriert.',
  },
  change_rejected: {
    status: 409,
    title: 'Change rejected',
    en: 'Whoever has to agree to the change did not, or not in time.',
    de: 'Wer der Änderung zustimmen muss, hat es nicht oder nicht rechtzeitig getan.',
  },
  trade_required: {
    status: 409,
    title: 'Change of owner',
    en: 'This gives the domain another owner: repeat it with accept_trade if that is meant.',
    de: 'Damit erhält die Domain einen anderen Inhaber: Wiederholen Sie es mit accept_trade, wenn das gemeint ist.',
  },
  delegation_check_failed: {
    status: 422,
    title: 'Delegation check failed',
    en: 'Not all of these name servers answer for the domain: set them up first, or repeat it with ignore_warnings.',
    de: 'Nicht alle diese Nameserver antworten für die Domain: Richten Sie sie zuerst ein, oder wiederholen Sie es mit ignore_warnings.',
  },
  not_supported_for_tld: {
    status: 422,
    title: 'Not supported for this TLD',
    en: 'The registry of this TLD does not offer that.',
    de: 'Die Registry dieser TLD bietet das nicht an.',
  },
  period_not_allowed: {
    status: 422,
    title: 'Period not allowed',
    en: 'The registry of this TLD does not sell this number of years.',
    de: 'Die Registry dieser TLD bietet diese Zahl von Jahren nicht an.',
  },
  authcode_invalid: {
    status: 422,
    title: 'Authorisation code invalid',
    en: 'The authorisation code is wrong, or does not hold any more.',
    de: 'Der Autorisierungscode ist falsch oder gilt nicht mehr.',
  },
  contact_incomplete: {
    status: 422,
    title: 'Contact incomplete',
    en: 'The contacts lack what the registry of this TLD asks for.',
    de: 'Den Kontakten fehlt etwas, was die Registry dieser TLD verlangt.',
  },
  premium_not_confirmed: {
    status: 422,
    title: 'Premium price not confirmed',
    en: 'The registry asks a price of its own for this name: order it with premium_confirmed.',
    de: 'Die Registry verlangt für diesen Namen einen eigenen Preis: Bestellen Sie ihn mit premium_confirmed.',
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
  upgrade_required: {
    status: 426,
    title: 'Upgrade required',
    en: 'A console is a WebSocket with the subprotocols that server/vnc gives.',
    de: 'Eine Konsole ist ein WebSocket mit den Subprotokollen, die server/vnc nennt.',
  },
  rdns_invalid: {
    status: 422,
    title: 'Reverse name invalid',
    en: 'An address cannot be called so: this is no host name, or it is under a domain of somebody else.',
    de: 'So kann eine Adresse nicht heißen: Das ist kein Hostname, oder er liegt unter einer fremden Domain.',
  },
  forward_mismatch: {
    status: 422,
    title: 'Forward mismatch',
    en: 'This name does not lead to the address.',
    de: 'Dieser Name führt nicht zu der Adresse.',
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
  dns_record_invalid: {
    status: 422,
    title: 'DNS record invalid',
    en: 'The zone stays as it is: {reason}',
    de: 'Die Zone bleibt, wie sie ist: {reason}',
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
  guest_not_responding: {
    status: 504,
    title: 'System not responding',
    en: 'The system in the server did not follow in time.',
    de: 'Das System im Server ist der Aufforderung nicht rechtzeitig gefolgt.',
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
  /** Of one thing among several that are asked for: the code that it would be refused with alone. */
  readonly refusal?: string;
}

export interface RefusalDetail {
  /** Extension members of the error body; they also fill the texts. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly InputProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Whom it is about, when nobody is logged in yet: for the audit, and never answered. */
  readonly concerns?: Concerned;
}

/** Whose history something belongs to. */
export interface Concerned {
  readonly accountId: string | null;
  readonly userId: string;
  readonly tokenId?: string | null;
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

/** Makes the refusal of one of several things. What it is refused with alone need not be an error of the whole. */
export type RefusalOfOne = (code: ErrorCode, detail?: RefusalDetail) => Refusal;

export interface RefusedOne {
  readonly at: number;
  readonly refusal: Refusal;
}

/** Tries each of several things of which each may be refused by itself: what came of it, in order, or who was refused. */
export function tryEach<One, T>(
  many: readonly One[],
  work: (one: One, at: number, refusal: RefusalOfOne) => T,
): { readonly results: readonly T[]; readonly refused: readonly RefusedOne[] } {
  const results: T[] = [];
  const refused: RefusedOne[] = [];
  for (const [at, one] of many.entries()) {
    try {
      results.push(work(one, at, (code, detail) => new Refusal(code, detail)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ at, refusal: error });
    }
  }
  return { results, refused };
}

/** What a refusal says to people. */
export function refusalText(
  { code, members = {} }: { readonly code: ErrorCode; readonly members?: RefusalDetail['members'] },
  locale: 'en' | 'de',
): string {
  return ERRORS[code][locale].replace(/\{(\w+)(:money)?\}/g, (_, name: string, money: string | undefined) => {
    const given = members[name];
    // Why a body or a zone is refused is a text of its own.
    const value = name === 'reason' && typeof given === 'string' ? problemText(given, locale) : given;
    if (money !== undefined && typeof value === 'number') return value.toFixed(2);
    return Array.isArray(value) ? value.join(', ') : String(value ?? '');
  });
}

import {
  anything,
  array,
  boolean,
  exactly,
  filledString,
  object,
  oneOf,
  type Shape,
  string,
  uuid,
} from '../shape.ts';

const fault = object(
  {
    pointer: string,
    error: oneOf(
      'required',
      'unknown_field',
      'invalid_type',
      'invalid_format',
      'out_of_range',
      'too_long',
      'not_allowed',
    ),
    message: filledString,
  },
  { allowed: array(anything), limit: anything },
);

/** The error body of the payload document, section 12. */
export function errorBody(status: number, extensions: Record<string, Shape>): Shape {
  return object(
    {
      response: filledString,
      state: exactly('error'),
      code: exactly(status),
      data: exactly(null),
      error: filledString,
      errors: array(fault),
      request_id: uuid,
      retryable: boolean,
      type: filledString,
      title: filledString,
      status: exactly(status),
      detail: filledString,
      instance: filledString,
    },
    extensions,
  );
}

const funds = ['required', 'available', 'shortfall', 'currency', 'topup_url'];
const conflict = ['current_state', 'allowed_states', 'task_uuid', 'current_version', 'quote', 'alternatives'];

/**
 * Every error code a customer can meet here, with the members it may add to the body: those of section 12,
 * and what its texts name. The codes of the log-in, which section 12 has none of, come last.
 */
export const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  malformed_request: ['reason'],
  parameter_conflict: ['parameter'],
  idempotency_key_invalid: [],
  idempotency_key_required: [],
  token_missing: [],
  token_invalid: [],
  token_expired: [],
  token_revoked: [],
  insufficient_funds: funds,
  payment_declined: funds,
  scope_missing: ['required_scope'],
  ip_not_allowed: [],
  account_suspended: [],
  account_unverified: [],
  two_factor_required: [],
  spending_limit_exceeded: ['limit', 'remaining', 'currency'],
  not_found: [],
  operation_not_found: [],
  method_not_allowed: ['allowed'],
  not_acceptable: [],
  unsupported_media_type: [],
  conflict,
  state_conflict: conflict,
  resource_locked: conflict,
  resource_protected: conflict,
  version_mismatch: conflict,
  idempotency_in_progress: conflict,
  already_exists: conflict,
  out_of_stock: conflict,
  price_changed: [...conflict, 'price', 'currency'],
  ip_limit_reached: [...conflict, 'limit'],
  quote_expired: [],
  resource_deleted: [],
  payload_too_large: ['limit'],
  validation_failed: ['fields'],
  idempotency_key_reused: [],
  terms_not_accepted: [],
  cancellation_not_acknowledged: [],
  discount_code_invalid: [],
  unsupported_tld: ['tld'],
  period_not_allowed: [],
  os_requirements_not_met: ['min_cores', 'min_memory', 'min_disk'],
  rate_limited: ['limit', 'window_seconds', 'retry_after'],
  ip_not_assigned: [],
  credentials_invalid: [],
  csrf_token_invalid: [],
  dry_run_only: [],
  uri_too_long: ['limit'],
};

import type { Instant } from '../../../base/time.ts';
import { bulkInsert } from '../../../db/changes.ts';

/** An order as it is placed. */
export const orderInsert = bulkInsert<{
  id: string;
  account_id: string;
  token_id: string | null;
  product: string;
  action: string;
  service_id: string;
  state: string;
  price_version: number;
  currency: string;
  lines: string;
  net: bigint;
  discount: bigint;
  tax_kind: string;
  tax_country: string;
  tax_rate: number;
  address_version: number;
  tax: bigint;
  gross: bigint;
  description: string;
  automatic: boolean;
  basket_id: string | null;
  discount_code: string | null;
  duration: number;
  duration_unit: string;
  period_from: Instant;
  period_to: Instant;
  terms_version: string | null;
  consent_hash: Buffer | null;
  consent_ip: string | null;
  entry_id: string;
  created_at: Instant;
  closed_at: Instant | null;
}>('orders', {
  id: 'uuid',
  account_id: 'uuid',
  token_id: 'uuid',
  product: 'text',
  action: 'text',
  service_id: 'uuid',
  state: 'text',
  price_version: 'integer',
  currency: 'text',
  lines: 'jsonb',
  net: 'bigint',
  discount: 'bigint',
  tax_kind: 'text',
  tax_country: 'text',
  tax_rate: 'integer',
  address_version: 'integer',
  tax: 'bigint',
  gross: 'bigint',
  description: 'text',
  automatic: 'boolean',
  basket_id: 'uuid',
  discount_code: 'text',
  duration: 'integer',
  duration_unit: 'text',
  period_from: 'timestamptz',
  period_to: 'timestamptz',
  terms_version: 'text',
  consent_hash: 'bytea',
  consent_ip: 'inet',
  entry_id: 'uuid',
  created_at: 'timestamptz',
  closed_at: 'timestamptz',
});

/** Money of an account that an order keeps until it is delivered, or given up (rule B1). */
export const holdInsert = bulkInsert<{
  order_id: string;
  account_id: string;
  amount: bigint;
  state: string;
  entry_id: string;
  created_at: Instant;
}>('holds', {
  order_id: 'uuid',
  account_id: 'uuid',
  amount: 'bigint',
  state: 'text',
  entry_id: 'uuid',
  created_at: 'timestamptz',
});

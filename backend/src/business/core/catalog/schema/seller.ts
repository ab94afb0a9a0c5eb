import { z } from 'zod';
import { Country, Line } from './label.ts';

const Series = z
  .string()
  .regex(/^[A-Z0-9]{1,8}$/, 'must be up to eight capital letters and digits')
  .describe('Before the year and the number: INV-2026-000001');

/** Who sells, as invoices name it. Without a seller nothing is invoiced. */
export const Seller = z
  .strictObject({
    name: Line,
    street: Line,
    zip: Line,
    city: Line,
    country: Country,
    email: z.email(),
    phone: Line.optional(),
    website: z.url({ protocol: /^https?$/ }).optional(),
    /** Of the EU, with its country's prefix. */
    vat_id: z
      .string()
      .regex(/^[A-Z]{2}[A-Z0-9]{2,13}$/, 'must be a VAT number such as DE123456789')
      .optional(),
    tax_number: Line.optional(),
    /** Court and number, managing directors: what the law wants on a letter. */
    legal: z.array(Line).max(5).default([]),
    iban: z
      .string()
      .regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN without spaces')
      .optional(),
    bic: z
      .string()
      .regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'must be a BIC')
      .optional(),
    bank: Line.optional(),
    /** IANA name: an invoice is of the day that it is here. */
    timezone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin').default('UTC'),
    invoice_series: Series.default('INV'),
    credit_note_series: Series.default('CN'),
  })
  .refine((seller) => seller.invoice_series !== seller.credit_note_series, {
    path: ['credit_note_series'],
    message: 'must differ from invoice_series: each is numbered without gaps',
  });
export type Seller = z.output<typeof Seller>;

/** How sales are taxed beside the rate at the seller's home, which is `tax_rate`. */
export const TaxPolicy = z.strictObject({
  /** small_business: no tax is charged or shown (in Germany § 19 UStG). */
  scheme: z.enum(['standard', 'small_business']).default('standard'),
  /** Whether consumers of other EU countries pay their country's rate (one-stop shop). */
  one_stop_shop: z.boolean().default(false),
});
export type TaxPolicy = z.output<typeof TaxPolicy>;

export function isTimeZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

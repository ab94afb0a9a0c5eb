import { z } from 'zod';
import type { RefusalDetail } from '../errors.ts';

/** Rows that OFFSET may pass over (rule B5); beyond, narrower filters are needed. */
export const MAX_OFFSET = 10_000;

export const pagination = z.object({
  page: z.int(),
  per_page: z.int(),
  total: z.int(),
  total_pages: z.int(),
});

/** The parameters of every list; `sorts` are the fields that an index serves. */
export function paging<const S extends readonly [string, ...string[]]>(sorts: S, maxPerPage = 100) {
  return {
    page: z.int().min(1).max(1_000_000).default(1),
    per_page: z.int().min(1).max(maxPerPage).default(25),
    sort: z.enum(sorts).default(sorts[0] as S[number]),
    order: z.enum(['asc', 'desc']).default('desc'),
    search: z.string().max(100).optional(),
  };
}

export interface PageRequest {
  readonly page: number;
  readonly per_page: number;
}

export function offsetOf(request: PageRequest): number {
  return (request.page - 1) * request.per_page;
}

/** What to refuse a page with that lies too deep, or null. */
export function tooDeep(request: PageRequest): RefusalDetail | null {
  const limit = Math.floor(MAX_OFFSET / request.per_page) + 1;
  if (offsetOf(request) <= MAX_OFFSET) return null;
  return {
    errors: [
      {
        pointer: '/page',
        error: 'out_of_range',
        message: `Lists reach back ${MAX_OFFSET} rows: narrow the filters instead of paging on.`,
        limit,
      },
    ],
    members: { fields: ['/page'] },
  };
}

export function pageOf(request: PageRequest, total: number) {
  return {
    page: request.page,
    per_page: request.per_page,
    total,
    total_pages: Math.ceil(total / request.per_page),
  };
}

/** A search text as a LIKE pattern that takes the text literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

import { z } from 'zod';

/** What a server starts from first. */
export const bootDevice = z.enum(['disk', 'iso']);

export const shownIso = z.object({ name: z.string(), displayname: z.string() });

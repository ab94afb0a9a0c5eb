import { z } from 'zod';
import { Name } from './label.ts';

/** The system that servers are rescued with: an image that hypervisors have, and who logs in to it. */
export const RescueSystem = z.strictObject({
  image: Name,
  username: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,31}$/, 'must be a user name'),
});
export type RescueSystem = z.output<typeof RescueSystem>;

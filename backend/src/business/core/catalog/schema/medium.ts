import { z } from 'zod';
import { Line, Name } from './label.ts';

/** A medium that customers may put into a server's drive; hypervisors keep it under its checksum, or its name. */
export const IsoImage = z.strictObject({
  name: Name,
  displayname: Line,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 checksum, 64 hexadecimal digits'),
});
export type IsoImage = z.output<typeof IsoImage>;

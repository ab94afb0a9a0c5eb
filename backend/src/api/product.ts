import { z } from 'zod';

export const productType = z.enum(['license', 'server', 'webspace', 'domain']);

/** Which products something is good for; without it, for all. */
export const productTypes = z.array(productType).min(1, 'At least one product.').max(4);
